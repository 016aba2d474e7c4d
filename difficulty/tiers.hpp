#pragma once
/// \file  Tiers of difficulty: bands that levels are made for, and that are stored with them.
#include <cstddef>
#include <optional>
#include <string>

namespace startle {

/// `undetectable`: the value is 1, the novelty cannot be detected. That is no degree of difficulty, and no
/// level is made for it; level files of earlier versions hold it.
enum class Tier { easy, medium, hard, undetectable };
const char* name(Tier tier);
/// easy, medium or hard, which levels can be asked for; else empty.
std::optional<Tier> tier_from_name(const std::string& name);

/// Where the tiers, or the thirds (thirds.hpp), of one novelty type part. Stored with the level set that they
/// come from, so that later levels can be placed by the same.
struct TierThresholds {
  double low = 0;         ///< below is easy, or in the low third
  double high = 0;        ///< above is hard, or in the high third
  std::size_t count = 0;  ///< number of values that they are percentiles of; 0: of none
  double alpha = 0.5;     ///< weight of PID in those values; values of another alpha cannot be placed
  friend bool operator==(const TierThresholds&, const TierThresholds&) = default;
};

/// Tiers of 1 - the predicted chance that a best shot is detected (difficulty.hpp) are the same for all
/// novelties: levels of a tier lie in its band, 0 to 1. What lies between two bands is in no tier.
struct DetectionBand {
  double least = 0, most = 1;
};
DetectionBand detection_band(Tier tier);
/// These part the bands.
inline constexpr TierThresholds detection_thresholds{.low = 0.4, .high = 0.8, .count = 0, .alpha = 0.5};

/// undetectable at 1; else easy below `low`, hard above `high`, medium between, both ends included.
Tier tier_of(double value, const TierThresholds& thresholds);

}  // namespace startle
