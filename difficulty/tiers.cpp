#include "difficulty/tiers.hpp"

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
