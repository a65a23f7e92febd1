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
  static constexpr int kTile = 2;  // the place of the tile game among the kinds
  static constexpr const char* kTallies[] = {"totals"};
  static constexpr const char* kTallyMeanings[] = {
      "victory points of each seat in finished challenges"};
  static constexpr bool kMayBeTruncated = true;
  static constexpr int kMostChallenges = 16;

  // Those of the challenges; what two of them have in common is stated once [IC-3].
  struct Options {
    int players = 2;
    Value challenges = Value::List{kKindNames[0], kKindNames[1], kKindNames[2]};
    card_challenge::TwoPlayerRow two_player_row = card_challenge::TwoPlayerRow::kFifo;
    ingenious::Gates gate_test = ingenious::Gates::kStepwise;
    card_challenge::DumpTieRule dump_tie_rule = card_challenge::DumpTieRule::kAll;
    tile_challenge::FreeScoringTie free_scoring_tie = tile_challenge::FreeScoringTie::kAny;
    tile_challenge::FreeScoringTake free_scoring_take = tile_challenge::FreeScoringTake::kAll;
    int max_turns = 1000;
    int no_progress_limit = 100;
  };

  template <class Visitor>
  static void visit_options(Visitor& visit, Options& options) {
    ingenious::visit_players(visit, options.players);
    visit.value("challenges", options.challenges, "a sequence of " + names_text(),
                "The challenges of the match, in the order in which they are played.",
                {Value::List{"tile"}, Value::List{"dice", "card"}, Value::List{"card", "card"}});
    CardChallenge::visit_own_options(visit, options);
    TileChallenge::visit_own_options(visit, options);
    ingenious::visit_caps(visit, options.max_turns, options.no_progress_limit, {1, 10, 1000});
  }

  explicit IngeniousChallenges(const Options& options) : IngeniousChallenges(Checked(options)) {}

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
      most += kind == kTile ? tile_challenge::target_for(num_players()) : ingenious::kLastHole;
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
  struct Checked {
    explicit Checked(const Options& given) : options(checked_options<IngeniousChallenges>(given)) {}
    Options options;
  };

  explicit IngeniousChallenges(const Checked& checked)
      : Match({CardChallenge(card_options(checked.options)),
               DiceChallenge(dice_options(checked.options)),
               TileChallenge(tile_options(checked.options))},
              kinds_of(checked.options.challenges)),
        options_(checked.options) {}

  static CardChallenge::Options card_options(const Options& options) {
    return {.players = options.players,
            .two_player_row = options.two_player_row,
            .gate_test = options.gate_test,
            .dump_tie_rule = options.dump_tie_rule,
            .max_turns = options.max_turns,
            .no_progress_limit = options.no_progress_limit};
  }
  static DiceChallenge::Options dice_options(const Options& options) {
    return {.players = options.players,
            .gate_test = options.gate_test,
            .max_turns = options.max_turns,
            .no_progress_limit = options.no_progress_limit};
  }
  static TileChallenge::Options tile_options(const Options& options) {
    return {.players = options.players,
            .free_scoring_tie = options.free_scoring_tie,
            .free_scoring_take = options.free_scoring_take,
            .max_turns = options.max_turns,
            .no_progress_limit = options.no_progress_limit};
  }

  static std::string names_text() {
    return "1.." + std::to_string(kMostChallenges) + " names out of card, dice, tile";
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
                        "; it must be a list or tuple of " + names_text());
    }
    return kinds;
  }

  Options options_;
};

static_assert(GameRules<IngeniousChallenges>);

}  // namespace tabletop
