#pragma once
/// \file  What the files that make up the compiled module share.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <atomic>
#include <vector>

#include "levels/stored_level.hpp"
#include "sim/runs.hpp"
#include "sim/shot.hpp"

namespace startle {

namespace py = pybind11;

template <typename T>
using Array = py::array_t<T, py::array::c_style>;

/// Ctrl-C while the engine works without the interpreter: asked from any thread, it is only ever seen by the
/// main one.
class PythonInterruption {
 public:
  /// For keep_going: false once Ctrl-C was pressed.
  bool none() {
    if (seen_) return false;
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) seen_ = true;
    return !seen_;
  }
  /// With the interpreter held again: goes on as Python does after Ctrl-C.
  void raise() const {
    if (seen_) throw py::error_already_set();
  }

 private:
  std::atomic<bool> seen_{false};
};

/// Rows of angle, stretch and tap time. Throws Error for another shape.
std::vector<Shot> shots_of(const Array<double>& rows);

/// The level at rest. Throws Error for one that cannot be used under the profile.
SettleResult level_at_rest(const StoredLevel& level, const std::string& profile_name);

/// Each adds its part of the module. Everything that a user touches is documented in python/startle/.
void add_clips(py::module_& module);
void add_environments(py::module_& module);
void add_levels(py::module_& module);
void add_measures(py::module_& module);
void add_statistics(py::module_& module);

}  // namespace startle
