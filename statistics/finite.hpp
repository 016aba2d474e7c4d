#pragma once
/// \file  A check that all functions of this module share.
#include <cmath>
#include <span>
#include <string>

#include "core/error.hpp"

namespace startle {

/// Throws Error, naming `what`, when a value is not finite.
inline void check_finite(const char* what, std::span<const double> values) {
  for (double value : values)
    if (!std::isfinite(value))
      throw Error(std::string(what) + ": found value " + std::to_string(value) +
                  ", allowed are finite numbers");
}

}  // namespace startle
