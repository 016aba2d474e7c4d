#pragma once
/// \file  Coefficients of detection_model.hpp, written by tools/fit-detection:
/// fitted to 30768 observed shots of 641 levels.
#include "difficulty/detection_features.hpp"

namespace startle {

inline constexpr DetectionFeatures detection_weights{
    .fall = 0.5221,
    .slide = 0.1038,
    .bounce = 0.4479,
    .glide = 0.2552,
    .turn = 0.2596,
    .fate = 0.8236,
    .unlike = 0.5151,
    .density = 0.9425,
    .more_friction = 0.0933,
    .less_friction = 0.6434,
    .restitution = 0.5455,
    .weight = 0.3676,
    .damping = 0.0424,
    .turning = 0.1595,
    .toughness = 0.2813,
    .push = 2.9972,
    .novel_mass = 0.5379,
    .bird_flight = 2.9690,
    .bird_kick = 0.3161,
    .moving = -0.2189,
    .flight_time = 0.4165,
    .impact_speed = 0.1871,
};
inline constexpr double detection_intercept = -1.7502;
/// k of the formula there.
inline constexpr double detection_reach = 17.1353;

}  // namespace startle
