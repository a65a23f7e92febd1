// Methods as plain functions of the C API, for calls that are made so often that the general
// binding would cost more than what they do. They are put into a class before it is completed, so
// Python itself checks the type of `self`.
#pragma once

#include <array>
#include <string>

#include <pybind11/critical_section.h>
#include <pybind11/pybind11.h>

#include "convert.hpp"

namespace tabletop::python {

// The C++ object in an instance of its class, which must be final: then there is nothing else.
template <class T>
T& value_of(PyObject* self) {
  return *static_cast<T*>(reinterpret_cast<py::detail::instance*>(self)->simple_value_holder[0]);
}

// What `work` returns, or null with the Python error for what it throws.
template <class Work>
PyObject* or_error(Work&& work) {
  try {
    return std::forward<Work>(work)();
  } catch (...) {
    py::detail::try_translate_exceptions();
    return nullptr;
  }
}

inline PyObject* new_none() { return Py_NewRef(Py_None); }
inline PyObject* new_bool(bool flag) { return Py_NewRef(flag ? Py_True : Py_False); }

// What a call was given: first the values without a name, then those that `names` names.
struct Given {
  PyObject* const* values;
  Py_ssize_t count;
  PyObject* names;
};

template <std::size_t N>
struct Parameters {
  const char* call;
  std::array<const char*, N> names;
  std::size_t required = N;

  // The values in the order of the parameters; null for one that is not given.
  [[nodiscard]] std::array<PyObject*, N> read(const Given& given) const {
    std::array<PyObject*, N> values{};
    const auto count = static_cast<std::size_t>(given.count);
    if (count > N) {
      fail("takes at most " + std::to_string(N) + " arguments, and " + std::to_string(count) +
           " are given");
    }
    for (std::size_t i = 0; i < count; ++i) values[i] = given.values[i];
    if (given.names != nullptr) read_named(given, values);
    for (std::size_t i = count; i < required; ++i) {
      if (values[i] == nullptr) fail("lacks the argument '" + std::string(names[i]) + "'");
    }
    return values;
  }

 private:
  void read_named(const Given& given, std::array<PyObject*, N>& values) const {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given.names); ++i) {
      PyObject* const name = PyTuple_GET_ITEM(given.names, i);
      std::size_t place = 0;
      while (place < N && PyUnicode_CompareWithASCIIString(name, names[place]) != 0) ++place;
      if (place == N) fail("has no parameter " + shown(name));
      if (values[place] != nullptr) fail("got '" + std::string(names[place]) + "' twice");
      values[place] = given.values[given.count + i];
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw py::type_error(std::string(call) + "() " + what);
  }
};

// The rows of a method table. A docstring begins with the signature, as Python's own do. Where
// there is no GIL, self is held during the call.
using RawCall = PyObject* (*)(PyObject* self, PyObject* const* values, Py_ssize_t count,
                              PyObject* names);
template <PyCFunction Call>
PyMethodDef raw_method(const char* name, const char* doc) {
  const PyCFunction call = [](PyObject* self, PyObject* none) {
    const py::scoped_critical_section held(self);
    return Call(self, none);
  };
  return {name, call, METH_NOARGS, doc};
}
template <RawCall Call>
PyMethodDef raw_method(const char* name, const char* doc) {
  const RawCall call = [](PyObject* self, PyObject* const* values, Py_ssize_t count,
                          PyObject* names) {
    const py::scoped_critical_section held(self);
    return Call(self, values, count, names);
  };
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(call)),
          METH_FASTCALL | METH_KEYWORDS, doc};
}

}  // namespace tabletop::python
