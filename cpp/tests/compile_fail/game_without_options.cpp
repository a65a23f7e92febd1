// expect: Declared
// A game states its options, even if there are none to choose.
#include "tabletop/games/indigo.hpp"

class Unstated : public tabletop::Indigo {
 public:
  using Indigo::Indigo;
#ifndef TABLETOP_CONTROL
  template <class Visitor>
  static void visit_options(Visitor& visit) = delete;
#endif
};

static_assert(tabletop::Declared<Unstated>);
