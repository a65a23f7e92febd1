// Several games of Indigo, points and gems added up: rules in docs/rules/indigo_series.md.
// Clauses are cited as [IS-n].
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "tabletop/games/indigo.hpp"
#include "tabletop/mechanics/match.hpp"

namespace tabletop {

class IndigoSeries : public Match<IndigoSeries, Indigo> {
 public:
  static constexpr const char* kName = "indigo_series";
  static constexpr const char* kVersion = "1";
  static constexpr const char* kNoun = "game";
  static constexpr const char* kKindNames[] = {"indigo"};
  static constexpr const char* kTallies[] = {"totals", "total_gems"};
  static constexpr const char* kTallyMeanings[] = {"points of each seat in finished games",
                                                   "gems of each seat in finished games"};
  static constexpr bool kMayBeTruncated = false;

  struct Options {
    int players = 2;
    Indigo::Ownership ownership = Indigo::Ownership::kShared;
    int hand_size = 1;
    int games = 3;
  };

  template <class Visitor>
  static void visit_options(Visitor& visit, Options& options) {
    Indigo::visit_options(visit, options);
    visit.integer("games", options.games, 1, 1000, "Number of games played one after another.",
                  {1, 2, 3});
  }

  explicit IndigoSeries(const Options& options) : IndigoSeries(Checked(options)) {}

  [[nodiscard]] const Options& options() const { return options_; }

  static void gains(const Indigo& indigo, const Indigo::State& game, Seat seat, int* gains) {
    int scores[kMaxPlayers];
    indigo.scores(game, {scores, static_cast<std::size_t>(indigo.num_players())});
    gains[0] = scores[seat];
    gains[1] = Indigo::gems_won(game, seat);
  }

  // No seat has more gems of a kind than so many games have, nor have all seats together more than
  // the owners of gateways can get [IS-15].
  void check_totals(const int (&totals)[kMaxTallies][kMaxPlayers],
                    const std::vector<int>& finished) const {
    const int games = static_cast<int>(finished.size());
    int points = 0, gems = 0;
    for (Seat seat = 0; seat < num_players(); ++seat) {
      const int own_points = totals[0][seat], own_gems = totals[1][seat];
      points += own_points;
      gems += own_gems;
      if (!are_worth(own_gems, own_points, games)) {
        fail_totals("seat " + std::to_string(seat) + " has", own_gems, own_points, games);
      }
    }
    if (!are_worth(gems, points, games * most_owners())) {
      fail_totals("all seats together have", gems, points, games);
    }
  }

  [[nodiscard]] std::string totals_text(const Totals& totals) const {
    std::string points, gems;
    for (Seat seat = 0; seat < num_players(); ++seat) {
      points += std::to_string(totals[0][seat]) + " ";
      gems += " " + std::to_string(totals[1][seat]);
    }
    return points + "points," + gems + " gems";
  }

 private:
  struct Checked {
    explicit Checked(const Options& given) : options(checked_options<IndigoSeries>(given)) {}
    Options options;
  };

  explicit IndigoSeries(const Checked& checked)
      : Match(Indigo(game_options(checked.options)),
              std::vector<int>(static_cast<std::size_t>(checked.options.games))),
        options_(checked.options) {}

  static Indigo::Options game_options(const Options& options) {
    return {
        .players = options.players, .ownership = options.ownership, .hand_size = options.hand_size};
  }

  // Whether gems of so many boards can be worth so much: of each, six are worth 1 point, five 2 and
  // one 3.
  static bool are_worth(int gems, int points, int boards) {
    const auto beyond = [&](int gems_of_board) {
      return std::max(gems - gems_of_board * boards, 0);
    };
    return gems >= 0 && beyond(indigo::kGems) == 0 && points >= gems + beyond(6) + beyond(6 + 5) &&
           points <= 3 * gems - beyond(1) - beyond(1 + 5);
  }

  [[noreturn]] void fail_totals(const std::string& who, int gems, int points, int games) const {
    throw PositionError(who + " " + std::to_string(points) + " points for " + std::to_string(gems) +
                        " gems from " + std::to_string(games) +
                        " finished games; a game has 6 gems of 1 point, 5 of 2 and one of 3, each "
                        "for at most " +
                        std::to_string(most_owners()) + " of the seats");
  }

  [[nodiscard]] int most_owners() const { return std::get<Indigo>(kinds_).most_owners(); }

  Options options_;
};

static_assert(GameRules<IndigoSeries>);

}  // namespace tabletop
