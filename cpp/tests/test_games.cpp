// What every game of the list keeps, seen from C++.
#include <array>

#include "check.hpp"
#include "fuzz.hpp"
#include "tabletop/games/indigo_series.hpp"

namespace {

using namespace tabletop;
using fuzz::Game;
using fuzz::Position;

// A game with all values of one option at a time, the others at their defaults.
std::vector<Game> games_under_test(const GameOps& ops) {
  std::vector<Game> games;
  for (const OptionSpec& spec : ops.option_specs()) {
    for (const Value& sample : spec.samples) {
      try {
        games.push_back({&ops, ops.create({{spec.name, sample}})});
      } catch (const OptionError&) {
        continue;  // this sample needs another option beside it
      }
    }
  }
  return games;
}

Action listed_action(const Game& game, const Position& position, Rng& rng) {
  const std::vector<Action> ids = fuzz::legal_ids(game, position);
  return ids[rng.below(ids.size())];
}

Action listed_outcome(const Game& game, const Position& position, Rng& rng) {
  std::vector<WeightedOutcome> outcomes;
  std::uint64_t ticket =
      rng.below(game.ops->chance_outcomes(game.rules(), position.at(), outcomes));
  auto drawn = outcomes.begin();
  while (ticket >= drawn->weight) ticket -= drawn++->weight;
  return drawn->outcome;
}

// One game by the quick picks, which are those from the lists; one in five of the positions is
// looked at more closely. The same numbers lead a playout to the same end.
void check_game(const Game& game, std::uint64_t seed) {
  const GameOps& ops = *game.ops;
  const void* rules = game.rules();
  const Position start(game);
  Position position(game);
  Rng rng = Rng(seed).split(0);
  std::int64_t decisions = 0;
  for (Seat player; (player = ops.current_player(rules, position.at())) != kTerminal;) {
    Rng other = rng;
    const bool chance = player == kChance;
    const Action picked = chance ? ops.pick_outcome(rules, position.at(), rng)
                                 : ops.pick_action(rules, position.at(), rng);
    const Action listed =
        chance ? listed_outcome(game, position, other) : listed_action(game, position, other);
    TABLETOP_CHECK_EQUAL(picked, listed);
    TABLETOP_CHECK(rng == other);
    if (rng.state() % 5 == 0) {
      fuzz::check_position(game, position);
      for (Seat seat = 0; seat < game.players(); ++seat) {
        fuzz::check_resample(game, position, seat, other);
      }
    }
    decisions += chance ? 0 : 1;
    ops.apply(rules, position.at(), picked);
  }
  fuzz::check_position(game, position);

  std::array<double, kMaxSeats> returns{};
  std::array<std::int64_t, kMaxSeats> scores{};
  std::int64_t length = 0;
  std::uint64_t hash = 0;
  ops.playouts(rules, start.at(), seed, 0, 0, 1, {returns.data(), scores.data(), &length, &hash});
  TABLETOP_CHECK_EQUAL(length, decisions);
  TABLETOP_CHECK_EQUAL(hash, ops.stable_hash(rules, position.at(), 0));
}

TABLETOP_TEST(picks_lists_and_codecs_agree) {
  for (const GameOps* ops : fuzz::games()) {
    const std::vector<Game> games = games_under_test(*ops);
    TABLETOP_CHECK(!games.empty());
    std::uint64_t seed = 0;
    for (const Game& game : games) check_game(game, seed++);
  }
}

TABLETOP_TEST(what_no_dict_states_is_not_valid) {
  const Indigo game({});
  Indigo::State won_nothing_led_to = game.initial_state();
  won_nothing_led_to.won[0] = 1;
  TABLETOP_CHECK(!valid(game, won_nothing_led_to));
  Indigo::State stray_byte = game.initial_state();
  stray_byte.zero = 1;
  TABLETOP_CHECK(!valid(game, stray_byte));

  const IndigoSeries series({});
  IndigoSeries::State points_before_a_game = series.initial_state();
  points_before_a_game.totals[0][0] = 1;
  TABLETOP_CHECK(!valid(series, points_before_a_game));
}

TABLETOP_TEST(perft_stops_when_told) {
  const Indigo game({});
  int asked = 0;
  const Perft nodes = count_nodes(game, game.initial_state(), 3, [&] { return ++asked < 5; });
  TABLETOP_CHECK_EQUAL(asked, 5);
  TABLETOP_CHECK(nodes.chance <
                 count_nodes(game, game.initial_state(), 3, [] { return true; }).chance);
}

}  // namespace

int main() { return tabletop::test::run(); }
