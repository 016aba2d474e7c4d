#include "difficulty/thirds.hpp"

#include <array>

#include "statistics/percentile.hpp"

namespace startle {
namespace {

constexpr std::array<const char*, 3> third_names{"low", "middle", "high"};

}  // namespace

const char* name(Third third) { return third_names[static_cast<std::size_t>(third)]; }

std::optional<Third> third_from_name(const std::string& text) {
  for (std::size_t i = 0; i < third_names.size(); ++i)
    if (text == third_names[i]) return static_cast<Third>(i);
  return std::nullopt;
}

ThirdThresholds third_thresholds(const std::vector<double>& values, double alpha) {
  return {.low = percentile(values, 33.33),
          .high = percentile(values, 66.67),
          .count = values.size(),
          .alpha = alpha};
}

Third third_of(double value, const ThirdThresholds& thresholds) {
  if (value < thresholds.low) return Third::low;
  return value > thresholds.high ? Third::high : Third::middle;
}

}  // namespace startle
