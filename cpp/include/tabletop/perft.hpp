// Counting the nodes of the game tree, the number that says that the rules did not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tabletop/game.hpp"

namespace tabletop {

struct Perft {
  std::uint64_t decision = 0;
  std::uint64_t chance = 0;
  std::uint64_t terminal = 0;
};

// The nodes exactly `depth` levels below the position. `go_on` is asked at every inner node; when
// it says no, the count stops where it is. Without recursion, which would take its room from a
// stack that may be small.
template <GameRules G, class GoOn>
Perft count_nodes(const G& game, const typename G::State& start, int depth, GoOn&& go_on) {
  struct Branch {
    std::size_t level;  // of the node that it leads to
    Action id;
  };
  Perft nodes;
  std::vector<typename G::State> path{start};  // by level, down to the node that is looked at
  std::vector<Branch> waiting;
  for (;;) {
    const typename G::State& state = path.back();
    const std::size_t next_level = path.size();
    const Seat player = game.current_player(state);
    if (next_level > static_cast<std::size_t>(depth)) {
      ++(player == kTerminal ? nodes.terminal : player == kChance ? nodes.chance : nodes.decision);
    } else if (player != kTerminal) {
      if (!go_on()) return nodes;
      if (player == kChance) {
        ChanceList<G::kMaxOutcomes> outcomes;
        game.chance_outcomes(state, outcomes);
        for (const WeightedOutcome& entry : outcomes.entries()) {
          waiting.push_back({next_level, entry.outcome});
        }
      } else {
        ActionSet<G::kMaxActions> actions;
        game.legal_actions(state, actions);
        actions.for_each([&](Action action) { waiting.push_back({next_level, action}); });
      }
    }
    if (waiting.empty()) return nodes;
    const Branch next = waiting.back();
    waiting.pop_back();
    path.resize(next.level);
    path.push_back(path.back());
    game.apply(path.back(), next.id);
  }
}

}  // namespace tabletop
