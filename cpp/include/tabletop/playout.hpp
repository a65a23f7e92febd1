// Uniform random play, the same games for the same numbers in every engine and on every machine.
#pragma once

#include "tabletop/game.hpp"

namespace tabletop {

// The below(count)-th legal action in ascending order.
template <GameRules G>
Action pick_action(const G& game, const typename G::State& state, Rng& rng) noexcept {
  if constexpr (PicksActions<G>) {
    return game.pick_action(state, rng);
  } else {
    ActionSet<G::kMaxActions> actions;
    game.legal_actions(state, actions);
    return actions.nth(below(rng, actions.count()));
  }
}

// The outcome into whose share of the weights below(total) falls.
template <GameRules G>
Action pick_outcome(const G& game, const typename G::State& state, Rng& rng) noexcept {
  if constexpr (PicksOutcomes<G>) {
    return game.pick_outcome(state, rng);
  } else {
    ChanceList<G::kMaxOutcomes> outcomes;
    game.chance_outcomes(state, outcomes);
    return outcomes.at_weight(rng.below(outcomes.total()));
  }
}

// On to the next decision, or the end; returns the seat to act there, or kTerminal.
template <GameRules G>
[[gnu::always_inline]] inline Seat resolve_chance(const G& game, typename G::State& state,
                                                  Rng& rng) noexcept {
  if constexpr (ResolvesChance<G>) {
    game.resolve_chance(state, rng);
    return game.current_player(state);
  } else {
    for (;;) {
      const Seat player = game.current_player(state);
      if (player != kChance) return player;
      game.apply(state, pick_outcome(game, state, rng));
    }
  }
}

// Plays the position to its end and returns the number of decisions taken. Always inlined, however
// many callers it has: the compiler makes most of rules that it sees beside the position.
template <GameRules G>
[[gnu::always_inline]] inline int playout(const G& game, typename G::State& state,
                                          Rng& rng) noexcept {
  if constexpr (PlaysOut<G>) return game.playout(state, rng);
  for (int decisions = 0;; ++decisions) {
    if (resolve_chance(game, state, rng) == kTerminal) return decisions;
    game.apply(state, pick_action(game, state, rng));
  }
}

}  // namespace tabletop
