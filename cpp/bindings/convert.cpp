#include "convert.hpp"

#include <cmath>

namespace tabletop::python {

std::string shown(py::handle object) {
  py::object text = py::reinterpret_steal<py::object>(PyObject_Repr(object.ptr()));
  if (!text) {
    PyErr_Clear();
    return "an object of type " + std::string(Py_TYPE(object.ptr())->tp_name);
  }
  const bool long_text = py::len(text) > 60;
  if (long_text) text = text[py::slice(0, 57, 1)];
  return to_text(text, "text") + (long_text ? "..." : "");
}

std::string to_text(py::handle object, const char* what) {
  if (!PyUnicode_Check(object.ptr())) {
    throw ArgumentTypeError(std::string(what) + " is " + shown(object) + "; it must be a str");
  }
  // A lone surrogate has no UTF-8; such a text is no name of anything, so any mark will do.
  return py::reinterpret_steal<py::bytes>(
      PyUnicode_AsEncodedString(object.ptr(), "utf-8", "replace"));
}

Index to_index(py::handle object, const char* what) {
  Index index;
  PyObject* number = object.ptr();
  py::object converted;
  if (!PyLong_CheckExact(number)) {
    converted = py::reinterpret_steal<py::object>(PyNumber_Index(number));
    if (!converted) {
      PyErr_Clear();
      throw ArgumentTypeError(std::string(what) + " is " + shown(object) +
                              "; it must be an integer");
    }
    number = converted.ptr();
  }
  int overflow = 0;
  index.value = PyLong_AsLongLongAndOverflow(number, &overflow);
  index.fits = overflow == 0;
  if (!index.fits) index.text = shown(number);
  return index;
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
  const Index index = to_index(object, what);
  std::uint64_t number = static_cast<std::uint64_t>(index.value);
  bool fits = index.fits && index.value >= 0;
  if (!index.fits) {
    const auto whole = py::reinterpret_steal<py::object>(PyNumber_Index(object.ptr()));
    number = PyLong_AsUnsignedLongLong(whole.ptr());
    fits = PyErr_Occurred() == nullptr;
    PyErr_Clear();
  }
  if (!fits || number < low) {
    throw ArgumentError(std::string(what) + " is " + shown(object) + "; it must be " +
                        std::to_string(low) + "..2**64-1");
  }
  return number;
}

namespace {

constexpr int kMaxDepth = 16;  // deeper than any position; stops lists that hold themselves

Value nested_value(py::handle object, const std::string& place, const Fail& fail, int depth) {
  PyObject* raw = object.ptr();
  if (depth > kMaxDepth) fail(place + " is nested too deeply");
  if (object.is_none()) return {};
  if (PyBool_Check(raw)) return {raw == Py_True};
  if (PyUnicode_Check(raw)) return {to_text(object, "text")};
  if (PyList_Check(raw) || PyTuple_Check(raw)) {
    Value::List list;
    const auto items = py::reinterpret_steal<py::object>(PySequence_Tuple(raw));
    for (const py::handle item : items) {
      list.push_back(
          nested_value(item, place + "[" + std::to_string(list.size()) + "]", fail, depth + 1));
    }
    return list;
  }
  if (PyDict_Check(raw) || py::hasattr(object, "keys")) {
    Value::Dict dict;
    const py::dict items = py::reinterpret_borrow<py::object>(object);
    for (const auto& [key, item] : items) {
      if (!PyUnicode_Check(key.ptr()))
        fail(place + " has the key " + shown(key) + "; keys are texts");
      std::string name = to_text(key, "key");
      std::string inner = place + "[\"" + name + "\"]";
      dict.emplace_back(std::move(name), nested_value(item, inner, fail, depth + 1));
    }
    return dict;
  }
  const auto number =
      py::reinterpret_steal<py::object>(PyIndex_Check(raw) != 0 ? PyNumber_Index(raw) : nullptr);
  PyErr_Clear();  // an array has __index__ too, and uses it for one number only
  if (number) {
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

template <class T>
py::array_t<T> output_array(const py::object& out, py::ssize_t size) {
  if (out.is_none()) return py::array_t<T>(size);
  const std::string type = py::str(py::dtype::of<T>());
  if (!py::isinstance<py::array_t<T>>(out)) {
    throw ArgumentTypeError("out is " + shown(out) + "; it must be a numpy array of " + type);
  }
  auto array = py::reinterpret_borrow<py::array_t<T>>(out);
  if (array.ndim() != 1 || array.shape(0) != size) {
    throw ArgumentError("out has the shape " + shown(array.attr("shape")) + "; it must be (" +
                        std::to_string(size) + ",)");
  }
  if (!array.writeable() || (array.flags() & py::array::c_style) == 0) {
    throw ArgumentError("out is read-only or not contiguous; it must be writable and C-contiguous");
  }
  return array;
}

template py::array_t<bool> output_array<bool>(const py::object&, py::ssize_t);
template py::array_t<float> output_array<float>(const py::object&, py::ssize_t);

namespace {

constexpr std::uint64_t kHalf = std::uint64_t{1} << 32;

// 32 random bits from a generator that draws bounded integers.
std::uint64_t half_from_generator(const py::object& below) {
  const py::object drawn = below(kHalf);
  const Index index = to_index(drawn, "the number drawn by rng.below()");
  if (!index.fits || index.value < 0 || static_cast<std::uint64_t>(index.value) >= kHalf) {
    throw ArgumentError("rng.below(2**32) returned " + shown(drawn) + "; it must be below 2**32");
  }
  return static_cast<std::uint64_t>(index.value);
}

// 32 random bits from a callable that draws floats.
std::uint64_t half_from_callable(py::handle source) {
  const py::object drawn = source();
  const double value = PyFloat_AsDouble(drawn.ptr());
  if (PyErr_Occurred() != nullptr || !(value >= 0.0 && value < 1.0)) {
    PyErr_Clear();
    throw ArgumentError("rng returned " + shown(drawn) + "; it must return floats in [0, 1)");
  }
  return static_cast<std::uint64_t>(value * static_cast<double>(kHalf));
}

}  // namespace

RandomSource::RandomSource(py::handle source) {
  if (py::isinstance<Rng>(source)) {
    borrowed_ = &source.cast<Rng&>();
    return;
  }
  const bool is_type = PyType_Check(source.ptr()) != 0;
  const py::object below = py::getattr(source, "below", py::none());
  if (!is_type && PyCallable_Check(below.ptr()) != 0) {
    const std::uint64_t high = half_from_generator(below);
    own_ = Rng(high << 32 | half_from_generator(below));
  } else if (!is_type && PyCallable_Check(source.ptr()) != 0) {
    const std::uint64_t high = half_from_callable(source);
    own_ = Rng(high << 32 | half_from_callable(source));
  } else {
    throw ArgumentTypeError("rng is " + shown(source) +
                            "; it must be a tabletop_core.Rng or a callable that returns floats");
  }
}

}  // namespace tabletop::python
