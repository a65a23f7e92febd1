// Counting the nodes of the game tree, the number that says that the rules did not change.
#pragma once

#include <cstdint>

#include "tabletop/game.hpp"

namespace tabletop {

struct Perft {
  std::uint64_t decision = 0;
  std::uint64_t chance = 0;
  std::uint64_t terminal = 0;
};

// Adds the nodes exactly `depth` levels below the position. `go_on` is asked at every inner node;
// when it says no, the count stops where it is.
template <GameRules G, class GoOn>
bool count_nodes(const G& game, const typename G::State& state, int depth, GoOn&& go_on,
                 Perft& nodes) {
  const Seat player = game.current_player(state);
  if (depth == 0) {
    ++(player == kTerminal ? nodes.terminal : player == kChance ? nodes.chance : nodes.decision);
    return true;
  }
  if (player == kTerminal) return true;
  if (!go_on()) return false;
  bool complete = true;
  const auto descend = [&](Action action) {
    if (!complete) return;
    typename G::State child = state;
    game.apply(child, action);
    complete = count_nodes(game, child, depth - 1, go_on, nodes);
  };
  if (player == kChance) {
    ChanceList<G::kMaxOutcomes> outcomes;
    game.chance_outcomes(state, outcomes);
    for (const WeightedOutcome& entry : outcomes.entries()) descend(entry.outcome);
  } else {
    ActionSet<G::kMaxActions> actions;
    game.legal_actions(state, actions);
    actions.for_each(descend);
  }
  return complete;
}

}  // namespace tabletop
