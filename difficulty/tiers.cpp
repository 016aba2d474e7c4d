#include "difficulty/tiers.hpp"

#include <algorithm>
#include <iterator>

#include "statistics/percentile.hpp"

namespace startle {

const char* name(Tier tier) {
  switch (tier) {
    case Tier::easy:
      return "easy";
    case Tier::medium:
      return "medium";
    case Tier::hard:
      return "hard";
    case Tier::undetectable:
      return "undetectable";
  }
  return "";
}

std::optional<Tier> tier_from_name(const std::string& text) {
  for (Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    if (text == name(tier)) return tier;
  return std::nullopt;
}

TierThresholds tier_thresholds(const std::vector<double>& values, double alpha) {
  std::vector<double> possible;
  std::copy_if(values.begin(), values.end(), std::back_inserter(possible),
               [](double value) { return value != 1; });
  if (possible.empty() && !values.empty()) return {.low = 1, .high = 1, .count = 0, .alpha = alpha};
  return {.low = percentile(possible, 33.33),
          .high = percentile(possible, 66.67),
          .count = possible.size(),
          .alpha = alpha};
}

DetectionBand detection_band(Tier tier) {
  switch (tier) {
    case Tier::easy:
      return {0, 0.28};
    case Tier::medium:
      return {0.5, 0.7};
    case Tier::hard:
      return {0.9, 1};
    case Tier::undetectable:
      break;
  }
  return {1, 1};
}

Tier tier_of(double value, const TierThresholds& thresholds) {
  if (value == 1) return Tier::undetectable;
  if (value < thresholds.low) return Tier::easy;
  return value > thresholds.high ? Tier::hard : Tier::medium;
}

}  // namespace startle
