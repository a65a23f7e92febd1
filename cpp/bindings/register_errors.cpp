#include "bound.hpp"

namespace tabletop::python {

namespace {

// The classes live in Python, where both engines raise them.
void raise(const char* name, const std::exception& error) {
  py::set_error(imported("tabletop_core.errors", name), error.what());
}

}  // namespace

void register_errors(py::module_& /*module*/) {
  // NOLINTNEXTLINE(performance-unnecessary-value-param): pybind11 says what a translator takes
  py::register_local_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const IllegalActionError& error) {
      raise("IllegalActionError", error);
    } catch (const OptionError& error) {
      raise("OptionError", error);
    } catch (const UnknownGameError& error) {
      raise("UnknownGameError", error);
    } catch (const PositionError& error) {
      raise("PositionError", error);
    } catch (const ArgumentError& error) {
      raise("ArgumentError", error);
    } catch (const LaneError& error) {
      raise("LaneError", error);
    } catch (const ArgumentTypeError& error) {
      raise("ArgumentTypeError", error);
    }
  });
}

}  // namespace tabletop::python
