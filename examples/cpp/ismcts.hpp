// Information set Monte Carlo tree search (one observer, open loop) for any game of the library.
//
// Every iteration deals anew what the seat cannot see, walks down one tree by UCB1 among the
// actions that are legal in that deal, adds one node, plays on at random and sends the utilities
// back. Chance is drawn as it comes; the tree branches at decisions only.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tabletop/game.hpp>
#include <tabletop/playout.hpp>
#include <vector>

template <tabletop::GameRules G>
class Ismcts {
 public:
  using State = typename G::State;

  Ismcts(const G& game, std::uint64_t seed) : game_(game), rng_(seed) {}

  // The action of the seat to move that was tried most often.
  tabletop::Action choose(const State& state, int iterations) {
    const tabletop::Seat seat = game_.current_player(state);
    nodes_.assign(1, Node{});
    for (int i = 0; i < iterations; ++i) iterate(game_.resample(state, seat, rng_));
    const Edge* best = nullptr;
    for (const Edge& edge : nodes_.front().edges) {
      if (best == nullptr || edge.visits > best->visits) best = &edge;
    }
    return best->action;
  }

 private:
  struct Edge {
    tabletop::Action action;
    std::size_t child;
    int visits = 0;
    int available = 0;  // iterations that could have taken it
    double total = 0;   // utility of the seat that decides here
  };
  struct Node {
    std::vector<Edge> edges;
  };
  struct Step {
    std::size_t node, edge;
    tabletop::Seat seat;
  };

  static constexpr double kExploration = 0.7;

  void iterate(State state) {
    path_.clear();
    std::size_t node = 0;
    for (bool grown = false; !grown && to_decision(state) != tabletop::kTerminal;) {
      const std::size_t known = nodes_.size();
      const std::size_t edge = select(node, state);
      grown = nodes_.size() > known;
      path_.push_back({node, edge, game_.current_player(state)});
      game_.apply(state, nodes_[node].edges[edge].action);
      node = nodes_[node].edges[edge].child;
    }
    tabletop::playout(game_, state, rng_);
    double returns[tabletop::kMaxSeats];
    tabletop::utilities(game_, state, {returns, static_cast<std::size_t>(game_.num_players())});
    for (const Step& step : path_) {
      Edge& edge = nodes_[step.node].edges[step.edge];
      ++edge.visits;
      edge.total += returns[step.seat];
    }
  }

  // Draws until somebody decides or the game is over, and tells who it is.
  tabletop::Seat to_decision(State& state) {
    tabletop::Seat player = game_.current_player(state);
    for (; player == tabletop::kChance; player = game_.current_player(state)) {
      game_.apply(state, tabletop::pick_outcome(game_, state, rng_));
    }
    return player;
  }

  // The index of the edge to follow: a new one if there is a legal action without.
  std::size_t select(std::size_t node, const State& state) {
    tabletop::ActionSet<G::kMaxActions> untried;
    game_.legal_actions(state, untried);
    const tabletop::ActionSet<G::kMaxActions> legal = untried;
    std::vector<Edge>& edges = nodes_[node].edges;
    std::size_t best = 0;
    double highest = -1e9;
    int tried = 0;
    for (std::size_t i = 0; i < edges.size(); ++i) {
      Edge& edge = edges[i];
      if (!legal.contains(edge.action)) continue;
      ++tried;
      ++edge.available;
      const double bound = edge.total / edge.visits +
                           kExploration * std::sqrt(std::log(edge.available) / edge.visits);
      if (bound > highest) {
        highest = bound;
        best = i;
      }
    }
    if (tried == legal.count()) return best;
    return expand(node, legal, legal.count() - tried);
  }

  // Adds one of the legal actions that have no edge yet.
  std::size_t expand(std::size_t node, const tabletop::ActionSet<G::kMaxActions>& legal,
                     int untried) {
    auto skip = static_cast<int>(rng_.below(static_cast<std::uint64_t>(untried)));
    tabletop::Action chosen = -1;
    legal.for_each([&](tabletop::Action action) {
      if (chosen < 0 && !has_edge(nodes_[node], action) && skip-- == 0) chosen = action;
    });
    nodes_[node].edges.push_back({.action = chosen, .child = nodes_.size(), .available = 1});
    nodes_.emplace_back();
    return nodes_[node].edges.size() - 1;
  }

  static bool has_edge(const Node& node, tabletop::Action action) {
    for (const Edge& edge : node.edges) {
      if (edge.action == action) return true;
    }
    return false;
  }

  const G& game_;
  tabletop::Rng rng_;
  std::vector<Node> nodes_;
  std::vector<Step> path_;
};
