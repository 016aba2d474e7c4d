#pragma once
/// \file  Coefficients of played_level.hpp, written by tools/fit-played-levels:
/// fitted to 1178 levels of a novelty each, best-target and 602 levels of a novelty each, random-target.
#include "difficulty/played_level.hpp"

namespace startle {

inline constexpr AlarmCalibration best_target_calibration{
    .intercept = 0.4176, .slope = 0.6978, .slope_of_rare = 1.0042};
inline constexpr AlarmCalibration random_target_calibration{
    .intercept = 0.0899, .slope = 0.8923, .slope_of_rare = 5.4529};

}  // namespace startle
