// Threads that share a game's rules and work on positions of their own change no result, and leave
// nothing for ThreadSanitizer to report.
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "fuzz.hpp"
#include "tabletop/team.hpp"

namespace {

using namespace tabletop;

constexpr std::size_t kTeams[] = {1, 2, 3, 8};
constexpr std::uint64_t kSeed = 5;

fuzz::Game game_of(const GameOps& ops) { return {&ops, ops.create({})}; }

// How often each number below `count` is handed out.
std::vector<int> handed_out(Team& team, std::size_t count, std::size_t lot) {
  std::vector<int> times(count);
  team.share_out(0, count, lot, [&](std::size_t first, std::size_t many) {
    for (std::size_t i = first; i < first + many; ++i) ++times[i];
  });
  return times;
}

TABLETOP_TEST(everything_is_done_once) {
  for (const std::size_t size : kTeams) {
    Team team(size);
    for (std::size_t count = 0; count < 300; ++count) {
      const std::size_t lot = 1 + count % 7;
      TABLETOP_CHECK(handed_out(team, count, lot) == std::vector<int>(count, 1));
    }
  }
}

TABLETOP_TEST(what_work_throws_comes_to_the_caller_and_the_team_stays) {
  for (const std::size_t size : kTeams) {
    Team team(size);
    for (const std::size_t bad : {std::size_t{0}, std::size_t{37}, std::size_t{99}}) {
      TABLETOP_CHECK_THROWS(std::out_of_range,
                            team.share_out(0, 100, 1, [&](std::size_t i, std::size_t) {
                              if (i == bad) throw std::out_of_range("bad");
                            }));
      TABLETOP_CHECK(handed_out(team, 100, 3) == std::vector<int>(100, 1));
    }
  }
}

TABLETOP_TEST(a_team_may_have_nothing_to_do) {
  for (const std::size_t size : kTeams) const Team team(size);
}

struct Results {
  std::vector<double> returns;
  std::vector<std::int64_t> scores, lengths;
  std::vector<std::uint64_t> hashes;

  bool operator==(const Results&) const = default;
};

Results playouts(const fuzz::Game& game, std::size_t threads) {
  constexpr std::size_t kGames = 40;
  const std::size_t rows = kGames * static_cast<std::size_t>(game.players());
  Results found{std::vector<double>(rows), std::vector<std::int64_t>(rows),
                std::vector<std::int64_t>(kGames), std::vector<std::uint64_t>(kGames)};
  const PlayoutArrays arrays{found.returns.data(), found.scores.data(), found.lengths.data(),
                             found.hashes.data()};
  const fuzz::Position start(game);
  Team(threads).share_out(0, kGames, 3, [&](std::size_t first, std::size_t count) {
    game.ops->playouts(game.rules(), start.at(), kSeed, 0, first, count, arrays);
  });
  return found;
}

TABLETOP_TEST(playouts_do_not_depend_on_threads) {
  for (const GameOps* ops : fuzz::games()) {
    const fuzz::Game game = game_of(*ops);
    const Results alone = playouts(game, 1);
    for (const std::size_t threads : kTeams) TABLETOP_CHECK(playouts(game, threads) == alone);
  }
}

// Some lanes after some random steps: the positions, as the engine holds them.
std::vector<std::uint64_t> lanes_after_steps(const fuzz::Game& game, std::size_t threads) {
  constexpr std::size_t kLanes = 50;
  const GameOps& ops = *game.ops;
  const auto seats = static_cast<std::size_t>(game.players());
  std::vector<std::uint64_t> states((kLanes * ops.state_size + 7) / 8);
  std::vector<std::uint64_t> legal(kLanes * ops.mask_words);
  std::vector<Rng> rngs;
  rngs.reserve(kLanes);
  for (std::size_t i = 0; i < kLanes; ++i) rngs.push_back(Rng(kSeed).split(i));
  std::vector<Seat> players(kLanes);
  std::vector<double> rewards(kLanes * seats), returns(kLanes * seats);
  bool terminated[kLanes], truncated[kLanes];
  std::vector<Action> actions(kLanes);
  const Lanes lanes{states.data(),  legal.data(),   rngs.data(), players.data(),
                    rewards.data(), returns.data(), terminated,  truncated};
  Team team(threads);
  const auto over_lanes = [&](const auto& work) {
    team.share_out(0, kLanes, 4,
                   [&](std::size_t first, std::size_t count) { work(LaneRange{first, count}); });
  };
  over_lanes([&](LaneRange range) { ops.lanes_start(game.rules(), lanes, range); });
  for (int step = 0; step < 100; ++step) {
    over_lanes([&](LaneRange range) {
      ops.lanes_sample(game.rules(), lanes, actions.data(), range);
      ops.lanes_step(game.rules(), lanes, actions.data(), true, range);
    });
  }
  return states;
}

TABLETOP_TEST(lanes_do_not_depend_on_threads) {
  for (const GameOps* ops : fuzz::games()) {
    const fuzz::Game game = game_of(*ops);
    const std::vector<std::uint64_t> alone = lanes_after_steps(game, 1);
    for (const std::size_t threads : kTeams) {
      TABLETOP_CHECK(lanes_after_steps(game, threads) == alone);
    }
  }
}

}  // namespace

int main() { return tabletop::test::run(); }
