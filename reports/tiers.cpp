#include "reports/tiers.hpp"

#include <algorithm>
#include <limits>

#include "render/plot_svg.hpp"

namespace startle {

const char* colour_of(Tier tier) { return tier_colours[static_cast<std::size_t>(tier)].second; }

std::string tier_chart(const std::vector<TierBar>& bars, const std::string& title,
                       const std::string& y_label) {
  BarChart chart{.frame = {.title = title, .x_label = "", .y_label = y_label},
                 .categories = {},
                 .series = {},
                 .y_high = 1.15};
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
      series.values.push_back(e.value.value_or(std::numeric_limits<double>::quiet_NaN()));
      series.ranges.push_back(e.interval ? ValueRange{e.interval->low, e.interval->high}
                                         : ValueRange{e.value.value_or(0), e.value.value_or(0)});
    }
    if (any) chart.series.push_back(std::move(series));
  }
  constexpr double beside_title = 60, title_letter = 7.6;  // pixels; one category alone is narrower than its
                                                           // title
  chart.frame.width = std::max({340.0, 70 + 110.0 * static_cast<double>(chart.categories.size()),
                                beside_title + title_letter * static_cast<double>(title.size())});
  return plot_svg(chart);
}

}  // namespace startle
