// Several games of Indigo, points and gems added up: rules in docs/rules/indigo_series.md.
// Clauses are cited as [IS-n].
#pragma once

#include <string>
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
  static constexpr bool kMayBeTruncated = false;

  struct Options : Indigo::Options {
    int games = 3;
  };

  template <class Visitor>
  static void visit_options(Visitor& visit, Options& options) {
    Indigo::visit_options(visit, static_cast<Indigo::Options&>(options));
    visit.integer("games", options.games, 1, 1000, "Number of games played one after another.",
                  {1, 2, 3});
  }

  explicit IndigoSeries(const Options& options)
      : Match(Indigo(options), std::vector<int>(checked_games(options))), options_(options) {}

  [[nodiscard]] const Options& options() const { return options_; }

  static void gains(const Indigo& indigo, const Indigo::State& game, Seat seat, int* gains) {
    int scores[kMaxPlayers];
    indigo.scores(game, {scores, static_cast<std::size_t>(indigo.num_players())});
    gains[0] = scores[seat];
    gains[1] = Indigo::gems_won(game, seat);
  }

  // Nobody gets more than lies on the board, and each gem is worth one to three points [IS-15].
  void check_totals(const int (&totals)[kMaxTallies][kMaxPlayers],
                    const std::vector<int>& finished) const {
    const int games = static_cast<int>(finished.size());
    for (Seat seat = 0; seat < num_players(); ++seat) {
      const int points = totals[0][seat], gems = totals[1][seat];
      if (gems >= 0 && gems <= indigo::kGems * games && points >= gems &&
          points <= std::min(3 * gems, indigo::kPointsOnBoard * games)) {
        continue;
      }
      throw PositionError("position has " + std::to_string(points) + " points and " +
                          std::to_string(gems) + " gems of seat " + std::to_string(seat) + " for " +
                          std::to_string(games) + " games before this one; a game brings at most " +
                          std::to_string(indigo::kPointsOnBoard) + " points and " +
                          std::to_string(indigo::kGems) + " gems, 1..3 points a gem");
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
  static std::size_t checked_games(const Options& options) {
    return static_cast<std::size_t>(checked_options<IndigoSeries>(options).games);
  }

  Options options_;
};

static_assert(GameRules<IndigoSeries>);

}  // namespace tabletop
