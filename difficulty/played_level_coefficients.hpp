#pragma once
/// \file  Coefficients of played_level.hpp, written by tools/fit-played-levels:
/// fitted to 782 levels of a novelty each, best-target and 1062 levels of a novelty each, random-target.
#include "difficulty/played_level.hpp"

namespace startle {

inline constexpr PlayFeatures played_best_weights{
    .alarms = 0.3221,
    .visible = 2.0125,
    .novel_objects = 0.1446,
    .moving = -0.8245,
    .birds_left = -0.4394,
};
inline constexpr double played_best_intercept = 0.7649;
inline constexpr PlayFeatures played_random_weights{
    .alarms = 0.4478,
    .visible = 1.8195,
    .novel_objects = 0.4360,
    .moving = -0.8822,
    .birds_left = -0.4041,
};
inline constexpr double played_random_intercept = 0.3238;

}  // namespace startle
