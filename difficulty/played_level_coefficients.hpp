#pragma once
/// \file  Coefficients of played_level.hpp, written by tools/fit-played-levels:
/// fitted to 1178 levels of a novelty each, best-target and 698 levels of a novelty each, random-target.
#include "difficulty/played_level.hpp"

namespace startle {

inline constexpr AlarmCalibration best_target_calibration{
    .intercept = 0.4176, .slope = 0.6978, .slope_of_rare = 1.0042};
inline constexpr AlarmCalibration random_target_calibration{
    .intercept = 0.0568, .slope = 0.8753, .slope_of_rare = 5.3041};

}  // namespace startle
