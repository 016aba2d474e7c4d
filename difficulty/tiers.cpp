#include "difficulty/tiers.hpp"

#include "statistics/percentile.hpp"

namespace startle {

const char* name(Tier tier) {
  switch (tier) {
    case Tier::easy: return "easy";
    case Tier::medium: return "medium";
    case Tier::hard: return "hard";
  }
  return "";
}

std::optional<Tier> tier_from_name(const std::string& text) {
  for (Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    if (text == name(tier)) return tier;
  return std::nullopt;
}

TierThresholds tier_thresholds(const std::vector<double>& values, double alpha) {
  return {.low = percentile(values, 33.33), .high = percentile(values, 66.67), .count = values.size(), .alpha = alpha};
}

Tier tier_of(double value, const TierThresholds& thresholds) {
  if (value < thresholds.low) return Tier::easy;
  return value > thresholds.high ? Tier::hard : Tier::medium;
}

}  // namespace startle
