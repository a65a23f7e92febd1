#include "bound.hpp"
#include "tabletop/version.hpp"

PYBIND11_MODULE(_core, module, pybind11::mod_gil_not_used()) {
  using namespace tabletop::python;
  module.doc() = "The native engine of tabletop_core.";
  module.attr("__version__") = TABLETOP_VERSION;
  register_errors(module);
  register_rng(module);
  register_game(module);
  register_state(module);
  register_runs(module);
}
