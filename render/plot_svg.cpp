#include "render/plot_svg.hpp"

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace startle {
namespace {

constexpr double left = 46, right = 12, bottom = 40;
constexpr const char* ink = "#333333";

constexpr double legend_row = 15;  // pixels

double title_height(const PlotFrame& frame) { return frame.title.empty() ? 8 : 26; }

/// At most four significant digits, never an exponent for the sizes that stand on axes.
std::string label_number(double value) {
  const std::string text = general(value, 4);
  return text == "-0" ? "0" : text;
}

std::string attribute(const char* name, double value) {
  return std::string(" ") + name + "=\"" + svg_number(value) + "\"";
}

std::string text_at(double x, double y, const std::string& text, double size, const char* anchor,
                    const std::string& more = "") {
  return "<text" + attribute("x", x) + attribute("y", y) + attribute("font-size", size) + " text-anchor=\"" +
         anchor + "\" fill=\"" + ink + "\"" + more + ">" + xml_escaped(text) + "</text>";
}

std::string line(double x1, double y1, double x2, double y2, const char* colour,
                 const std::string& more = "") {
  return "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) + attribute("y2", y2) +
         " stroke=\"" + colour + "\"" + more + "/>";
}

/// The area between the axes and the map from data to pixels.
struct Canvas {
  const PlotFrame& frame;
  double x_low, x_high, y_low, y_high;
  double top;

  double x(double value) const {
    return left + (value - x_low) / (x_high - x_low) * (frame.width - left - right);
  }
  double y(double value) const {
    return frame.height - bottom - (value - y_low) / (y_high - y_low) * (frame.height - top - bottom);
  }
};

struct LegendEntry {
  std::string name, colour;
  std::string dash;   ///< of its line, where `line`
  bool line = false;  ///< a piece of line, not a square
  double width = 9;   ///< of what is drawn before the name, pixels
  double x = 0;       ///< pixels
  int row = 0;        ///< from the top
};

double legend_height(const std::vector<LegendEntry>& legend) {
  return legend.size() > 1 ? 18 + legend_row * legend.back().row : 0;
}

/// Whether the legend has to show lines to distinguish the series.
bool shows_lines(const std::vector<PointSeries>& series) {
  return std::any_of(series.begin(), series.end(), [](const PointSeries& s) { return !s.dash.empty(); });
}
bool shows_lines(const std::vector<ValueSeries>&) { return false; }
std::string dash_of(const PointSeries& series) { return series.dash; }
std::string dash_of(const ValueSeries&) { return {}; }

std::string dashed(const std::string& dash) {
  return dash.empty() ? "" : " stroke-dasharray=\"" + xml_escaped(dash) + "\"";
}

template <typename Series>
std::vector<LegendEntry> legend_of(const PlotFrame& frame, const std::vector<Series>& series) {
  std::vector<LegendEntry> legend;
  if (!frame.legend) return legend;
  double x = left;
  int row = 0;
  for (const Series& s : series) {
    if (s.name.empty()) continue;
    const double mark = shows_lines(series) ? 26 : 9,
                 width = mark + 4 + 6.6 * static_cast<double>(s.name.size());
    if (x > left && x + width > frame.width) x = left, ++row;
    legend.push_back({s.name, s.colour, dash_of(s), shows_lines(series), mark, x, row});
    x += width + 14;
  }
  return legend;
}

std::string open(const PlotFrame& frame, const std::vector<LegendEntry>& legend) {
  const std::string width = svg_number(frame.width), height = svg_number(frame.height);
  std::string text = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + width + "\" height=\"" + height +
                     "\" viewBox=\"0 0 " + width + " " + height + "\" role=\"img\" font-family=\"" +
                     svg_font + "\">\n";
  text += "<rect" + attribute("width", frame.width) + attribute("height", frame.height) +
          " fill=\"#FFFFFF\"/>\n";
  if (!frame.title.empty())
    text += text_at(left, 17, frame.title, 12.5, "start", " font-weight=\"bold\"") + "\n";
  if (legend.size() > 1) {
    for (const LegendEntry& entry : legend) {
      const double y = title_height(frame) + 10 + legend_row * entry.row;
      if (entry.line)
        text += line(entry.x, y - 3.5, entry.x + entry.width, y - 3.5, entry.colour.c_str(),
                     " stroke-width=\"2\"" + dashed(entry.dash));
      else
        text += "<rect" + attribute("x", entry.x) + attribute("y", y - 8) +
                " width=\"9\" height=\"9\" fill=\"" + xml_escaped(entry.colour) + "\"/>";
      text += text_at(entry.x + entry.width + 4, y, entry.name, 10.5, "start");
    }
    text += "\n";
  }
  return text;
}

std::string y_axis(const Canvas& canvas, const std::vector<double>& ticks) {
  std::string text;
  const double end = canvas.frame.width - right;
  for (double tick : ticks) {
    if (tick > canvas.y_low) text += line(left, canvas.y(tick), end, canvas.y(tick), "#E3E3E3");
    text += text_at(left - 6, canvas.y(tick) + 3.5, label_number(tick), 10, "end");
  }
  const double middle = 0.5 * (canvas.top + canvas.frame.height - bottom);
  text += text_at(12, middle, canvas.frame.y_label, 11, "middle",
                  " transform=\"rotate(-90 12 " + svg_number(middle) + ")\"");
  return text + "\n";
}

/// Drawn after the data, over the foot of the bars.
std::string x_axis(const Canvas& canvas, const std::vector<double>& ticks) {
  const double base = canvas.frame.height - bottom;
  std::string text = line(left, base, canvas.frame.width - right, base, ink);
  for (double tick : ticks) {
    text += line(canvas.x(tick), base, canvas.x(tick), base + 4, ink);
    text += text_at(canvas.x(tick), base + 15, label_number(tick), 10, "middle");
  }
  text += text_at(0.5 * (left + canvas.frame.width - right), canvas.frame.height - 7, canvas.frame.x_label,
                  11, "middle");
  return text + "\n";
}

/// With their labels over the canvas.
std::string vertical_lines(const Canvas& canvas, const std::vector<PlotLine>& lines) {
  std::string text;
  double last_label = -1e9;
  for (const PlotLine& mark : lines) {
    if (!(mark.x >= canvas.x_low && mark.x <= canvas.x_high)) continue;
    const double x = canvas.x(mark.x);
    text += line(x, canvas.top, x, canvas.frame.height - bottom, ink,
                 " stroke-width=\"1.3\" stroke-dasharray=\"4 3\"");
    const double half = 2.9 * static_cast<double>(mark.label.size());
    const double at = std::max(std::clamp(x, left + half, canvas.frame.width - half), last_label + half + 4);
    text += text_at(at, canvas.top - 3, mark.label, 9.5, "middle");
    last_label = at + half;
  }
  return text;
}

std::string bar(double x, double y, double width, double height, const std::string& colour,
                const std::string& tip) {
  return "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
         attribute("height", height) + " fill=\"" + xml_escaped(colour) + "\"><title>" + xml_escaped(tip) +
         "</title></rect>";
}

std::string prefix(const std::string& name) { return name.empty() ? "" : name + ": "; }

}  // namespace

std::vector<double> round_ticks(double low, double high, int count) {
  const double rough = (high - low) / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) {
      step = factor * power;
      break;
    }
  }
  std::vector<double> ticks;
  const double first = std::ceil(low / step - 1e-9);
  for (double k = first; k * step <= high + 1e-9 * step; ++k) ticks.push_back(k * step);
  return ticks;
}

std::string plot_svg(const Histogram& plot) {
  const double width = (plot.high - plot.low) / plot.bins;
  const std::size_t bins = static_cast<std::size_t>(plot.bins);
  std::vector<std::vector<int>> counts(plot.series.size(), std::vector<int>(bins, 0));
  std::vector<int> totals(bins, 0);
  for (std::size_t s = 0; s < plot.series.size(); ++s) {
    for (double value : plot.series[s].values) {
      if (!(value >= plot.low && value <= plot.high)) continue;
      // A value on a bin's edge must not fall below it by rounding.
      const std::size_t bin = std::min(
          bins - 1, static_cast<std::size_t>(std::floor((value - plot.low) / width + 1e-9)));
      ++counts[s][bin];
      ++totals[bin];
    }
  }
  const int highest = *std::max_element(totals.begin(), totals.end());
  const std::vector<LegendEntry> legend = legend_of(plot.frame, plot.series);
  const double lines_height = plot.lines.empty() ? 0 : 12;
  const Canvas canvas{plot.frame,
                      plot.low,
                      plot.high,
                      0,
                      1.05 * std::max(highest, 4),
                      title_height(plot.frame) + legend_height(legend) + lines_height + 4};
  std::string text = open(plot.frame, legend) + y_axis(canvas, round_ticks(0, canvas.y_high, 4));
  for (std::size_t bin = 0; bin < bins; ++bin) {
    int below = 0;
    const double from = plot.low + width * static_cast<double>(bin);
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
      const int count = counts[s][bin];
      if (count == 0) continue;
      text += bar(canvas.x(from) + 0.75, canvas.y(below + count),
                  canvas.x(from + width) - canvas.x(from) - 1.5, canvas.y(below) - canvas.y(below + count),
                  plot.series[s].colour,
                  prefix(plot.series[s].name) + std::to_string(count) + " in [" + label_number(from) + ", " +
                      label_number(from + width) + (bin + 1 == bins ? "]" : ")"));
      below += count;
    }
  }
  text += vertical_lines(canvas, plot.lines);
  return text + "\n" + x_axis(canvas, round_ticks(plot.low, plot.high, 5)) + "</svg>\n";
}

std::string plot_svg(const ScatterPlot& plot) {
  const std::vector<LegendEntry> legend = legend_of(plot.frame, plot.series);
  // A margin inside the axes keeps discs at the ends of the range whole.
  const double x_margin = 0.04 * (plot.x_high - plot.x_low), y_margin = 0.05 * (plot.y_high - plot.y_low);
  const Canvas canvas{plot.frame,
                      plot.x_low - x_margin,
                      plot.x_high + x_margin,
                      plot.y_low - y_margin,
                      plot.y_high + y_margin,
                      title_height(plot.frame) + legend_height(legend) + 4};
  std::string text = open(plot.frame, legend) + y_axis(canvas, round_ticks(plot.y_low, plot.y_high, 5));
  for (const PointSeries& series : plot.series) {
    std::vector<Vec2> points = series.points;
    std::erase_if(points, [&](Vec2 p) {
      return !(p.x >= plot.x_low && p.x <= plot.x_high && p.y >= plot.y_low && p.y <= plot.y_high);
    });
    std::sort(points.begin(), points.end(),
              [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    for (std::size_t i = 0; i < points.size();) {
      std::size_t next = i;
      while (next < points.size() && points[next] == points[i]) ++next;
      const double radius = std::min(2.8 * std::sqrt(static_cast<double>(next - i)), 16.0);
      text += "<circle" + attribute("cx", canvas.x(points[i].x)) + attribute("cy", canvas.y(points[i].y)) +
              attribute("r", radius) + " fill=\"" + xml_escaped(series.colour) +
              "\" fill-opacity=\"0.65\" stroke=\"#FFFFFF\" stroke-width=\"0.8\"><title>" +
              xml_escaped(prefix(series.name) + std::to_string(next - i) + " at (" +
                          label_number(points[i].x) + ", " + label_number(points[i].y) + ")") +
              "</title></circle>";
      i = next;
    }
  }
  return text + "\n" + x_axis(canvas, round_ticks(plot.x_low, plot.x_high, 5)) + "</svg>\n";
}

namespace {

bool is_finite(const ValueRange& range) { return std::isfinite(range.low) && std::isfinite(range.high); }

/// Around pieces of the line of two points or more, cut off at the ends of the y axis.
std::string band(const Canvas& canvas, const PointSeries& series) {
  std::string text;
  if (series.ranges.empty()) return text;
  const auto y = [&](double value) {
    return svg_number(canvas.y(std::clamp(value, canvas.y_low, canvas.y_high)));
  };
  std::string there, back;
  std::size_t points = 0;
  const auto close = [&] {
    if (points > 1)
      text += "<path d=\"M" + there + back + "Z\" fill=\"" + xml_escaped(series.colour) +
              "\" fill-opacity=\"0.1\" stroke=\"none\"/>";
    there.clear(), back.clear(), points = 0;
  };
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const Vec2 p = series.points[i];
    const ValueRange& range = series.ranges.at(i);
    if (!(p.x >= canvas.x_low && p.x <= canvas.x_high && p.y >= canvas.y_low && p.y <= canvas.y_high) ||
        !is_finite(range)) {
      close();
      continue;
    }
    const std::string x = svg_number(canvas.x(p.x));
    there += (points++ > 0 ? "L" : "") + x + " " + y(range.high);
    back = "L" + x + " " + y(range.low) + back;
  }
  close();
  return text;
}

}  // namespace

std::string plot_svg(const LinePlot& plot) {
  const std::vector<LegendEntry> legend = legend_of(plot.frame, plot.series);
  const Canvas canvas{
      plot.frame,  plot.x_low,
      plot.x_high, plot.y_low,
      plot.y_high, title_height(plot.frame) + legend_height(legend) + (plot.lines.empty() ? 4 : 16)};
  std::string text = open(plot.frame, legend) + y_axis(canvas, round_ticks(plot.y_low, plot.y_high, 4)) +
                     vertical_lines(canvas, plot.lines);
  for (const PointSeries& series : plot.series) text += band(canvas, series);
  for (const PointSeries& series : plot.series) {
    std::string path, discs;
    bool joined = false;
    for (Vec2 p : series.points) {
      const bool seen = p.x >= plot.x_low && p.x <= plot.x_high && p.y >= plot.y_low && p.y <= plot.y_high;
      if (seen) {
        path += (joined ? "L" : "M") + svg_number(canvas.x(p.x)) + " " + svg_number(canvas.y(p.y));
        discs += "<circle" + attribute("cx", canvas.x(p.x)) + attribute("cy", canvas.y(p.y)) +
                 " r=\"2.4\" fill=\"" + xml_escaped(series.colour) + "\"><title>" +
                 xml_escaped(prefix(series.name) + label_number(p.y) + " at " + label_number(p.x)) +
                 "</title></circle>";
      }
      joined = seen;
    }
    if (!path.empty())
      text += "<path d=\"" + path + "\" fill=\"none\" stroke=\"" + xml_escaped(series.colour) +
              "\" stroke-width=\"1.6\"" + dashed(series.dash) + "/>" + discs;
  }
  return text + "\n" + x_axis(canvas, round_ticks(plot.x_low, plot.x_high, 6)) + "</svg>\n";
}

namespace {

std::string whisker(double x, double y_low, double y_high) {
  const std::string low = svg_number(y_low), high = svg_number(y_high), from = svg_number(x - 3),
                    to = svg_number(x + 3);
  return "<path d=\"M" + svg_number(x) + " " + low + "V" + high + "M" + from + " " + low + "H" + to + "M" +
         from + " " + high + "H" + to + "\" fill=\"none\" stroke=\"#222\" stroke-width=\"1\"/>\n";
}

/// The name in lines of at most `letters`, broken after a hyphen, underscore, plus or blank, but not before
/// "%", which stays with its number; a part without these may be longer.
std::vector<std::string> broken(const std::string& name, std::size_t letters) {
  std::vector<std::string> lines{""};
  for (std::size_t from = 0; from < name.size();) {
    std::size_t end = from;
    do end = std::min(name.find_first_of("-_+ ", end), name.size() - 1) + 1;
    while (end < name.size() && name[end] == '%');
    const std::string part = name.substr(from, end - from);
    const std::size_t seen = part.find_last_not_of(' ') + 1;  // a blank at the end of a line takes no room
    if (!lines.back().empty() && lines.back().size() + seen > letters) lines.emplace_back();
    lines.back() += part;
    from = end;
  }
  return lines;
}

/// A category under its bars: in as few lines as fit `width`, three at most and of about one length. Letters
/// become smaller where that is not enough.
std::string category_at(double x, double y, const std::string& name, double width) {
  constexpr double size = 10.5, letter = 5.9;
  constexpr std::size_t max_lines = 3;
  std::vector<std::string> lines;
  std::size_t longest = 0;
  for (std::size_t count = 1; count <= max_lines; ++count) {
    for (longest = 1; (lines = broken(name, longest)).size() > count;) ++longest;
    if (letter * static_cast<double>(longest) <= width) break;
  }
  const double fitting = size * std::min(1.0, width / (letter * static_cast<double>(longest)));
  std::string text;
  double at = lines.size() == 1 ? y : y - 2;
  for (std::size_t i = 0; i < lines.size(); ++i, at += 12)
    text += text_at(x, at, lines[i], std::max(fitting, 8.0), "middle");
  return text;
}

/// Values over bars are rounded to two digits after the point, fewer where none of them needs two.
int digits_of(const std::vector<ValueSeries>& all) {
  int digits = 0;
  for (const ValueSeries& series : all)
    for (const double value : series.values) {
      if (!std::isfinite(value)) continue;
      const long hundredths = std::lround(100 * value);
      digits = std::max(digits, hundredths % 10 != 0 ? 2 : hundredths % 100 != 0 ? 1 : 0);
    }
  return digits;
}

}  // namespace

std::string plot_svg(const BarChart& plot) {
  const int digits = digits_of(plot.series);
  double highest = 0;
  for (const ValueSeries& series : plot.series)
    for (std::size_t c = 0; c < series.values.size(); ++c)
      if (std::isfinite(series.values[c]))
        highest = std::max({highest, series.values[c], series.ranges.empty() ? 0 : series.ranges.at(c).high});
  const std::vector<LegendEntry> legend = legend_of(plot.frame, plot.series);
  const double y_high = plot.y_high ? *plot.y_high : (highest > 0 ? 1.1 * highest : 1);
  const Canvas canvas{
      plot.frame, 0,      static_cast<double>(std::max<std::size_t>(plot.categories.size(), 1)),
      0,          y_high, title_height(plot.frame) + legend_height(legend) + 12};
  std::string text = open(plot.frame, legend) + y_axis(canvas, round_ticks(0, y_high, 4));
  const double group = 0.8, each = group / static_cast<double>(std::max<std::size_t>(plot.series.size(), 1));
  for (std::size_t c = 0; c < plot.categories.size(); ++c) {
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
      const double value = plot.series[s].values.at(c);
      if (!std::isfinite(value)) continue;
      const double from = static_cast<double>(c) + 0.5 * (1 - group) + each * static_cast<double>(s);
      const double x = canvas.x(from) + 1, width = canvas.x(from + each) - canvas.x(from) - 2;
      text += bar(x, canvas.y(value), width, canvas.y(0) - canvas.y(value), plot.series[s].colour,
                  plot.categories[c] + ", " + prefix(plot.series[s].name) + label_number(value));
      double top = canvas.y(value);
      const std::vector<ValueRange>& ranges = plot.series[s].ranges;
      if (!ranges.empty() && is_finite(ranges.at(c))) {
        const ValueRange& range = ranges[c];
        text += whisker(x + 0.5 * width, canvas.y(range.low), canvas.y(range.high));
        top = std::min(top, canvas.y(range.high));
      }
      const double letters = std::min(9.0, 0.4 * (width + 2));  // four beside those of the next bar
      text += text_at(x + 0.5 * width, top - 3, fixed(value, digits), letters, "middle");
    }
    text += category_at(canvas.x(static_cast<double>(c) + 0.5), plot.frame.height - bottom + 15,
                        plot.categories[c], canvas.x(1) - canvas.x(0) - 4);
  }
  return text + "\n" + x_axis(canvas, {}) + "</svg>\n";
}

}  // namespace startle
