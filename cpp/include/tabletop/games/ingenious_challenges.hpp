// A match of Card, Dice and Tile Challenges: rules in docs/rules/ingenious_challenges.md.
// Clauses are cited as [IC-n].
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "tabletop/dict_reader.hpp"
#include "tabletop/games/card_challenge.hpp"
#include "tabletop/games/dice_challenge.hpp"
#include "tabletop/games/tile_challenge.hpp"
#include "tabletop/mechanics/match.hpp"

namespace tabletop {

class IngeniousChallenges
    : public Match<IngeniousChallenges, CardChallenge, DiceChallenge, TileChallenge> {
 public:
  static constexpr const char* kName = "ingenious_challenges";
  static constexpr const char* kVersion = "1";
  static constexpr const char* kNoun = "challenge";
  static constexpr const char* kKindNames[] = {"card", "dice", "tile"};
  static constexpr const char* kTallies[] = {"totals"};
  static constexpr bool kMayBeTruncated = true;
  static constexpr int kMostChallenges = 16;

  // Those of the challenges; what two of them have in common is stated once [IC-3].
  struct Options {
    Value challenges = Value::List{kKindNames[0], kKindNames[1], kKindNames[2]};
    CardChallenge::Options card;
    TileChallenge::Options tile;
  };

  template <class Visitor>
  static void visit_options(Visitor& visit, Options& options) {
    ingenious::visit_players(visit, options.card.players);
    visit.value("challenges", options.challenges,
                "a sequence of 1..16 names out of card, dice, tile",
                "The challenges of the match, in the order in which they are played.",
                {Value::List{"tile"}, Value::List{"dice", "card"}, Value::List{"card", "card"}});
    CardChallenge::visit_own_options(visit, options.card);
    TileChallenge::visit_own_options(visit, options.tile);
    ingenious::visit_caps(visit, options.card.max_turns, options.card.no_progress_limit,
                          {1, 10, 1000});
  }

  explicit IngeniousChallenges(const Options& options)
      : Match({CardChallenge(options.card), DiceChallenge(dice_options(options)),
               TileChallenge(tile_options(options))},
              kinds_of(options.challenges)),
        options_(options) {}

  [[nodiscard]] const Options& options() const { return options_; }

  // As many victory points as the lowest row is worth; the winner of the challenge too [IC-6].
  template <class Challenge>
  static void gains(const Challenge& rules, const typename Challenge::State& game, Seat seat,
                    int* gains) {
    int scores[kMaxPlayers];
    rules.scores(game, {scores, static_cast<std::size_t>(rules.num_players())});
    gains[0] = scores[seat];
  }

  // A row is worth no more than its last hole [IC-20].
  void check_totals(const int (&totals)[kMaxTallies][kMaxPlayers],
                    const std::vector<int>& finished) const {
    int most = 0;
    for (const int kind : finished) {
      most += kind == 2 ? tile_challenge::target_for(num_players()) : ingenious::kLastHole;
    }
    for (Seat seat = 0; seat < num_players(); ++seat) {
      if (totals[0][seat] >= 0 && totals[0][seat] <= most) continue;
      refuse("totals", "has " + std::to_string(totals[0][seat]) + " victory points of seat " +
                           std::to_string(seat) + " for " + std::to_string(finished.size()) +
                           " challenges before this one; it must have 0.." + std::to_string(most));
    }
  }

  [[nodiscard]] std::string totals_text(const Totals& totals) const {
    std::string text = std::to_string(totals[0][0]);
    for (Seat seat = 1; seat < num_players(); ++seat) text += " " + std::to_string(totals[0][seat]);
    return text;
  }

 private:
  static DiceChallenge::Options dice_options(const Options& options) {
    return {.players = options.card.players,
            .gate_test = options.card.gate_test,
            .max_turns = options.card.max_turns,
            .no_progress_limit = options.card.no_progress_limit};
  }

  static TileChallenge::Options tile_options(const Options& options) {
    TileChallenge::Options tile = options.tile;
    tile.players = options.card.players;
    tile.max_turns = options.card.max_turns;
    tile.no_progress_limit = options.card.no_progress_limit;
    return tile;
  }

  static std::vector<int> kinds_of(const Value& challenges) {
    const Value::List* names = challenges.list();
    std::vector<int> kinds;
    for (std::size_t i = 0; names != nullptr && i < names->size(); ++i) {
      const auto* name = std::ranges::find_if(
          kKindNames, [&](const char* one) { return (*names)[i] == Value(one); });
      if (name != std::end(kKindNames)) kinds.push_back(static_cast<int>(name - kKindNames));
    }
    if (names == nullptr || kinds.size() != names->size() || kinds.empty() ||
        kinds.size() > kMostChallenges) {
      throw OptionError("option challenges of ingenious_challenges is " + shown(challenges) +
                        "; it must be a list or tuple of 1..16 names out of card, dice, tile");
    }
    return kinds;
  }

  Options options_;
};

static_assert(GameRules<IngeniousChallenges>);

}  // namespace tabletop
