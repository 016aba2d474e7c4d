#pragma once
/// \file  Thirds of the difficulty values of a set of levels and one novelty [Pinto §5.1].
///
/// Thirds compare the levels of one set and novelty with each other. Tiers (tiers.hpp) mean the same in all
/// sets.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace startle {

/// What [Pinto §5.1] calls easy, medium and hard.
enum class Third { low, middle, high };
const char* name(Third third);
std::optional<Third> third_from_name(const std::string& name);

/// Where the thirds of the values of one novelty part.
struct ThirdThresholds {
  double low = 0;         ///< below is the low third
  double high = 0;        ///< above is the high third
  std::size_t count = 0;  ///< number of values that they are percentiles of
  double alpha = 0.5;     ///< weight of PID in those values
  friend bool operator==(const ThirdThresholds&, const ThirdThresholds&) = default;
};

/// Where the thirds of these values part, all computed with `alpha`: percentiles as in
/// statistics/percentile.hpp. All levels count, those of value 1 too. Throws Error when there are no values
/// or one is not finite.
ThirdThresholds third_thresholds(const std::vector<double>& values, double alpha);

/// low below the lower threshold, high above the higher one, middle between, both ends included. Equal values
/// share a third: a set whose values tie can have fewer levels than a third, or none, in one. Where all are
/// equal, all are middle.
Third third_of(double value, const ThirdThresholds& thresholds);

}  // namespace startle
