#include <cstdio>

#include "bound.hpp"
#include "raw_calls.hpp"

namespace tabletop::python {

namespace {

// Makes a whole generator, as there would otherwise be one without a state between __new__ and
// __init__; pybind11 ignores an __init__ of what has its value already.
PyObject* new_rng(PyTypeObject* /*type*/, PyObject* args, PyObject* kwargs) {
  char name[] = "seed";
  char* names[] = {name, nullptr};
  PyObject* seed = nullptr;
  if (PyArg_ParseTupleAndKeywords(args, kwargs, "O:Rng", names, &seed) == 0) return nullptr;
  return or_error([&] { return py::cast(Rng(to_u64(seed, "seed"))).release().ptr(); });
}

PyObject* next_u64(PyObject* self, PyObject* /*none*/) {
  return PyLong_FromUnsignedLongLong(value_of<Rng>(self).next_u64());
}

PyObject* below(PyObject* self, PyObject* const* values, Py_ssize_t count, PyObject* names) {
  static constexpr Parameters<1> kParameters{"below", {"n"}};
  return or_error([&] {
    const auto [n] = kParameters.read({values, count, names});
    const std::uint64_t bound = to_u64(n, "n", 1);
    return PyLong_FromUnsignedLongLong(value_of<Rng>(self).below(bound));
  });
}

PyMethodDef raw_calls[] = {
    raw_method<&next_u64>("next_u64",
                          "next_u64($self, /)\n--\n\n"
                          "The next number in [0, 2**64)."),
    raw_method<&below>("below",
                       "below($self, /, n)\n--\n\n"
                       "An unbiased number in [0, n), n >= 1."),
    {},
};

void set_up_rng(PyHeapTypeObject* heap_type) {
  heap_type->ht_type.tp_new = &new_rng;
  heap_type->ht_type.tp_methods = raw_calls;
}

}  // namespace

void register_rng(const py::module_& module) {
  py::class_<Rng> bound(
      module, "Rng", py::is_final(), py::custom_type_setup(&set_up_rng),
      "A stream of random numbers: splitmix64, 8 bytes, the same on every platform.\n\n"
      "Each call with an example: see tabletop_core.protocol.Rng.\n\n"
      ">>> Rng(7).next_u64() == Rng(7).next_u64()\nTrue");
  bound
      .def(py::init([](const py::object& seed) { return Rng(to_u64(seed, "seed")); }),
           py::arg("seed"))
      .def_property_readonly(
          "state", [](const Rng& rng) { return rng.state(); }, "The eight bytes, as an int.")
      .def(
          "split", [](const Rng& rng, const py::object& i) { return rng.split(to_u64(i, "i")); },
          py::arg("i"), "Independent stream i of this generator, which does not move.")
      .def(
          "__eq__",
          [](const Rng& rng, const py::object& other) -> py::object {
            if (!py::isinstance<Rng>(other))
              return py::reinterpret_borrow<py::object>(Py_NotImplemented);
            return py::bool_(rng == other.cast<const Rng&>());
          },
          py::arg("other"))
      .def("__repr__",
           [](const Rng& rng) {
             char text[32];
             std::snprintf(text, sizeof text, "Rng(0x%016llx)",
                           static_cast<unsigned long long>(rng.state()));
             return std::string(text);
           })
      .def("__copy__", [](const Rng& rng) { return rng; })
      .def(
          "__deepcopy__", [](const Rng& rng, const py::dict& /*memo*/) { return rng; },
          py::arg("memo"))
      .def("__reduce__", [](const Rng& rng) {
        return py::make_tuple(py::type::of<Rng>(), py::make_tuple(rng.state()));
      });
  seal(bound);
}

}  // namespace tabletop::python
