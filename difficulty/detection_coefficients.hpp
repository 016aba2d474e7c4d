#pragma once
/// \file  Coefficients of detection_model.hpp, written by tools/fit-detection:
/// fitted to 30768 observed shots of 641 levels.
#include "difficulty/detection_features.hpp"

namespace startle {

inline constexpr DetectionFeatures detection_weights{
    .fall = 0.4562,
    .slide = 0.0397,
    .bounce = 0.3028,
    .glide = 0.1856,
    .turn = 0.1424,
    .kick = 0.0293,
    .fate = 0.8233,
    .unlike = 0.5594,
    .density = 0.8368,
    .friction = 0.3545,
    .restitution = 0.6923,
    .weight = 0.3542,
    .damping = 0.0789,
    .turning = 0.1813,
    .toughness = 0.2839,
    .push = 2.9822,
    .surest = 0.0472,
    .novel_moving = 0.3624,
    .novel_drop = 0.1474,
    .novel_touched = 0.1987,
    .bird_flight = 2.9608,
    .bird_apart = 0.4818,
    .bird_kick = 0.1585,
    .moving = -0.2381,
    .dying = 0.0101,
    .flight_time = 0.7235,
    .impact_speed = 0.4420,
    .contacts = -0.1949,
    .impact_down = -0.3832,
};
inline constexpr double detection_intercept = -2.1058;
/// k of the formula there.
inline constexpr double detection_reach = 16.3579;

}  // namespace startle
