#include "difficulty/detection_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "difficulty/detection_coefficients.hpp"

namespace startle {

double detection_chance(const DetectionFeatures& features) {
  double evidence = detection_intercept;
  for (const DetectionFeatureInfo& info : detection_feature_table())
    evidence += detection_weights.*info.member * features.*info.member;
  const double reach = -math::expm1(-detection_reach * features.change);
  return false_alarm_chance + (1 - false_alarm_chance) * reach * math::exp(-math::exp(-evidence));
}

std::vector<DetectionByObject> detection_by_object(const std::vector<LaunchChange>& launches) {
  std::vector<std::size_t> numbers;
  for (const LaunchChange& launch : launches)
    for (const ObjectChange& change : launch.objects) numbers.push_back(change.object);
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<DetectionByObject> objects;
  for (const std::size_t object : numbers) {
    const double alone = detection_chance(detection_features(launches, object));
    if (alone > false_alarm_chance) objects.push_back({object, alone});
  }
  std::stable_sort(objects.begin(), objects.end(),
                   [](const auto& a, const auto& b) { return a.alone > b.alone; });
  return objects;
}

}  // namespace startle
