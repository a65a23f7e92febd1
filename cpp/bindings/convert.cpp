#include "convert.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include <pybind11/stl.h>

#include "raw_calls.hpp"

namespace tabletop::python {

std::string shown(py::handle object) {
  const auto text =
      py::reinterpret_steal<py::object>(or_stop([&] { return PyObject_Repr(object.ptr()); }));
  if (!text) {
    forget_error();
    return "an object of type " + std::string(Py_TYPE(object.ptr())->tp_name);
  }
  return shortened(text);
}

std::string shortened(const py::object& text) {
  if (py::len(text) <= 60) return to_text(text, "text");
  return to_text(py::object(text[py::slice(0, 57, 1)]), "text") + "...";
}

std::string to_text(py::handle object, const char* what) {
  if (!PyUnicode_Check(object.ptr())) {
    throw ArgumentTypeError(std::string(what) + " is " + shown(object) + "; it must be a str");
  }
  // A lone surrogate has no UTF-8, and no name of anything has a backslash.
  return py::reinterpret_steal<py::bytes>(
      PyUnicode_AsEncodedString(object.ptr(), "utf-8", "backslashreplace"));
}

namespace {

// Any integer as an int, or nothing and no error. What an __index__ raises goes on, unless it says
// that the object is no integer.
py::object whole_number(py::handle object) {
  if (PyLong_CheckExact(object.ptr())) return py::reinterpret_borrow<py::object>(object);
  PyObject* const number = or_stop([&] { return PyNumber_Index(object.ptr()); });
  if (number == nullptr && PyErr_ExceptionMatches(PyExc_TypeError) == 0) {
    throw py::error_already_set();
  }
  if (number == nullptr) PyErr_Clear();
  return py::reinterpret_steal<py::object>(number);
}

// The same, or ArgumentTypeError.
py::object expect_whole_number(py::handle object, const char* what) {
  py::object number = whole_number(object);
  if (number) return number;
  throw ArgumentTypeError(std::string(what) + " is " + shown(object) + "; it must be an integer");
}

}  // namespace

Index to_index(py::handle object, const char* what) {
  const py::object number = expect_whole_number(object, what);
  int overflow = 0;
  const std::int64_t value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) return {.text = shown(number)};
  return {.fits = true, .value = value, .text = {}};
}

std::int64_t to_count(py::handle object, const char* what, std::int64_t low, std::int64_t high) {
  const Index index = to_index(object, what);
  if (!index.fits || index.value < low || index.value > high) {
    throw ArgumentError(std::string(what) + " is " + shown(object) + "; it must be " +
                        std::to_string(low) + ".." + std::to_string(high));
  }
  return index.value;
}

std::uint64_t to_u64(py::handle object, const char* what, std::uint64_t low) {
  const py::object whole = expect_whole_number(object, what);
  const std::uint64_t number = PyLong_AsUnsignedLongLong(whole.ptr());
  const bool fits = PyErr_Occurred() == nullptr;
  PyErr_Clear();
  if (!fits || number < low) {
    throw ArgumentError(std::string(what) + " is " + shown(object) + "; it must be " +
                        std::to_string(low) + "..2**64-1");
  }
  return number;
}

namespace {

constexpr int kMaxDepth = 16;  // deeper than any position; stops lists that hold themselves

bool is_mapping(py::handle object) {
  if (PyDict_Check(object.ptr()) != 0) return true;
  const py::object mapping = imported("collections.abc", "Mapping");
  const int answer = or_stop([&] { return PyObject_IsInstance(object.ptr(), mapping.ptr()); });
  if (answer < 0) forget_error();
  return answer > 0;
}

// The place of an item, as in position["tiles"][3].
std::string place_in(const std::string& place, const std::string& key) {
  return place + "[" + key + "]";
}

Value nested_value(py::handle object, const std::string& place, const Fail& fail, int depth) {
  PyObject* raw = object.ptr();
  if (depth > kMaxDepth) fail(place + " is nested too deeply");
  if (object.is_none()) return {};
  if (PyBool_Check(raw)) return {raw == Py_True};
  if (PyUnicode_Check(raw)) return {to_text(object, "text")};
  if (PyList_Check(raw) || PyTuple_Check(raw)) {
    Value::List list;
    const py::object items = object_or_error([&] { return PySequence_Tuple(raw); });
    for (const py::handle item : items) {
      list.push_back(
          nested_value(item, place_in(place, std::to_string(list.size())), fail, depth + 1));
    }
    return list;
  }
  if (PyLong_CheckExact(raw) == 0 && is_mapping(object)) {
    // A copy: reading a value may run Python code that changes the original.
    const py::object items = object_or_error([] { return PyDict_New(); });
    if (or_stop([&] { return PyDict_Update(items.ptr(), raw); }) != 0)
      throw py::error_already_set();
    Value::Dict dict;
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(items)) {
      if (!PyUnicode_Check(key.ptr())) {
        fail(place + " has the key " + shown(key) + "; keys are texts");
      }
      std::string name = to_text(key, "key");
      const std::string inner = place_in(place, tabletop::shown(Value(name)));
      dict.emplace_back(std::move(name), nested_value(item, inner, fail, depth + 1));
    }
    return dict;
  }
  // An array has __index__ too, and uses it for one number only.
  if (const py::object number = PyIndex_Check(raw) != 0 ? whole_number(object) : py::object()) {
    const Index index = to_index(number, "number");
    if (!index.fits) fail(place + " is " + index.text + ", which is out of every range");
    return {index.value};
  }
  fail(place + " is " + shown(object) + " of type " + Py_TYPE(raw)->tp_name +
       "; it must be an int, str, bool, None, list or dict");
  return {};
}

}  // namespace

Value to_value(py::handle object, const std::string& place, const Fail& fail) {
  return nested_value(object, place, fail, 0);
}

py::object to_python(const Value& value, Lists lists) {
  if (const bool* flag = value.flag()) return py::bool_(*flag);
  if (const std::int64_t* integer = value.integer()) return py::int_(*integer);
  if (const std::string* text = value.text()) return py::str(*text);
  if (const Value::List* items = value.list()) {
    if (lists == Lists::kAsTuples) {
      py::tuple tuple(items->size());
      for (std::size_t i = 0; i < items->size(); ++i) tuple[i] = to_python((*items)[i], lists);
      return tuple;
    }
    py::list list(items->size());
    for (std::size_t i = 0; i < items->size(); ++i) list[i] = to_python((*items)[i], lists);
    return list;
  }
  if (const Value::Dict* entries = value.dict()) {
    py::dict dict;
    for (const auto& [key, item] : *entries) dict[py::str(key)] = to_python(item, lists);
    return dict;
  }
  return py::none();
}

namespace {

template <class T>
constexpr const char* kTypeName = "";
template <>
constexpr const char* kTypeName<bool> = "bool";
template <>
constexpr const char* kTypeName<float> = "float32";
template <>
constexpr const char* kTypeName<std::int32_t> = "int32";

}  // namespace

template <class T>
py::array_t<T> new_array(Shape shape) {
  // What py::array_t's own constructor does, without its vectors for shape and strides.
  const py::detail::npy_api& numpy = py::detail::npy_api::get();
  PyObject* const type = py::dtype::of<T>().release().ptr();  // the call takes this reference
  PyObject* const array =
      numpy.PyArray_NewFromDescr_(numpy.PyArray_Type_, type, static_cast<int>(shape.size()),
                                  shape.begin(), nullptr, nullptr, 0, nullptr);
  if (array == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::array_t<T>>(array);
}

template py::array_t<double> new_array<double>(Shape);
template py::array_t<std::int64_t> new_array<std::int64_t>(Shape);

template <class T>
py::array_t<T> output_array(py::handle out, Shape shape) {
  if (!out || out.is_none()) return new_array<T>(shape);
  if (!py::isinstance<py::array_t<T>>(out)) {
    throw ArgumentTypeError("out is " + shown(out) + "; it must be a numpy array of " +
                            kTypeName<T>);
  }
  auto array = py::reinterpret_borrow<py::array_t<T>>(out);
  if (!std::ranges::equal(std::span(array.shape(), static_cast<std::size_t>(array.ndim())),
                          shape)) {
    throw ArgumentError("out has the shape " + shown(array.attr("shape")) + "; it must be " +
                        shown(py::tuple(py::cast(std::vector(shape)))));
  }
  if (!array.writeable() || (array.flags() & py::array::c_style) == 0) {
    throw ArgumentError("out is read-only or not contiguous; it must be writable and C-contiguous");
  }
  return array;
}

template py::array_t<bool> output_array<bool>(py::handle, Shape);
template py::array_t<float> output_array<float>(py::handle, Shape);
template py::array_t<std::int32_t> output_array<std::int32_t>(py::handle, Shape);

namespace {

// An attribute, or nothing where there is none or where reading it fails.
py::object attribute(py::handle object, const char* name) {
  PyObject* const found = or_stop([&] { return PyObject_GetAttrString(object.ptr(), name); });
  if (found == nullptr) forget_error();
  return py::reinterpret_steal<py::object>(found);
}

bool can_be_called(py::handle object) { return object && PyCallable_Check(object.ptr()) != 0; }

// The state of an Rng, if the object is one.
std::optional<Rng> rng_at(py::handle object) {
  const py::object state = attribute(object, "state");
  if (!state || !PyLong_Check(state.ptr())) return std::nullopt;
  const std::uint64_t bits = PyLong_AsUnsignedLongLong(state.ptr());
  const bool fits = PyErr_Occurred() == nullptr;
  PyErr_Clear();
  return fits ? std::optional<Rng>(bits) : std::nullopt;
}

// The stream of a generator that draws as a tc.Rng does. Other generators have a `state` too, so it
// has to prove itself, by a call that does not move it.
std::optional<Rng> stream_of(py::handle generator) {
  const std::optional<Rng> stream = rng_at(generator);
  const py::object split = attribute(generator, "split");
  if (!stream || !can_be_called(split) || !can_be_called(attribute(generator, "next_u64"))) {
    return std::nullopt;
  }
  try {
    const bool proved = rng_at(call_python(split, py::int_(0))) == stream->split(0);
    return proved ? stream : std::nullopt;
  } catch (const py::error_already_set& error) {
    if (!error.matches(PyExc_Exception)) throw;
    return std::nullopt;
  }
}

constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;

// 32 random bits from a generator that draws bounded integers.
std::uint64_t half_from_generator(py::handle below) {
  const py::object drawn = call_python(below, py::int_(kHalf));
  const Index index = to_index(drawn, "the number drawn by rng.below()");
  if (!index.below(kHalf)) {
    throw ArgumentError("rng.below(2**32) returned " + shown(drawn) + "; it must be below 2**32");
  }
  return static_cast<std::uint64_t>(index.value);
}

// 32 random bits from a callable that draws floats.
std::uint64_t half_from_callable(py::handle source) {
  const py::object drawn = call_python(source);
  const double value = or_stop([&] { return PyFloat_AsDouble(drawn.ptr()); });
  const bool fits = value >= 0.0 && value < 1.0;  // not so for NaN, nor for the -1 of an error
  if (!fits) {
    forget_error();
    throw ArgumentError("rng returned " + shown(drawn) + "; it must return floats in [0, 1)");
  }
  return static_cast<std::uint64_t>(value * static_cast<double>(kHalf));
}

}  // namespace

RandomSource::RandomSource(py::handle source) {
  static const PyTypeObject* const rng_type =
      reinterpret_cast<PyTypeObject*>(py::type::of<Rng>().ptr());
  if (Py_TYPE(source.ptr()) == rng_type) {
    held_.emplace(source);
    native_ = &value_of<Rng>(source.ptr());
    return;
  }
  const bool is_type = PyType_Check(source.ptr()) != 0;
  const py::object below = is_type ? py::object() : attribute(source, "below");
  if (can_be_called(below)) {
    if (const std::optional<Rng> stream = stream_of(source)) {
      original_ = py::reinterpret_borrow<py::object>(source);
      own_ = start_ = *stream;
      return;
    }
    const std::uint64_t high = half_from_generator(below);
    own_ = Rng(high << 32 | half_from_generator(below));
  } else if (!is_type && can_be_called(source)) {
    const std::uint64_t high = half_from_callable(source);
    own_ = Rng(high << 32 | half_from_callable(source));
  } else {
    throw ArgumentTypeError("rng is " + shown(source) +
                            "; it must be a tabletop_core.Rng or a callable that returns floats");
  }
}

void RandomSource::finish() const {
  if (!original_) return;
  for (Rng at = start_; at != own_; at.next_u64()) call_python(original_.attr("next_u64"));
  if (rng_at(original_) != own_) {
    throw ArgumentError("rng is " + shown(original_) +
                        "; it did not move as a tabletop_core.Rng does");
  }
}

}  // namespace tabletop::python
