#include "app/reports/surprise/uniformity_plot.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "render/plot_svg.hpp"

namespace startle {

std::string uniformity_plot(const std::string& what, const UniformityTest& test) {
  constexpr int bins = 40;
  const double high = std::max(*std::max_element(test.observed.begin(), test.observed.end()),
                               *std::max_element(test.expected.begin(), test.expected.end()));
  LinePlot plot{.frame = {.title = "r_k of the " + what + " and of uniform points",
                          .x_label = "r_k",
                          .y_label = "share of points",
                          .width = 520,
                          .height = 250},
                .x_high = high};
  double highest = 0;
  for (const auto& [name, values] :
       {std::pair{"observed", &test.observed}, std::pair{"uniform on the sphere", &test.expected}}) {
    std::vector<double> share(bins, 0);
    for (double r : *values)
      share[static_cast<std::size_t>(std::min(bins - 1.0, r / high * bins))] += 1 / static_cast<double>(
                                                                                        values->size());
    plot.series.push_back({name, palette[plot.series.size() == 0 ? 0 : 3], {}});
    for (int b = 0; b < bins; ++b) {
      plot.series.back().points.push_back({(b + 0.5) * high / bins, share[static_cast<std::size_t>(b)]});
      highest = std::max(highest, share[static_cast<std::size_t>(b)]);
    }
  }
  plot.y_high = 1.05 * highest;
  return plot_svg(plot);
}

}  // namespace startle
