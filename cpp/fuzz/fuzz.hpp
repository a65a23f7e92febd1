// What the harnesses share: choices made by the bytes of an input, the games, and what must hold at
// every position that a decoder accepts or an action leads to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tabletop/ops.hpp"

// The entry point that libFuzzer, or main.cpp without it, calls for every input.
// NOLINTNEXTLINE(readability-identifier-naming): the name is libFuzzer's
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace tabletop::fuzz {

// The bytes of an input as choices; when they are used up, every choice is the first.
class Input {
 public:
  Input(const std::uint8_t* bytes, std::size_t size) : bytes_(bytes, size) {}

  [[nodiscard]] bool empty() const { return bytes_.empty(); }

  std::uint8_t byte();
  // A number in 0 .. n - 1, n >= 1.
  std::size_t below(std::size_t n);
  template <class T>
  const T& one_of(const std::vector<T>& items) {
    return items[below(items.size())];
  }
  // All that is left.
  std::span<const std::uint8_t> rest();

 private:
  std::span<const std::uint8_t> bytes_;
};

const std::vector<const GameOps*>& games();

struct Game {
  const GameOps* ops;
  std::shared_ptr<const void> owned_rules;

  [[nodiscard]] const void* rules() const { return owned_rules.get(); }
  [[nodiscard]] int players() const { return ops->num_players(rules()); }
};

// A game with options that it declares as samples; none if these do not go together.
std::optional<Game> choose_game(Input& input);

class Position {
 public:
  explicit Position(const Game& game) : room_((game.ops->state_size + 7) / 8) {
    game.ops->initial_state(game.rules(), room_.data());
  }

  [[nodiscard]] void* at() { return room_.data(); }
  [[nodiscard]] const void* at() const { return room_.data(); }

  friend bool operator==(const Position&, const Position&) = default;

 private:
  std::vector<std::uint64_t> room_;
};

std::vector<std::uint8_t> encoded(const Game& game, const Position& position);

// What a harness does with an input.
void try_input(Input& input);

// Ends the process with the position and what it breaks, unless `holds`.
void require(bool holds, const char* law, const Game& game, const Position& position);

// The ids that can be applied here; they ascend and are the legal ones.
std::vector<Action> legal_ids(const Game& game, const Position& position);

// The position is valid and comes back from its bytes.
void check_bytes(const Game& game, const Position& position);

// That, and it comes back from its dict and can be shown to every seat.
void check_position(const Game& game, const Position& position);

// What is dealt anew is valid and looks the same to the seat.
void check_resample(const Game& game, const Position& position, Seat observer, Rng& rng);

// Plays the position to its end at random: that takes no longer than a game may, some positions on
// the way are checked, and the end is an end.
void check_course(const Game& game, Position position, Rng rng);

// The value with some of its parts changed, moved, exchanged, dropped or repeated.
Value edited(const Value& value, Input& input);

}  // namespace tabletop::fuzz
