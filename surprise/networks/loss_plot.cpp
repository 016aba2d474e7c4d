#include "surprise/networks/loss_plot.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "render/plot_svg.hpp"

namespace startle {

std::string loss_plot(const std::vector<TrainingRow>& rows, double copy_last, const char* title) {
  LinePlot plot{
      .frame = {.title = title, .x_label = "step", .y_label = "log10", .width = 520, .height = 300}};
  PointSeries loss{"training", "#7FA7D4", {}}, validation{"validation", "#C0392B", {}},
      copy{"copy-last", "#888888", {}};
  double low = std::numeric_limits<double>::infinity(), high = -low;
  const auto add = [&](PointSeries& series, int step, const std::optional<double>& value) {
    if (!value || !(*value > 0)) return;
    const double y = std::log10(*value);
    series.points.push_back({static_cast<double>(step), y});
    low = std::min(low, y);
    high = std::max(high, y);
  };
  const std::size_t stride = std::max<std::size_t>(1, rows.size() / 500);  // a plot of 500 points is as good
                                                                           // as one of 5,000
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % stride == 0) add(loss, rows[i].step, rows[i].loss);
    add(validation, rows[i].step, rows[i].validation_loss);
    if (rows[i].validation_loss) add(copy, rows[i].step, copy_last);
  }
  if (!(low <= high)) low = high = 0;
  plot.x_high = rows.empty() ? 1 : std::max(1, rows.back().step);
  plot.y_low = low - 0.05;
  plot.y_high = high + 0.05;
  plot.series = {loss, copy, validation};
  return plot_svg(plot);
}

}  // namespace startle
