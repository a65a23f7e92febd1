// What every game of the list keeps, seen from C++.
#include <cstring>

#include "check.hpp"
#include "tabletop/games.hpp"

namespace {

using namespace tabletop;

// All values of one option at a time, the others at their defaults.
template <GameRules G>
std::vector<G> games_under_test() {
  std::vector<G> games;
  typename G::Options defaults;
  OptionLister lister;
  G::visit_options(lister, defaults);
  for (const OptionSpec& spec : lister.specs) {
    for (const Value& sample : spec.samples) {
      const Value::Dict given{{spec.name, sample}};
      typename G::Options options;
      OptionReader reader(G::kName, given);
      G::visit_options(reader, options);
      try {
        games.emplace_back(options);
      } catch (const OptionError&) {
        continue;  // this sample needs another option beside it
      }
    }
  }
  return games;
}

template <GameRules G>
Action listed_action(const G& game, const typename G::State& state, Rng& rng) {
  ActionSet<G::kMaxActions> actions;
  game.legal_actions(state, actions);
  return actions.nth(static_cast<int>(rng.below(static_cast<std::uint64_t>(actions.count()))));
}

template <GameRules G>
Action listed_outcome(const G& game, const typename G::State& state, Rng& rng) {
  ChanceList<G::kMaxOutcomes> outcomes;
  game.chance_outcomes(state, outcomes);
  return outcomes.at_weight(rng.below(outcomes.total()));
}

// It comes back from its dict and bytes, and a resampled one looks the same to the seat.
template <GameRules G>
void check_position(const G& game, const typename G::State& state, Rng& rng) {
  using State = typename G::State;
  TABLETOP_CHECK(game.valid(state));
  const State from_dict = game.from_dict(game.to_dict(state));
  TABLETOP_CHECK(std::memcmp(&from_dict, &state, sizeof state) == 0);
  ByteWriter bytes;
  game.encode(state, bytes);
  ByteReader reader(bytes.bytes());
  const State decoded = game.decode(reader);
  reader.finish();
  TABLETOP_CHECK(std::memcmp(&decoded, &state, sizeof state) == 0);
  for (Seat seat = 0; seat < game.num_players(); ++seat) {
    const State sample = game.resample(state, seat, rng);
    TABLETOP_CHECK(game.valid(sample));
    TABLETOP_CHECK(game.view(sample, seat) == game.view(state, seat));
    TABLETOP_CHECK(sees_outcome(game, sample, seat) == sees_outcome(game, state, seat));
  }
}

// A position of a game, the generator there and the decisions before it.
template <GameRules G>
struct Visited {
  typename G::State state;
  Rng rng;
  int decisions;
};

// One game by the quick picks, compared at every node with the lists; long games are cut, and one
// in five of the positions is looked at more closely.
template <GameRules G>
void check_game(const G& game, std::uint64_t seed) {
  typename G::State state = game.initial_state();
  Rng rng(seed);
  std::vector<Visited<G>> visited;
  int decisions = 0;
  for (int node = 0; node < 600 && game.current_player(state) != kTerminal; ++node) {
    const Rng before = rng;
    Rng other = rng;
    const bool chance = game.current_player(state) == kChance;
    const Action picked = chance ? pick_outcome(game, state, rng) : pick_action(game, state, rng);
    const Action listed =
        chance ? listed_outcome(game, state, other) : listed_action(game, state, other);
    TABLETOP_CHECK_EQUAL(picked, listed);
    TABLETOP_CHECK(rng == other);
    if (rng.state() % 5 == 0) check_position(game, state, other);
    if (node % 7 == 0) visited.push_back({state, before, decisions});
    decisions += chance ? 0 : 1;
    game.apply(state, picked);
  }
  if (game.current_player(state) != kTerminal) return;
  for (Visited<G>& start : visited) {
    TABLETOP_CHECK_EQUAL(playout(game, start.state, start.rng), decisions - start.decisions);
    TABLETOP_CHECK(std::memcmp(&start.state, &state, sizeof state) == 0);
    TABLETOP_CHECK(start.rng == rng);
  }
}

template <GameRules... Games>
void check_all(GameList<Games...> /*list*/) {
  const auto check_one = []<GameRules G>(const std::vector<G>& games) {
    TABLETOP_CHECK(!games.empty());
    for (const G& game : games) {
      for (std::uint64_t seed = 0; seed < 2; ++seed) check_game(game, seed);
    }
  };
  (check_one(games_under_test<Games>()), ...);
}

TABLETOP_TEST(picks_lists_and_codecs_agree) { check_all(AllGames{}); }

TABLETOP_TEST(perft_stops_when_told) {
  const Indigo game({});
  Perft nodes;
  int asked = 0;
  const bool complete =
      count_nodes(game, game.initial_state(), 3, [&] { return ++asked < 5; }, nodes);
  TABLETOP_CHECK(!complete);
  TABLETOP_CHECK_EQUAL(asked, 5);
}

}  // namespace

int main() { return tabletop::test::run(); }
