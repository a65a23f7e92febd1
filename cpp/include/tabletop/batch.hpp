// Many games side by side, in lanes. A lane holds a position at a decision or at the end of a game,
// the legal actions there, and a generator of its own, with which chance is resolved inside.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tabletop/bools.hpp"
#include "tabletop/game.hpp"
#include "tabletop/playout.hpp"

namespace tabletop {

// Where the lanes live: an entry per lane in each array, or a row of one entry per seat.
struct Lanes {
  void* states;
  std::uint64_t* legal;  // ActionSet words, kWords per lane; empty at the end of a game
  Rng* rngs;
  Seat* players;     // the seat to act, or kTerminal
  double* rewards;   // what the last step brought
  double* returns;   // of the game that ended last in the lane
  bool* terminated;  // whether the last step ended a game
  bool* truncated;   // and by a cap on its length
};

// The lanes first .. first + count - 1.
struct LaneRange {
  std::size_t first, count;

  [[nodiscard]] std::size_t end() const { return first + count; }
};

template <GameRules G>
class LanesOf {
 public:
  using State = typename G::State;

  LanesOf(const G& game, const Lanes& lanes)
      : game_(game), lanes_(lanes), seats_(static_cast<std::size_t>(game.num_players())) {}

  // A new game in every lane.
  void start(LaneRange range) const noexcept {
    for (std::size_t i = range.first; i < range.end(); ++i) {
      state(i) = game_.initial_state();
      arrive(i);
    }
  }

  // To be called when the position of a lane has changed: on to the next decision, or to the end.
  void arrive(std::size_t i) const noexcept {
    const Seat player = resolve_chance(game_, state(i), lanes_.rngs[i]);
    lanes_.players[i] = player;
    ActionSet<G::kMaxActions> actions;
    if (player != kTerminal) game_.legal_actions(state(i), actions);
    std::ranges::copy(actions.words(), lanes_.legal + i * kWords);
  }

  // One legal action in each lane whose game is not over. A lane whose game ends starts anew at
  // once if `restart` is set, and stays at the end otherwise.
  void step(const Action* actions, bool restart, LaneRange range) const noexcept {
    std::fill_n(lanes_.rewards + range.first * seats_, range.count * seats_, 0.0);
    std::fill_n(lanes_.terminated + range.first, range.count, false);
    std::fill_n(lanes_.truncated + range.first, range.count, false);
    for (std::size_t i = range.first; i < range.end(); ++i) {
      if (lanes_.players[i] == kTerminal) continue;
      if (i + 2 < range.end()) fetch(i + 2);
      game_.apply(state(i), actions[i]);
      arrive(i);
      if (lanes_.players[i] != kTerminal) continue;
      lanes_.terminated[i] = true;
      lanes_.truncated[i] = game_.is_truncated(state(i));
      const std::span<double> rewards(lanes_.rewards + i * seats_, seats_);
      utilities(game_, state(i), rewards);
      std::ranges::copy(rewards, lanes_.returns + i * seats_);
      if (!restart) continue;
      state(i) = game_.initial_state();
      arrive(i);
    }
  }

  // A member of each lane's set of legal actions, as a uniform playout picks it; -1 where the game
  // is over.
  void sample(Action* actions, LaneRange range) const noexcept {
    for (std::size_t i = range.first; i < range.end(); ++i) {
      const std::uint64_t* const legal = lanes_.legal + i * kWords;
      int upto[kWords + 1] = {};  // how many are in the words before each
      for (std::size_t word = 0; word < kWords; ++word) {
        upto[word + 1] = upto[word] + count_bits(legal[word]);
      }
      actions[i] = -1;
      if (upto[kWords] == 0) continue;
      const int k = below(lanes_.rngs[i], upto[kWords]);
      std::size_t word = 0;
      for (std::size_t next = 1; next < kWords; ++next) word += k >= upto[next] ? 1 : 0;
      actions[i] = static_cast<Action>(64 * word) + select_bit(legal[word], k - upto[word]);
    }
  }

  // The first lane whose action is not legal there, or the end of the range.
  [[nodiscard]] std::size_t first_illegal(const Action* actions, LaneRange range) const noexcept {
    for (std::size_t i = range.first; i < range.end(); ++i) {
      if (lanes_.players[i] == kTerminal) continue;
      const auto id = static_cast<std::size_t>(actions[i]);
      const bool known = actions[i] >= 0 && id < 64 * kWords;
      if (!known || (lanes_.legal[i * kWords + id / 64] >> (id % 64) & 1) == 0) return i;
    }
    return range.end();
  }

  // The sets of legal actions as one bool per id, a row of `ids` for each lane.
  void masks(std::size_t ids, bool* rows, LaneRange range) const noexcept {
    const std::size_t padded = (ids + kBoolsAtOnce - 1) / kBoolsAtOnce * kBoolsAtOnce;
    const bool* const end = rows + range.end() * ids;
    for (std::size_t i = range.first; i < range.end(); ++i) {
      bool* const row = rows + i * ids;
      const std::uint64_t* const legal = lanes_.legal + i * kWords;
      if (static_cast<std::size_t>(end - row) >= padded) {  // the rows behind it come later
        write_bools(legal, padded, row);
      } else {
        bool bools[64 * kWords];
        write_bools(legal, padded, bools);
        std::copy_n(bools, ids, row);
      }
    }
  }

  // What the seats may know, a row of `size` numbers per lane; zeros for a seat below 0.
  void observe(const Seat* seats, float* tensor, std::size_t size, LaneRange range) const noexcept {
    for (std::size_t i = range.first; i < range.end(); ++i) {
      const std::span<float> row(tensor + i * size, size);
      if (seats[i] < 0) {
        std::ranges::fill(row, 0.0F);
      } else {
        game_.observe(state(i), seats[i], row);
      }
    }
  }

 private:
  static constexpr std::size_t kWords = ActionSet<G::kMaxActions>::kWords;

  // Many lanes are more than a cache holds: their positions are called for before they are needed.
  void fetch(std::size_t i) const {
#if defined(__GNUC__)
    const char* const bytes = reinterpret_cast<const char*>(&state(i));
    for (std::size_t at = 0; at < sizeof(State); at += 64) __builtin_prefetch(bytes + at, 1);
#endif
  }

  [[nodiscard]] State& state(std::size_t i) const { return static_cast<State*>(lanes_.states)[i]; }

  const G& game_;
  const Lanes& lanes_;
  std::size_t seats_;
};

}  // namespace tabletop
