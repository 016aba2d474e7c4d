#pragma once
/// \file  Coefficients of detection_model.hpp, written by tools/fit-detection:
/// fitted to 18287 judged shots of 381 levels.
#include "difficulty/detection_features.hpp"

namespace startle {

inline constexpr DetectionFeatures detection_weights{
    .fall = 0.6006,
    .slide = 0.1087,
    .bounce = 0.5807,
    .glide = 0.3416,
    .turn = 0.2610,
    .kick = 0.0305,
    .fate = 0.5865,
    .unlike = 1.2461,
    .density = 1.1721,
    .friction = 0.4683,
    .restitution = 0.6056,
    .weight = 0.4107,
    .damping = 0.1516,
    .turning = 0.2635,
    .toughness = 0.2227,
    .push = 4.2279,
    .surest = 0.7016,
    .novel_moving = 0.4278,
    .novel_drop = 0.3554,
    .novel_touched = 0.3322,
    .novel_contacts = 0.0540,
    .bird_flight = 3.4963,
    .bird_apart = 0.4841,
    .bird_kick = 0.2523,
    .moving = -0.7087,
    .dying = 0.0259,
    .flight_time = 0.6269,
    .impact_speed = 1.0627,
    .contacts = -0.2359,
    .impact_down = 0.1157,
};
inline constexpr double detection_intercept = -4.4683;
/// Of `change`.
inline constexpr double detection_reach = 14.6465;

}  // namespace startle
