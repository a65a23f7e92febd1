// expect: PlainData
// A position with padding has bytes that mean nothing; it could be neither compared nor hashed.
#include <cstdint>

#include "tabletop/game.hpp"

struct State {
#ifdef TABLETOP_CONTROL
  std::uint32_t turn;
  std::uint32_t seat;
#else
  std::uint32_t turn;
  std::uint8_t seat;
#endif
};

static_assert(tabletop::PlainData<State>);
