// Plays uniform random games with default options: `instructions GAME COUNT` prints the number of
// their decisions; without arguments it prints the names of all games.
#include <cstdlib>
#include <iostream>
#include <string_view>
#include <vector>

#include "tabletop/games.hpp"

namespace {

using namespace tabletop;

constexpr std::uint64_t kSeed = 1;

std::int64_t decisions(const GameOps& ops, std::size_t count) {
  const auto rules = ops.create({});
  const auto players = static_cast<std::size_t>(ops.num_players(rules.get()));
  std::vector<std::uint64_t> start(ops.state_size / sizeof(std::uint64_t) + 1);
  ops.initial_state(rules.get(), start.data());
  std::vector<double> returns(count * players);
  std::vector<std::int64_t> scores(count * players), lengths(count);
  std::vector<std::uint64_t> hashes(count);
  ops.playouts(rules.get(), start.data(), kSeed, 0, 0, count,
               {returns.data(), scores.data(), lengths.data(), hashes.data()});
  std::int64_t sum = 0;
  for (const std::int64_t length : lengths) sum += length;
  return sum;
}

}  // namespace

int main(int argc, char** argv) {
  for (const GameOps* ops : AllGames::ops()) {
    if (argc < 3) {
      std::cout << ops->name << '\n';
    } else if (ops->name == std::string_view(argv[1])) {
      std::cout << decisions(*ops, std::strtoul(argv[2], nullptr, 10)) << '\n';
    }
  }
}
