#include "difficulty/detection_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"
#include "difficulty/detection_coefficients.hpp"
#include "statistics/sequential_evidence.hpp"

namespace startle {

double detection_chance(const DetectionFeatures& features) {
  double evidence = detection_intercept;
  for (const DetectionFeatureInfo& info : detection_feature_table())
    evidence += detection_weights.*info.member * features.*info.member;
  const double reach = -math::expm1(-detection_reach * features.change);
  return false_alarm_chance + (1 - false_alarm_chance) * reach * math::exp(-math::exp(-evidence));
}

double alarm_chance(const std::vector<double>& chances) {
  constexpr int p_values = 40;
  constexpr double cell = 0.02;  // of log evidence
  static const std::vector<double> factors = [] {
    std::vector<double> logs;
    for (int k = 1; k <= p_values; ++k) logs.push_back(log_evidence({static_cast<double>(k) / p_values}));
    return logs;
  }();
  const double alarm = math::log(alarm_evidence);
  const auto cells = static_cast<std::size_t>(std::ceil(alarm / cell));
  std::vector<double> at(cells, 0), next(cells);  // chance of each evidence, from 0 on
  at[0] = 1;
  double raised = 0;
  for (const double chance : chances) {
    const double power = math::log(chance) / math::log(false_alarm_chance);
    std::fill(next.begin(), next.end(), 0);
    double below = 0;
    for (int k = 1; k <= p_values; ++k) {
      const double up_to = math::exp(power * math::log(static_cast<double>(k) / p_values));
      const double share = up_to - below, factor = factors[static_cast<std::size_t>(k - 1)];
      below = up_to;
      for (std::size_t i = 0; i < cells; ++i) {
        const double evidence = static_cast<double>(i) * cell + factor;
        if (evidence >= alarm)
          raised += at[i] * share;
        else
          next[std::min(static_cast<std::size_t>(std::max(evidence / cell + 0.5, 0.0)), cells - 1)] += at[i] *
                                                                                                       share;
      }
    }
    at.swap(next);
  }
  return raised;
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
