// Games in which the bytes choose the game, its options and every action.
#include <algorithm>
#include <bit>

#include "fuzz.hpp"

namespace tabletop::fuzz {

void try_input(Input& input) {
  const std::optional<Game> game = choose_game(input);
  if (!game) return;
  const GameOps& ops = *game->ops;
  Position position(*game);
  Rng rng(input.byte());
  for (unsigned nodes = 0; !input.empty(); ++nodes) {
    const std::vector<Action> ids = legal_ids(*game, position);
    if (std::has_single_bit(nodes)) check_position(*game, position);
    check_bytes(*game, position);
    check_resample(*game, position,
                   static_cast<Seat>(input.below(static_cast<std::size_t>(game->players()))), rng);
    const Action probe = static_cast<Action>(input.below(2048)) - 1;
    require(
        ops.is_legal(game->rules(), position.at(), probe) == std::ranges::binary_search(ids, probe),
        "an id is legal exactly if it is listed", *game, position);
    if (ids.empty()) break;
    ops.apply(game->rules(), position.at(), input.one_of(ids));
  }
  check_position(*game, position);
}

}  // namespace tabletop::fuzz
