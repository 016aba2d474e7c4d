#pragma once
/// \file  Coefficients of played_level.hpp, written by tools/fit-played-levels:
/// fitted to 644 levels of a novelty each, best-target and 1062 levels of a novelty each, random-target.
#include "difficulty/played_level.hpp"

namespace startle {

inline constexpr PlayFeatures played_best_weights{
    .alarms = 0.3244,
    .visible = 2.2131,
    .novel_objects = 0.1588,
    .moving = -0.8321,
    .birds_left = -0.5131,
};
inline constexpr double played_best_intercept = 0.7042;
inline constexpr PlayFeatures played_random_weights{
    .alarms = 0.4478,
    .visible = 1.8195,
    .novel_objects = 0.4360,
    .moving = -0.8822,
    .birds_left = -0.4041,
};
inline constexpr double played_random_intercept = 0.3238;

}  // namespace startle
