// Python objects to and from the values of the library.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "tabletop/errors.hpp"
#include "tabletop/rng.hpp"
#include "tabletop/value.hpp"

namespace tabletop::python {

namespace py = pybind11;

// An argument of the wrong Python type.
struct ArgumentTypeError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// The object as a person would write it.
std::string shown(py::handle object);

// The object as text; `what` names the argument in the error.
std::string to_text(py::handle object, const char* what);

// Anything with __index__. Numbers beyond 64 bits stay what they are: out of every range.
struct Index {
  bool fits = false;  // in 64 signed bits
  std::int64_t value = 0;
  std::string text;  // as written, for messages
};
Index to_index(py::handle object, const char* what);

// An index in low..high, else ArgumentError.
std::int64_t to_count(py::handle object, const char* what, std::int64_t low, std::int64_t high);
// Any unsigned 64-bit number, else ArgumentError.
std::uint64_t to_u64(py::handle object, const char* what, std::uint64_t low = 0);

// Nested dicts, lists, tuples, texts, integers, flags and None; `fail` throws the fitting error.
using Fail = std::function<void(const std::string&)>;
Value to_value(py::handle object, const std::string& place, const Fail& fail);

enum class Lists { kAsLists, kAsTuples };
py::object to_python(const Value& value, Lists lists);

// An array to fill: the caller's, checked, or a new one.
template <class T>
py::array_t<T> output_array(const py::object& out, py::ssize_t size);

// What a call that needs random numbers was given: a tc.Rng, which it moves; or another generator
// with below(n), or a callable that returns floats in [0, 1): two of its numbers seed a generator
// for this call.
class RandomSource {
 public:
  explicit RandomSource(py::handle source);
  Rng& rng() { return borrowed_ != nullptr ? *borrowed_ : own_; }

 private:
  Rng* borrowed_ = nullptr;
  Rng own_{0};
};

}  // namespace tabletop::python
