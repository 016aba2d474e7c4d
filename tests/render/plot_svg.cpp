#include "render/plot_svg.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <pugixml.hpp>

#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

pugi::xml_document parsed(const std::string& svg) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_string(svg.c_str());
  INFO(result.description() << " at " << result.offset);
  REQUIRE(result);
  return document;
}

/// Elements of that name that carry a tool tip: the data marks.
std::vector<pugi::xml_node> marks(const pugi::xml_document& document, const char* name) {
  std::vector<pugi::xml_node> found;
  for (pugi::xml_node node : document.child("svg").children(name))
    if (node.child("title")) found.push_back(node);
  return found;
}

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("[render] ticks: round numbers within the range, about as many as asked for") {
  CHECK(round_ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.2 * 2, 0.2 * 3, 0.8, 1});
  CHECK(round_ticks(0, 10.5, 4) == std::vector<double>{0, 5, 10});
  CHECK(round_ticks(-3, 4, 7) == std::vector<double>{-3, -2, -1, 0, 1, 2, 3, 4});
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const double low = random.uniform(-100, 100), width = std::pow(10, random.uniform(-3, 5));
    const int count = random.integer(2, 8);
    const std::vector<double> ticks = round_ticks(low, low + width, count);
    CAPTURE(low, width, count);
    REQUIRE(ticks.size() <= static_cast<std::size_t>(count) + 1);
    for (const double tick : ticks) {
      REQUIRE(tick >= low - 1e-6 * width);
      REQUIRE(tick <= low + width * (1 + 1e-6));
    }
    REQUIRE(ticks.size() >= static_cast<std::size_t>(count / 2.5));  // steps grow by 2.5 at most
    if (ticks.size() < 2) continue;
    // All have one distance, 1, 2 or 5 times a power of ten, and are its multiples: none is left out up to
    // the ends.
    const double apart = ticks[1] - ticks[0], power = std::pow(10, std::floor(std::log10(apart) + 1e-6)),
                 digit = std::round(apart / power), step = digit * power;
    REQUIRE((digit == 1 || digit == 2 || digit == 5));
    for (std::size_t k = 0; k < ticks.size(); ++k) {
      REQUIRE(std::abs(ticks[k] / step - std::round(ticks[k] / step)) < 1e-6);
      if (k > 0) REQUIRE(ticks[k] - ticks[k - 1] == Approx(step).epsilon(1e-6));
    }
    REQUIRE(ticks.front() - step < low);
    REQUIRE(ticks.back() + step > low + width);
    // No coarser than it must be: the next finer step of 1, 2, 5 would give more than are asked for.
    const double finer = digit == 5 ? step * 2 / 5 : step / 2;
    REQUIRE(width / finer > count);
  }
}

TEST_CASE("[render] histogram: heights are counts, series stack, and nothing in range is lost") {
  // Bins of width 0.25. a: 0, 0.1 | 0.25 | - | 1 (closed at the end); b: 0.2 | - | 0.5 | -. Outside or not
  // finite: left out.
  const Histogram plot{
      .frame = {.title = "t"},
      .bins = 4,
      .series = {{"a", "#111111", {0, 0.1, 0.25, 1, -0.1, 1.1, not_a_number}}, {"b", "#222222", {0.2, 0.5}}},
      .lines = {}};
  const pugi::xml_document document = parsed(plot_svg(plot));
  const auto bars = marks(document, "rect");
  std::map<std::string, double> heights;
  for (pugi::xml_node bar : bars)
    heights[bar.child("title").child_value()] = bar.attribute("height").as_double();
  REQUIRE(heights.size() == 5);
  const double one = heights.at("a: 1 in [0.25, 0.5)");
  CHECK(heights.at("a: 2 in [0, 0.25)") == Approx(2 * one).margin(0.02));
  CHECK(heights.at("b: 1 in [0, 0.25)") == Approx(one).margin(0.02));
  CHECK(heights.at("b: 1 in [0.5, 0.75)") == Approx(one).margin(0.02));
  CHECK(heights.at("a: 1 in [0.75, 1]") == Approx(one).margin(0.02));
  // b stands on a in the first bin.
  const auto bar = [&](const std::string& tip) {
    for (pugi::xml_node node : bars)
      if (node.child("title").child_value() == tip) return node;
    return pugi::xml_node();
  };
  CHECK(bar("b: 1 in [0, 0.25)").attribute("y").as_double() + one ==
        Approx(bar("a: 2 in [0, 0.25)").attribute("y").as_double()).margin(0.02));
}

TEST_CASE("[render] histogram: values on bin edges that are no binary fractions fall into the upper bin") {
  std::vector<double> edges;
  for (int i = 0; i < 20; ++i) edges.push_back(i / 20.0);
  const auto document = parsed(
      plot_svg(Histogram{.frame = {}, .series = {{"", "#000000", edges}}, .lines = {}}));
  CHECK(marks(document, "rect").size() == 20);  // one in each of the 20 bins
}

TEST_CASE("[render] scatter: equal points are one disc with an area that grows with their number") {
  const ScatterPlot plot{
      .frame = {},
      .series = {{"s",
                  "#123456",
                  {{0.5, 0.5}, {0.1, 0.1}, {0.5, 0.5}, {not_a_number, 0}, {0.5, 0.5}, {0.5, 0.5}, {2, 0}}}}};
  const pugi::xml_document document = parsed(plot_svg(plot));
  const auto discs = marks(document, "circle");
  REQUIRE(discs.size() == 2);
  CHECK(discs[1].attribute("r").as_double() == Approx(2 * discs[0].attribute("r").as_double()).margin(0.02));
}

TEST_CASE("[render] bars: heights are in proportion to the values, missing ones are left out") {
  const BarChart plot{.frame = {},
                      .categories = {"x", "y"},
                      .series = {{"p", "#123456", {0.5, 1}}, {"q", "#654321", {0.25, not_a_number}}},
                      .y_high = {}};
  const pugi::xml_document document = parsed(plot_svg(plot));
  const auto bars = marks(document, "rect");
  REQUIRE(bars.size() == 3);
  CHECK(bars[0].attribute("height").as_double() ==
        Approx(2 * bars[1].attribute("height").as_double()).margin(0.02));
  CHECK(bars[2].attribute("height").as_double() ==
        Approx(2 * bars[0].attribute("height").as_double()).margin(0.02));
}

TEST_CASE("[render] bars: a value whose range is not known has no whisker") {
  const auto whiskers = [](const std::vector<ValueRange>& ranges) {
    const pugi::xml_document document = parsed(plot_svg(
        BarChart{.frame = {},
                 .categories = {"x", "y"},
                 .series = {{.name = "p", .colour = "#123456", .values = {0.5, 1}, .ranges = ranges}},
                 .y_high = {}}));
    return document.select_nodes("//path").size();
  };
  const ValueRange known{0.4, 0.6}, unknown{not_a_number, not_a_number};
  CHECK(whiskers({}) == 0);
  CHECK(whiskers({known, known}) == 2);
  CHECK(whiskers({known, unknown}) == 1);
}

TEST_CASE("[render] bars: values of a chart have equally many digits, and a number stays with its %") {
  const auto values = [](const std::vector<double>& of_bars) {
    const pugi::xml_document document = parsed(
        plot_svg(BarChart{.frame = {},
                          .categories = std::vector<std::string>(of_bars.size(), "x"),
                          .series = {{"p", "#123456", of_bars}},
                          .y_high = {}}));
    std::vector<std::string> found;
    for (const pugi::xpath_node& node : document.select_nodes("//text[@font-size='9']"))
      found.push_back(node.node().child_value());
    return found;
  };
  using Texts = std::vector<std::string>;
  CHECK(values({0.7, 0.98}) == Texts{"0.70", "0.98"});
  CHECK(values({0.704, 1}) == Texts{"0.7", "1.0"});
  CHECK(values({12, 0.999}) == Texts{"12", "1"});
  const std::string narrow = plot_svg(BarChart{.frame = {.width = 100},
                                               .categories = {"detected at 70 %"},
                                               .series = {{"p", "#123456", {1}}},
                                               .y_high = {}});
  CHECK_THAT(narrow, Catch::Contains(">70 %<") || Catch::Contains(">at 70 %<"));
}

TEST_CASE("[render] bars: a category wider than its bars is broken near its middle, others are not") {
  const BarChart plot{.frame = {.width = 298},
                      .categories = {"stone-gravity_scale-down", "T1"},
                      .series = {{"p", "#123456", {0.5, 1}}},
                      .y_high = {}};  // 120 wide each
  const std::string svg = plot_svg(plot);
  for (const char* line : {">stone-gravity_<", ">scale-down<", ">T1<"})
    CHECK_THAT(svg, Catch::Contains(line));
  const BarChart wide{
      .frame = {.width = 600}, .categories = plot.categories, .series = plot.series, .y_high = {}};
  CHECK_THAT(plot_svg(wide), Catch::Contains(">stone-gravity_scale-down<"));
  // In three lines at most, and in smaller letters where these are too long.
  const BarChart narrow{.frame = {.width = 178},
                        .categories = {"physics, exact speeds, 2 frames ahead"},
                        .series = {{"p", "#123456", {0.5}}},
                        .y_high = {}};  // 120 wide: 20 letters
  for (const char* line : {"\"10.5\" text-anchor=\"middle\" fill=\"#333333\">physics, exact <",
                           ">speeds, 2 <", ">frames ahead<"})
    CHECK_THAT(plot_svg(narrow), Catch::Contains(line));
  BarChart narrower = narrow;
  narrower.frame.width = 138;  // 76 wide, for 14 letters of 5.9
  CHECK_THAT(plot_svg(narrower),
             Catch::Contains("\"9.66\" text-anchor=\"middle\" fill=\"#333333\">physics, "));
}

TEST_CASE(
    "[render] plots: a legend that is wider than its picture goes on in the next row, and the axes make "
    "room") {
  const auto picture = [](int series) {
    LinePlot plot{.frame = {.width = 300, .height = 200},
                  .x_low = 0,
                  .x_high = 1,
                  .y_low = 0,
                  .y_high = 1,
                  .series = {},
                  .lines = {}};
    for (int s = 0; s < series; ++s)
      plot.series.push_back(
          {"a name of 21 letters" + std::string(1, static_cast<char>('a' + s)), "#111111", {{0, 1}, {1, 1}}});
    return plot_svg(plot);
  };
  const auto names = [&](int series) {
    std::vector<pugi::xml_node> found;
    static pugi::xml_document document;  // the nodes live in it
    document = parsed(picture(series));
    for (const pugi::xpath_node& node : document.select_nodes("//text"))
      if (std::string(node.node().child_value()).starts_with("a name")) found.push_back(node.node());
    return found;
  };
  REQUIRE(names(5).size() == 5);
  double y = 0;
  for (const pugi::xml_node& name : names(5)) {
    CHECK(name.attribute("x").as_double() + 6.6 * 21 <= 300);  // as wide as letters are taken to be
    CHECK(name.attribute("y").as_double() > y);  // two of them would be 2 x 138 + 49 + 27 = 352 wide
    y = name.attribute("y").as_double();
  }
  const auto top = [&](int series) {  // of the line at 1
    const std::string text = picture(series);
    const std::size_t at = text.find("<path d=\"M");
    REQUIRE(at != std::string::npos);
    return std::stod(text.substr(text.find(' ', at + 9)));
  };
  CHECK(top(5) == Approx(top(2) + 3 * 15));
  CHECK(top(5) > y);
}

TEST_CASE("[render] lines: strokes stand in the legend, and bands end where lines break and at the axes") {
  LinePlot plot{.frame = {.width = 300, .height = 200},
                .series = {{"unbroken", "#111111", {{0, 0.5}, {1, 0.5}}},
                           {.name = "dashes",
                            .colour = "#222222",
                            .points = {{0, 0.2}, {0.5, 0.4}, {0.75, not_a_number}, {1, 0.5}},
                            .dash = "6 3",
                            .ranges = {{-1, 0.3}, {0.3, 2}, {0, 1}, {0, 1}}}},
                .lines = {}};
  const pugi::xml_document document = parsed(plot_svg(plot));
  std::vector<std::string> bands;
  for (const pugi::xpath_node& node : document.select_nodes("//path[@fill-opacity]"))
    bands.push_back(node.node().attribute("d").value());
  REQUIRE(bands.size() == 1);  // the third point is none, and the fourth is alone
  CHECK(std::count(bands[0].begin(), bands[0].end(), 'L') == 3);
  const auto ends = [&](double value) {  // of the y axis, by the label of the tick there
    for (const pugi::xpath_node& node : document.select_nodes("//text[@text-anchor='end']"))
      if (std::stod(node.node().child_value()) == value) return node.node().attribute("y").as_double() - 3.5;
    return not_a_number;
  };
  std::vector<double> y;  // 0.3 and the top of the plot there, 0.3 and its foot back
  for (std::size_t at = bands[0].find(' '); at != std::string::npos; at = bands[0].find(' ', at + 1))
    y.push_back(std::stod(bands[0].substr(at + 1)));
  REQUIRE(y.size() == 4);
  CHECK(y[1] == Approx(ends(1)).margin(0.02));
  CHECK(y[3] == Approx(ends(0)).margin(0.02));
  CHECK(y[0] == Approx(y[2]).margin(0.02));
  CHECK(document.select_nodes("//line[@stroke='#222222'][@stroke-dasharray='6 3']").size() == 1);
  CHECK(document.select_nodes("//line[@stroke='#111111'][not(@stroke-dasharray)]").size() == 1);
  CHECK(document.select_nodes("//path[@stroke='#222222'][@stroke-dasharray='6 3']").size() == 1);
  plot.series[1].dash.clear();
  CHECK(parsed(plot_svg(plot)).select_nodes("//rect[@height='9']").size() == 2);  // squares again
}

TEST_CASE(
    "[render] plots: empty data and strange labels still give well-formed pictures, the same bytes each "
    "time") {
  const PlotFrame strange{.title = "a<b & \"c\"", .x_label = "<x>", .y_label = "&"};
  const Histogram histogram{
      .frame = strange, .series = {{"<s>", "#000000", {}}, {"t", "#000000", {}}}, .lines = {{0.5, "<l>"}}};
  parsed(plot_svg(histogram));
  parsed(plot_svg(ScatterPlot{.frame = strange, .series = {{"", "#000000", {}}}}));
  parsed(plot_svg(BarChart{.frame = strange, .categories = {}, .series = {}, .y_high = {}}));
  CHECK(plot_svg(histogram) == plot_svg(histogram));
}

TEST_CASE(
    "[render] line plot: points are joined in their order, and one out of range or not finite breaks the "
    "line") {
  const LinePlot plot{.frame = {.title = "t"},
                      .x_low = 0,
                      .x_high = 4,
                      .y_low = 0,
                      .y_high = 10,
                      .series = {{"a", "#111111", {{0, 0}, {1, 10}, {2, not_a_number}, {3, 5}, {4, 11}}},
                                 {"b", "#222222", {}}},
                      .lines = {{2, "middle"}}};
  const pugi::xml_document document = parsed(plot_svg(plot));
  const auto discs = marks(document, "circle");
  REQUIRE(discs.size() == 3);
  CHECK(std::string(discs[1].child("title").child_value()) == "a: 10 at 1");
  // Left to right, and up the page for larger values; the first two points joined, the third alone.
  CHECK(discs[0].attribute("cx").as_double() < discs[1].attribute("cx").as_double());
  CHECK(discs[0].attribute("cy").as_double() > discs[1].attribute("cy").as_double());
  const std::string path = document.child("svg").child("path").attribute("d").value();
  CHECK(std::count(path.begin(), path.end(), 'M') == 2);
  CHECK(std::count(path.begin(), path.end(), 'L') == 1);
}
