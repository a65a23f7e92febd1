// expect: Playable
// Rules are called in loops that expect no exception; apply() must be noexcept.
#include "tabletop/games/indigo.hpp"

class Careless : public tabletop::Indigo {
 public:
  using Indigo::Indigo;
  void apply(State& state, tabletop::Action action) const
#ifdef TABLETOP_CONTROL
      noexcept
#endif
  {
    Indigo::apply(state, action);
  }
};

static_assert(tabletop::Playable<Careless>);
