#include "difficulty/tiers.hpp"

#include <algorithm>
#include <cmath>

#include "sim/error.hpp"

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

double percentile(std::vector<double> values, double percent) {
  if (values.empty()) throw Error("percentile: found no values, allowed is one or more");
  for (double value : values)
    if (!std::isfinite(value)) throw Error("percentile: found value " + std::to_string(value) + ", allowed are finite numbers");
  if (!(percent >= 0 && percent <= 100))
    throw Error("percentile: found percent " + std::to_string(percent) + ", allowed are 0 to 100");
  std::sort(values.begin(), values.end());
  const double h = static_cast<double>(values.size() - 1) * (percent / 100);
  const std::size_t below = static_cast<std::size_t>(h);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (h - static_cast<double>(below)) * (values[above] - values[below]);
}

TierThresholds tier_thresholds(const std::vector<double>& values, double alpha) {
  return {.low = percentile(values, 33.33), .high = percentile(values, 66.67), .count = values.size(), .alpha = alpha};
}

Tier tier_of(double value, const TierThresholds& thresholds) {
  if (value < thresholds.low) return Tier::easy;
  return value > thresholds.high ? Tier::hard : Tier::medium;
}

}  // namespace startle
