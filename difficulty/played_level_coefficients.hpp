#pragma once
/// \file  Coefficients of played_level.hpp, written by tools/fit-played-levels:
/// fitted to 364 levels of a novelty each, best-target and 782 levels of a novelty each, random-target.
#include "difficulty/played_level.hpp"

namespace startle {

inline constexpr PlayFeatures played_best_weights{
    .alarms = 0.3386,
    .visible = 2.5842,
    .novel_objects = 0.2924,
    .moving = -0.7962,
    .birds_left = -0.7954,
};
inline constexpr double played_best_intercept = 0.3625;
inline constexpr PlayFeatures played_random_weights{
    .alarms = 0.4801,
    .visible = 1.7494,
    .novel_objects = 0.4672,
    .moving = -0.8574,
    .birds_left = -0.5946,
};
inline constexpr double played_random_intercept = 0.2702;

}  // namespace startle
