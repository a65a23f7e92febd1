#include <pybind11/numpy.h>

#include "bound.hpp"
#include "tabletop/version.hpp"

PYBIND11_MODULE(_core, module, pybind11::mod_gil_not_used()) {
  using namespace tabletop::python;
#if defined(__POPCNT__) && defined(__GNUC__)
  if (!__builtin_cpu_supports("popcnt")) {
    throw pybind11::import_error(
        "this build of tabletop_core needs a processor with the instruction popcnt; build it from "
        "source with --config-settings=cmake.define.TABLETOP_POPCNT=OFF");
  }
#endif
  module.doc() = "The native engine of tabletop_core.";
  module.attr("__version__") = TABLETOP_VERSION;
  // Loads numpy now; pybind11 would do so at the first array, and without or_stop().
  (void)pybind11::dtype::of<bool>();
  register_errors(module);
  register_rng(module);
  GameClass game = declare_game(module);
  StateClass state = declare_state(module);
  register_game(module, game);
  register_state(state);
  register_runs(module);
  register_batch(module);
}
