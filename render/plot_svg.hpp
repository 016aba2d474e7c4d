#pragma once
/// \file  Small SVG plots for reports, all in one style.
///
/// Every plot has axes with round ticks, a legend when it has more than one named series, and a tool tip on
/// each mark. Values that are not finite are left out. The text is the same, byte for byte, for the same
/// data.
#include <optional>
#include <string>
#include <vector>

#include "render/svg.hpp"
#include "sim/geometry.hpp"

namespace startle {

struct PlotFrame {
  std::string title, x_label, y_label;
  double width = 340, height = 230;  ///< pixels
  bool legend = true;                ///< false: of plots that share one, which stands beside them
};

/// A vertical line through the plot, for example a tier threshold.
struct PlotLine {
  double x = 0;
  std::string label;
};

/// Ends of an interval around a value.
struct ValueRange {
  double low = 0, high = 0;
};

struct ValueSeries {
  std::string name;
  std::string colour;  ///< "#rrggbb"
  std::vector<double> values;
  std::vector<ValueRange> ranges = {};  ///< bar charts: drawn as whiskers, where finite; none, or one a
                                        ///< value
};

struct PointSeries {
  std::string name;
  std::string colour;
  std::vector<Vec2> points = {};
  std::string dash = {};                ///< line plots: lengths of strokes and gaps, "6 3"; none: unbroken
  std::vector<ValueRange> ranges = {};  ///< line plots: a shaded band around the line, where finite; none, or
                                        ///< one a point
};

/// Counts per bin; the series are stacked in order from the bottom. Bins are [low + k w, low + (k + 1) w),
/// the last one closed; values outside [low, high] are left out. low < high, bins >= 1.
struct Histogram {
  PlotFrame frame;
  double low = 0, high = 1;
  int bins = 20;
  std::vector<ValueSeries> series = {};
  std::vector<PlotLine> lines = {};
};
std::string plot_svg(const Histogram& plot);

/// Points; equal points of a series become one disc whose area grows with their number.
struct ScatterPlot {
  PlotFrame frame;
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
  std::vector<PointSeries> series = {};
};
std::string plot_svg(const ScatterPlot& plot);

/// Points joined by lines in their order; a point that is not finite or out of range breaks the line, and
/// bands end at the axes. Where lines differ in their strokes the legend shows lines.
struct LinePlot {
  PlotFrame frame;
  double x_low = 0, x_high = 1, y_low = 0, y_high = 1;
  std::vector<PointSeries> series = {};
  std::vector<PlotLine> lines = {};
};
std::string plot_svg(const LinePlot& plot);

/// Bars from zero up (values >= 0), one group a category, one bar a series in each; series[i].values has one
/// value a category. The value stands over its bar.
struct BarChart {
  PlotFrame frame;
  std::vector<std::string> categories = {};
  std::vector<ValueSeries> series = {};
  std::optional<double> y_high = {};  ///< end of the axis; without it, just above the largest value
};
std::string plot_svg(const BarChart& plot);

/// Multiples of 1, 2 or 5 times a power of ten in [low, high], about `count` of them. low < high, count >= 1.
std::vector<double> round_ticks(double low, double high, int count);

}  // namespace startle
