#include "app/reports/strength_chart.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/reports/tiers.hpp"
#include "render/plot_svg.hpp"
#include "sim/novelty.hpp"

namespace startle {
namespace {

constexpr std::array<const char*, 8> novelty_colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                     "#E69F00", "#56B4E9", "#7A1F5C", "#666666"};
constexpr std::array<const char*, 4> strokes{"", "7 4", "2 3", "9 3 2 3"};
constexpr const char* people_colour = "#222222";

/// Its place, in order of appearance.
std::size_t place_of(std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

void add_point(PointSeries& series, double strength, double value,
               const std::optional<IntervalEstimate>& interval) {
  series.points.push_back({std::log2(strength), value});
  series.ranges.push_back(interval ? ValueRange{interval->low, interval->high} : ValueRange{value, value});
}

}  // namespace

std::string strength_chart(const std::vector<StrengthCurve>& curves) {
  const auto any = [&](const auto& wanted) { return std::any_of(curves.begin(), curves.end(), wanted); };
  const bool by_tier = any([](const StrengthCurve&c) { return c.tier != "all"; }),
             alone = !any([](const StrengthCurve&c) { return c.detector != "observer"; }),
             pooled = by_tier && any([](const StrengthCurve&c) { return c.novelty == "all"; });
  LinePlot plot{.frame = {.title = alone ? "Share detected, and predicted" : "Share detected",
                          .x_label = "log2 of the strength",
                          .y_label = "share",
                          .width = 560,
                          .height = 340}};
  std::vector<std::string> novelties, detectors;
  double low = greatest_strength, high = 0;
  for (const StrengthCurve& one : curves) {
    if (pooled && one.novelty != "all" && one.detector != "people") continue;
    const auto tier = std::find_if(tier_colours.begin(), tier_colours.end(),
                                   [&](const auto& of) { return one.tier == of.first; });
    const char* colour = tier != tier_colours.end() ? tier->second
                         : by_tier
                             ? people_colour
                             : novelty_colours[place_of(novelties, one.novelty) % novelty_colours.size()];
    const std::string name = (pooled && one.novelty == "all" ? "" : one.novelty + " ") +
                             (one.tier == "all" ? "" : one.tier + " ");
    PointSeries detected{.name = name + one.detector,
                         .colour = colour,
                         .dash = strokes[place_of(detectors, one.detector) % strokes.size()]};
    PointSeries predicted{.name = name + "predicted", .colour = colour, .dash = strokes[2]};
    for (const StrengthPoint& p : one.curve.points) {
      if (p.strength <= 0) continue;
      const bool is_predicted = alone && p.predicted;
      if (p.detected.count > 0 || is_predicted)
        low = std::min(low, p.strength), high = std::max(high, p.strength);
      if (p.detected.count > 0) add_point(detected, p.strength, *p.detected.value(), p.interval);
      if (is_predicted) add_point(predicted, p.strength, *p.predicted, p.predicted_interval);
    }
    if (!detected.points.empty()) plot.series.push_back(detected);
    if (!predicted.points.empty()) plot.series.push_back(predicted);
  }
  plot.x_low = std::log2(low);
  plot.x_high = low < high ? std::log2(high) : plot.x_low + 1;
  return plot_svg(plot);
}

}  // namespace startle
