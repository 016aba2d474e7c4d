#include "difficulty/detection_model.hpp"

#include <algorithm>

#include "core/math.hpp"
#include "difficulty/detection_coefficients.hpp"

namespace startle {

double detection_chance(const DetectionFeatures& features) {
  double evidence = detection_intercept;
  for (const DetectionFeatureInfo& info : detection_feature_table())
    evidence += detection_weights.*info.member * features.*info.member;
  const double reach = -math::expm1(-detection_reach * features.change);
  return false_alarm_chance + (1 - false_alarm_chance) * reach / (1 + math::exp(-evidence));
}

ShotDetection shot_detection(const std::vector<ShotComparison::WeightedLaunch>& launches) {
  ShotDetection detection{.chance = detection_chance(detection_features(launches)), .shares = {}};
  std::vector<std::size_t> objects;
  for (const auto& [weight, launch] : launches)
    for (const ObjectChange& change : launch.objects) objects.push_back(change.object);
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  for (const std::size_t object : objects) {
    const double share = detection.chance - detection_chance(detection_features(launches, object));
    if (share > 0) detection.shares.push_back({object, share});
  }
  std::stable_sort(detection.shares.begin(), detection.shares.end(),
                   [](const DetectionShare& a, const DetectionShare& b) { return a.share > b.share; });
  return detection;
}

}  // namespace startle
