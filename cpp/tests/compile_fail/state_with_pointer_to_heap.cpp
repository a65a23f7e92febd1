// expect: PlainData
// A position may own nothing: it is copied as bytes.
#include <cstdint>
#include <vector>

#include "tabletop/game.hpp"

struct State {
#ifdef TABLETOP_CONTROL
  std::uint8_t hand[5];
#else
  std::vector<std::uint8_t> hand;
#endif
};

static_assert(tabletop::PlainData<State>);
