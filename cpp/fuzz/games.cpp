// The only source that compiles the games.
#include "tabletop/games.hpp"

#include "fuzz.hpp"

namespace tabletop::fuzz {

const std::vector<const GameOps*>& games() {
  static const std::vector<const GameOps*> all = AllGames::ops();
  return all;
}

}  // namespace tabletop::fuzz
