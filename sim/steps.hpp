#pragma once
/// \file  Times in steps of the simulation.
#include <cmath>

namespace startle {

/// The first step at or after a time. `seconds`: at least 0; `step`: seconds a step, more than 0
/// (Profile::step).
inline int steps_for(double seconds, double step) {
  return static_cast<int>(std::ceil(seconds / step - 1e-9));
}

}  // namespace startle
