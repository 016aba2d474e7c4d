#pragma once
/// \file  The chance that the reference observer detects a novelty in a shot, by reasoning alone.
///
/// p = a + (1 - a) (1 - exp(-k c)) / (1 + exp(-(b + sum of w f)))
///
/// with a the chance of a false alarm, c the change of what is changed most, f the features of
/// detection_features.hpp and w their weights. Weights of evidence are not negative: more change is never less
/// likely detected. Where nothing is changed, p = a. Weights, b and k are fitted by tools/fit-detection to
/// shots that the reference observer (simulated/observer.hpp) judged.
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

/// What detection owes to one object.
struct DetectionShare {
  std::size_t object = 0;
  double share = 0;  ///< the chance less that without the object's change
};

/// Of a shot.
struct ShotDetection {
  double chance = false_alarm_chance;
  std::vector<DetectionShare> shares;  ///< over 0, the largest first; shares need not sum to the chance
};
ShotDetection shot_detection(const std::vector<ShotComparison::WeightedLaunch>& launches);

}  // namespace startle
