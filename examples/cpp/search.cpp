// A tree search at seat 0 against random play: tabletop_search [GAME] [GAMES] [ITERATIONS]
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <tabletop/games/indigo.hpp>
#include <tabletop/games/tile_challenge.hpp>

#include "ismcts.hpp"

namespace {

using namespace tabletop;

// Plays one game and returns the utility of seat 0.
template <GameRules G>
double play(const G& game, int iterations, std::uint64_t number) {
  typename G::State state = game.initial_state();
  Rng rng = Rng(7).split(number);
  Ismcts<G> search(game, rng.next_u64());
  for (Seat player; (player = game.current_player(state)) != kTerminal;) {
    const Action action = player == kChance ? pick_outcome(game, state, rng)
                          : player == 0     ? search.choose(state, iterations)
                                            : pick_action(game, state, rng);
    game.apply(state, action);
  }
  double returns[kMaxSeats];
  utilities(game, state, {returns, static_cast<std::size_t>(game.num_players())});
  int scores[kMaxSeats];
  game.scores(state, {scores, static_cast<std::size_t>(game.num_players())});
  std::cout << G::kName << ' ' << number << ": scores";
  for (Seat seat = 0; seat < game.num_players(); ++seat) std::cout << ' ' << scores[seat];
  std::cout << '\n';
  return returns[0];
}

template <GameRules G>
void play_all(const G& game, int games, int iterations) {
  double total = 0;
  for (int i = 0; i < games; ++i) total += play(game, iterations, static_cast<std::uint64_t>(i));
  std::cout << "mean return of the search: " << total / games << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : Indigo::kName;
  const int games = argc > 2 ? std::atoi(argv[2]) : 5;
  const int iterations = argc > 3 ? std::atoi(argv[3]) : 1000;
  if (games < 1 || iterations < 1) {
    std::cerr << "GAMES and ITERATIONS must be at least 1\n";
    return 2;
  }
  if (name == Indigo::kName) {
    play_all(Indigo({.players = 2}), games, iterations);
  } else if (name == TileChallenge::kName) {
    play_all(TileChallenge({}), games, iterations);
  } else {
    std::cerr << "GAME must be indigo or tile_challenge\n";
    return 2;
  }
  return 0;
}
