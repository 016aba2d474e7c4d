#include "app/reports/tiers.hpp"

#include <algorithm>
#include <limits>

#include "app/reports/estimates.hpp"
#include "core/text.hpp"
#include "render/plot_svg.hpp"

namespace startle {
namespace {

/// Adds the value and its interval, as the next category's.
void add_bar(ValueSeries& series, const Estimate& e) {
  series.values.push_back(e.value.value_or(std::numeric_limits<double>::quiet_NaN()));
  series.ranges.push_back(e.interval ? ValueRange{e.interval->low, e.interval->high}
                                     : ValueRange{e.value.value_or(0), e.value.value_or(0)});
}

const Estimate* of_tier(const DetectionFinding& finding, const std::string& tier) {
  for (const auto& [its, estimate] : finding.detected)
    if (its == tier) return &estimate;
  return nullptr;
}

constexpr const char *false_alarm_colour = "#C9C9C9", *null_colour = "#888888";

/// Pixels: few categories are narrower than the title of their chart.
double width_for(const std::string& title) {
  constexpr double beside_title = 60, letter = 7.6;
  return beside_title + letter * static_cast<double>(title.size());
}

}  // namespace

const char* colour_of(const std::string& name) {
  for (const auto& [known, colour] : tier_colours)
    if (name == known) return colour;
  return tier_colours.back().second;
}

std::string tier_chart(const std::vector<TierBar>& bars, const std::string& title,
                       const std::string& y_label) {
  BarChart chart{.frame = {.title = title, .x_label = "", .y_label = y_label}, .y_high = 1.15};
  for (const TierBar& bar : bars)
    if (std::find(chart.categories.begin(), chart.categories.end(), bar.novelty) == chart.categories.end())
      chart.categories.push_back(bar.novelty);
  for (const auto& [tier, colour] : tier_colours) {
    ValueSeries series{.name = *tier ? tier : "no tier", .colour = colour, .values = {}};
    bool any = false;
    for (const std::string& novelty : chart.categories) {
      const auto found = std::find_if(bars.begin(), bars.end(), [&, &tier = tier](const TierBar& b) {
        return b.novelty == novelty && b.tier == tier;
      });
      const Estimate e = found == bars.end() ? Estimate{} : found->estimate;
      any = any || found != bars.end();
      add_bar(series, e);
    }
    if (any) chart.series.push_back(std::move(series));
  }
  chart.frame.width = std::max(
      {340.0, 70 + 110.0 * static_cast<double>(chart.categories.size()), width_for(title)});
  return plot_svg(chart);
}

std::string detection_chart(const std::vector<DetectionFinding>& findings, const std::string& title,
                            const std::string& y_label) {
  BarChart chart{.frame = {.title = title, .x_label = "", .y_label = y_label, .height = 290}, .y_high = 1.12};
  for (const DetectionFinding& finding : findings) chart.categories.push_back(finding.name);
  for (const auto& [tier, colour] : tier_colours) {
    ValueSeries series{.name = *tier ? tier : "no tier", .colour = colour, .values = {}};
    bool any = false;
    for (const DetectionFinding& finding : findings) {
      const Estimate* estimate = of_tier(finding, tier);
      any = any || estimate;
      add_bar(series, estimate ? *estimate : Estimate{});
    }
    if (any) chart.series.push_back(std::move(series));
  }
  if (std::any_of(findings.begin(), findings.end(),
                  [](const DetectionFinding& finding) { return finding.null.value.has_value(); })) {
    chart.series.push_back({.name = "where nothing changed", .colour = null_colour, .values = {}});
    for (const DetectionFinding& finding : findings) add_bar(chart.series.back(), finding.null);
  }
  chart.series.push_back({.name = "false alarms", .colour = false_alarm_colour, .values = {}});
  for (const DetectionFinding& finding : findings) add_bar(chart.series.back(), finding.false_alarms);
  constexpr double axes = 58, bar = 21;  // pixels
  // Eleven groups, as of detectors, still fit beside each other on the page.
  const double wanted = bar * static_cast<double>(chart.series.size()) / 0.8, page = 1100,
               fitting = (page - axes) / static_cast<double>(std::max<std::size_t>(findings.size(), 1)),
               group = std::max(90.0, std::min(wanted, fitting));
  chart.frame.width = std::max(
      {420.0, axes + group * static_cast<double>(findings.size()), width_for(title)});
  return plot_svg(chart);
}

std::string detection_words(const DetectionFinding& finding, const std::string& name,
                            const std::string& what) {
  bool first = true;
  const auto percent = [&](const Estimate& e) {
    std::string text = fixed(100 * *e.value, 0) + " %";
    if (e.interval) {
      text += std::string(" (") + (first ? "95 % interval " : "") + fixed(100 * e.interval->low, 0) + " to " +
              fixed(100 * e.interval->high, 0) + ")";
      first = false;
    }
    return text;
  };
  std::vector<std::string> parts;
  for (const Tier tier : tiers)
    if (const Estimate* e = of_tier(finding, startle::name(tier)); e && e->value)
      parts.push_back(percent(*e) + " of " + startle::name(tier));
  if (parts.empty())
    for (const auto& [tier, e] : finding.detected)
      if (e.value) parts.push_back(percent(e) + " of " + (tier.empty() ? "the" : tier));
  std::string text = name + (parts.empty() ? " was given no novel " : " detects " + list_of(parts) + " ") +
                     what;
  if (finding.null.value) text += "; where nothing changed: " + percent(finding.null);
  if (finding.false_alarms.value) text += "; false alarms: " + percent(finding.false_alarms);
  return text + ".";
}

}  // namespace startle
