// Python objects to and from the values of the library.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include <pybind11/critical_section.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include "interpreter.hpp"
#include "tabletop/errors.hpp"
#include "tabletop/rng.hpp"
#include "tabletop/value.hpp"

namespace tabletop::python {

// An argument of the wrong Python type.
struct ArgumentTypeError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// A lane that the batch does not have.
struct LaneError : std::out_of_range {
  using std::out_of_range::out_of_range;
};

// The object as a person would write it.
std::string shown(py::handle object);
// As much of a str as one can read.
std::string shortened(const py::object& text);

// The object as text; `what` names the argument in the error.
std::string to_text(py::handle object, const char* what);

// Anything with __index__. Numbers beyond 64 bits stay what they are: out of every range.
struct Index {
  bool fits = false;  // in 64 signed bits
  std::int64_t value = 0;
  std::string text;  // as written, if it does not fit

  [[nodiscard]] bool is(std::int64_t number) const { return fits && value == number; }
  [[nodiscard]] bool below(std::int64_t count) const { return fits && value >= 0 && value < count; }
  [[nodiscard]] std::string written() const { return fits ? std::to_string(value) : text; }
};
Index to_index(py::handle object, const char* what);

// An index in low..high, else ArgumentError.
std::int64_t to_count(py::handle object, const char* what, std::int64_t low, std::int64_t high);
// Any unsigned 64-bit number, else ArgumentError.
std::uint64_t to_u64(py::handle object, const char* what, std::uint64_t low = 0);

// Nested dicts, lists, tuples, texts, integers, flags and None; `fail` throws the fitting error.
using Fail = std::function<void(const std::string&)>;
Value to_value(py::handle object, const std::string& place, const Fail& fail);

enum class Lists : std::uint8_t { kAsLists, kAsTuples };
py::object to_python(const Value& value, Lists lists);

using Shape = std::initializer_list<py::ssize_t>;

// A new array, not filled.
template <class T>
py::array_t<T> new_array(Shape shape);

// An array to fill: the caller's, checked, or a new one where it gave none or None.
template <class T>
py::array_t<T> output_array(py::handle out, Shape shape);

// What a call that needs random numbers was given, and the generator that it draws from:
// - a tc.Rng: that one;
// - any other Rng of the protocol, such as the reference engine's: a copy, and finish() moves the
//   original as far as the copy has moved;
// - a generator with below(n) alone, or a callable that returns floats in [0, 1): one that is
//   seeded by two of their numbers.
class RandomSource {
 public:
  explicit RandomSource(py::handle source);
  Rng& rng() { return native_ != nullptr ? *native_ : own_; }
  // To be called after the last draw and before anything is changed, for it may fail.
  void finish() const;

 private:
  std::optional<py::scoped_critical_section> held_;  // the native one, where there is no GIL
  Rng* native_ = nullptr;
  py::object original_;
  Rng start_{0};
  Rng own_{0};
};

}  // namespace tabletop::python
