#pragma once
/// \file  Tiers of difficulty within a novelty type [Pinto §5.1].
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace startle {

/// `undetectable`: the value is 1, the novelty cannot be detected. That is no degree of difficulty, and a
/// class of its own outside the percentiles.
enum class Tier { easy, medium, hard, undetectable };
const char* name(Tier tier);
/// easy, medium or hard, which levels can be asked for; else empty.
std::optional<Tier> tier_from_name(const std::string& name);

/// Where the tiers of one novelty type part. Stored with the level set that they come from, so that later
/// levels can be placed in the same tiers.
struct TierThresholds {
  double low = 0;         ///< 33.33rd percentile of the values below 1: below is easy
  double high = 0;        ///< 66.67th percentile: above is hard
  std::size_t count = 0;  ///< number of values the percentiles are of: those below 1
  double alpha = 0.5;     ///< weight of PID in those values; values of another alpha cannot be placed
  friend bool operator==(const TierThresholds&, const TierThresholds&) = default;
};

/// Thresholds of the difficulty values of one level set and novelty type, all computed with `alpha`:
/// percentiles of the values below 1, as in statistics/percentile.hpp. Where all are 1, low and high are 1
/// and count is 0. Throws Error when there are no values or one is not finite.
TierThresholds tier_thresholds(const std::vector<double>& values, double alpha);

/// Tiers of 1 - the predicted chance that a best shot is detected (difficulty.hpp) are the same for all
/// novelties: levels of a tier lie in its band, 0 to 1. What lies between two bands is in no tier.
struct DetectionBand {
  double least = 0, most = 1;
};
DetectionBand detection_band(Tier tier);
/// These part the bands.
inline constexpr TierThresholds detection_thresholds{.low = 0.4, .high = 0.8, .count = 0, .alpha = 0.5};

/// undetectable at 1; else easy below `low`, hard above `high`, medium between, both ends included. Equal
/// values therefore always share a tier: a set whose values tie can have fewer levels than a third, or none,
/// in a tier. Are all values below 1 equal, all those are medium.
Tier tier_of(double value, const TierThresholds& thresholds);

}  // namespace startle
