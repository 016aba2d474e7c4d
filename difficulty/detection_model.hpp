#pragma once
/// \file  The chance that the reference observer detects a novelty in a shot, by reasoning alone.
///
/// p = a + (1 - a) (1 - exp(-k c)) exp(-exp(-(b + sum of w f)))
///
/// which is the log-log link (McCullagh and Nelder, Generalized Linear Models, 1989, §4.3) above false
/// alarms, with a the chance of a false alarm, c the change of what is changed most, f the features of
/// detection_features.hpp and w their weights. Weights of evidence are not negative: more change is never
/// less likely detected. Where nothing is changed, p = a. Weights, b and k are fitted by tools/fit-detection
/// to shots that the reference observer (simulated/observer.hpp) tested.
#include <vector>

#include "difficulty/detection_features.hpp"

namespace startle {

/// Share of normal shots that the observer takes for novel ones: it detects at p <= 0.05.
inline constexpr double false_alarm_chance = 0.05;
/// Launches are off the announced one by aim noise of that standard deviation, rad: the observer's.
inline constexpr double detection_aim_noise = 0.01;
/// Strengths of novelties that the model was fitted on: at others it extrapolates.
inline constexpr double least_fitted_strength = 0.25, greatest_fitted_strength = 4;

/// In [false_alarm_chance, 1].
double detection_chance(const DetectionFeatures& features);

/// One object's part in a detection.
struct DetectionByObject {
  std::size_t object = 0;
  double alone = 0;  ///< the chance, were no other object changed
};

/// Of a shot.
struct ShotDetection {
  double chance = false_alarm_chance;
  std::vector<DetectionByObject> objects;  ///< that change something, the most likely detected first; empty
                                           ///< unless asked for
};
std::vector<DetectionByObject> detection_by_object(const std::vector<LaunchChange>& launches);

}  // namespace startle
