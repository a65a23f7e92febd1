// The list of all games. A new game adds its include and its name here; everything else follows.
#pragma once

#include <algorithm>

#include "tabletop/games/card_challenge.hpp"
#include "tabletop/games/dice_challenge.hpp"
#include "tabletop/games/indigo.hpp"
#include "tabletop/games/indigo_series.hpp"
#include "tabletop/games/ingenious_challenges.hpp"
#include "tabletop/games/optimus2.hpp"
#include "tabletop/games/sequence_numbers.hpp"
#include "tabletop/games/tile_challenge.hpp"
#include "tabletop/ops.hpp"

namespace tabletop {

template <GameRules... Games>
struct GameList {
  static constexpr std::size_t kMaxStateSize = std::max({sizeof(typename Games::State)...});
  static constexpr int kMaxIds = std::max({Games::kMaxActions..., Games::kMaxOutcomes...});

  static std::vector<const GameOps*> ops() { return {&Erased<Games>::kOps...}; }
};

using AllGames = GameList<CardChallenge, DiceChallenge, Indigo, IndigoSeries, IngeniousChallenges,
                          Optimus2, SequenceNumbers, TileChallenge>;

}  // namespace tabletop
