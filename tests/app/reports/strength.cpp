/// \file  Curves of detection against strength.
#include <cmath>

#include "app/reports/strength_chart.hpp"
#include "app/reports/tiers.hpp"
#include "checks.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

/// 2, 5 and 8 of 10 at strengths 0.5, 1 and 2, and one false alarm at 0.
StrengthCurve curve_of(const std::string& novelty, const std::string& tier, const std::string& detector) {
  StrengthCurve one{.novelty = novelty, .description = "", .tier = tier, .detector = detector, .curve = {}};
  const std::vector<double> strengths{0, 0.5, 1, 2};
  const std::vector<std::size_t> hits{1, 2, 5, 8};
  for (std::size_t i = 0; i < strengths.size(); ++i) {
    const double share = static_cast<double>(hits[i]) / 10;
    one.curve.points.push_back({.strength = strengths[i],
                                .detected = {hits[i], 10},
                                .interval = IntervalEstimate{share - 0.1, share + 0.1},
                                .predicted = 1 - share,
                                .predicted_interval = IntervalEstimate{0.9 - share, 1}});
  }
  return one;
}

pugi::xml_document chart_of(const std::vector<StrengthCurve>& curves) {
  pugi::xml_document document;
  const std::string svg = strength_chart(curves);
  check_numbers(svg);
  REQUIRE(document.load_string(svg.c_str()));
  return document;
}

/// Of the lines, "colour dash", in order.
std::vector<std::string> lines_of(const pugi::xml_document& document) {
  std::vector<std::string> lines;
  for (const pugi::xpath_node& path : document.select_nodes("//path[@stroke-width='1.6']"))
    lines.push_back(std::string(path.node().attribute("stroke").value()) + " " +
                    path.node().attribute("stroke-dasharray").value());
  return lines;
}

}  // namespace

TEST_CASE("[reports] strength: by tier colours are tiers, strokes are detectors, bands are intervals") {
  std::vector<StrengthCurve> curves;
  for (const char* novelty : {"T1", "T2", "all"})
    for (const char* tier : {"easy", "medium", "hard"})
      for (const char* detector : {"observer", "dynamics"})
        curves.push_back(curve_of(novelty, tier, detector));
  const pugi::xml_document document = chart_of(curves);
  const std::string easy = colour_of("easy"), medium = colour_of("medium"), hard = colour_of("hard");
  CHECK(lines_of(document) == std::vector<std::string>{easy + " ", easy + " 7 4", medium + " ",
                                                       medium + " 7 4", hard + " ",
                                                       hard + " 7 4"});  // those over all novelties
  CHECK(document.select_nodes("//path[@fill-opacity]").size() == 6);
  CHECK(document.select_nodes("//circle").size() == 6 * 3);  // strength 0 has no logarithm
  CHECK(document.select_node("//text[.='hard dynamics']"));
  CHECK(document.select_node("//title[.='easy observer: 0.8 at 1']"));
}

TEST_CASE(
    "[reports] strength: without tiers colours are novelties, and the observer alone has a prediction") {
  const pugi::xml_document alone = chart_of(
      {curve_of("T1", "all", "observer"), curve_of("T2", "all", "observer")});
  CHECK(lines_of(alone) == std::vector<std::string>{"#0072B2 ", "#0072B2 2 3", "#D55E00 ", "#D55E00 2 3"});
  CHECK(alone.select_node("//text[.='T2 predicted']"));
  const pugi::xml_document people = chart_of(
      {curve_of("T1", "all", "observer"), curve_of("T1", "all", "people")});
  CHECK(lines_of(people) == std::vector<std::string>{"#0072B2 ", "#0072B2 7 4"});
  CHECK_FALSE(people.select_node("//text[.='T1 predicted']"));
  // Nothing launched: the prediction alone.
  StrengthCurve unseen = curve_of("T1", "all", "observer");
  for (StrengthPoint& point : unseen.curve.points) point.detected = {}, point.interval = {};
  CHECK(lines_of(chart_of({unseen})) == std::vector<std::string>{"#0072B2 2 3"});
  // One strength, and none.
  StrengthCurve one = curve_of("T1", "all", "observer");
  one.curve.points.resize(2);
  chart_of({one});
  one.curve.points.clear();
  chart_of({one});
}
