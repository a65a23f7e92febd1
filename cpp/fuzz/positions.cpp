// Positions from outside: bytes, and edits of the bytes and of the dict of a position that a random
// game led to. What is accepted must be a position that can be played to its end.
#include <algorithm>

#include "fuzz.hpp"

namespace tabletop::fuzz {

namespace {

// Some way into a random game.
Position wandered(const Game& game, std::size_t nodes, Rng& rng) {
  Position position(game);
  const GameOps& ops = *game.ops;
  for (; nodes > 0; --nodes) {
    const Seat player = ops.current_player(game.rules(), position.at());
    if (player == kTerminal) break;
    const Action id = player == kChance ? ops.pick_outcome(game.rules(), position.at(), rng)
                                        : ops.pick_action(game.rules(), position.at(), rng);
    ops.apply(game.rules(), position.at(), id);
  }
  return position;
}

void edit(std::vector<std::uint8_t>& bytes, Input& input) {
  if (bytes.empty()) return;
  std::uint8_t& one = bytes[input.below(bytes.size())];
  std::uint8_t& other = bytes[input.below(bytes.size())];
  switch (input.below(7)) {
    case 0:
      one = input.byte();
      break;
    case 1:
      ++one;
      break;
    case 2:
      --one;
      break;
    case 3:
      --one, ++other;
      break;
    case 4:
      std::swap(one, other);
      break;
    case 5:
      bytes.erase(bytes.begin() + (&one - bytes.data()));
      break;
    default:
      bytes.insert(bytes.begin() + (&one - bytes.data()), input.byte());
  }
}

void check_accepted(const Game& game, const Position& position, Rng& rng) {
  check_position(game, position);
  for (Seat seat = 0; seat < game.players(); ++seat) check_resample(game, position, seat, rng);
  check_course(game, position, rng);
}

void try_bytes(const Game& game, std::span<const std::uint8_t> bytes, Rng& rng) {
  Position position(game);
  try {
    ByteReader reader(bytes);
    game.ops->decode(game.rules(), reader, position.at());
    reader.finish();
  } catch (const PositionError&) {
    return;
  }
  require(std::ranges::equal(encoded(game, position), bytes), "it is written as it was read", game,
          position);
  check_accepted(game, position, rng);
}

void try_dict(const Game& game, const Value& dict, Rng& rng) {
  Position position(game);
  try {
    game.ops->from_dict(game.rules(), dict, position.at());
  } catch (const PositionError&) {
    return;
  }
  check_accepted(game, position, rng);
}

}  // namespace

void try_input(Input& input) {
  const std::optional<Game> game = choose_game(input);
  if (!game) return;
  const std::size_t way = input.below(3);
  Rng rng(input.byte());
  if (way == 0) return try_bytes(*game, input.rest(), rng);
  const Position position = wandered(*game, input.below(512), rng);
  if (way == 1) {
    std::vector<std::uint8_t> changed = encoded(*game, position);
    for (std::size_t edits = 1 + input.below(4); edits > 0; --edits) edit(changed, input);
    try_bytes(*game, changed, rng);
  } else {
    const Value dict = game->ops->to_dict(game->rules(), position.at());
    try_dict(*game, edited(dict, input), rng);
  }
}

}  // namespace tabletop::fuzz
