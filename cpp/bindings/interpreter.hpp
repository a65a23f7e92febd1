// Where native code lets go of the interpreter, and where it calls Python code.
//
// While a process ends, CPython before 3.14 stops every other thread where it next waits for the
// GIL, by pthread_exit(). On Linux that unwinds the thread's stack, and the destructors on the way
// would touch Python objects without the GIL. So all that may wait for the GIL, Python code among
// it, is called through or_stop(): there the unwinding ends, at the innermost frame and before
// anything is destroyed, and the thread sleeps until the process is gone; from 3.14 on, CPython
// does the same by itself.
#pragma once

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include <pybind11/pybind11.h>

namespace tabletop::python {

namespace py = pybind11;

// `call` may consist of C API calls only: they throw nothing, so what comes out is that unwinding.
template <class Call>
auto or_stop(Call&& call) {
  try {
    return std::forward<Call>(call)();
  } catch (...) {
    for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
  }
}

// A new reference from the C API, or the Python error that it left.
template <class Call>
py::object object_or_error(Call&& call) {
  PyObject* const result = or_stop(std::forward<Call>(call));
  if (result == nullptr) throw py::error_already_set();
  return py::reinterpret_steal<py::object>(result);
}

template <class... Arguments>
py::object call_python(py::handle callable, const Arguments&... arguments) {
  PyObject* const in_order[] = {nullptr, arguments.ptr()...};  // the first place is the callee's
  constexpr std::size_t kCount = sizeof...(arguments);
  return object_or_error([&] {
    return PyObject_Vectorcall(callable.ptr(), in_order + 1,
                               kCount | PY_VECTORCALL_ARGUMENTS_OFFSET, nullptr);
  });
}

// A name out of a module.
inline py::object imported(const char* module, const char* name) {
  const py::object source = object_or_error([&] { return PyImport_ImportModule(module); });
  return object_or_error([&] { return PyObject_GetAttrString(source.ptr(), name); });
}

// To be called where the failure of a C API call is looked into: forgets the Python error, if it is
// an Exception. Ctrl-C and the like go on.
inline void forget_error() {
  if (PyErr_Occurred() == nullptr) return;
  if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw py::error_already_set();
  PyErr_Clear();
}

// Runs `work` while other Python threads run. What it throws comes out when the GIL is back.
template <class Work>
void without_gil(Work&& work) {
  PyThreadState* const thread = PyEval_SaveThread();
  std::exception_ptr failure;
  try {
    std::forward<Work>(work)();
  } catch (...) {
    failure = std::current_exception();
  }
  or_stop([&] { PyEval_RestoreThread(thread); });
  if (failure) std::rethrow_exception(failure);
}

// Inside of without_gil(): whether nobody has pressed Ctrl-C. If not, a Python error is set.
inline bool nobody_interrupts() {
  return or_stop([] {
    const PyGILState_STATE before = PyGILState_Ensure();
    const bool quiet = PyErr_CheckSignals() == 0;
    PyGILState_Release(before);
    return quiet;
  });
}

}  // namespace tabletop::python
