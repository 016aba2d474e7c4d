#include "app/reports/played_levels.hpp"

#include <nlohmann/json.hpp>

#include "checks.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

PlayedLevelResult result_of(const std::string& novelty, const std::string& tier, double predicted,
                            const std::vector<double>& detected, double false_alarm = 0) {
  PlayedLevelResult result{.level = novelty + tier + std::to_string(predicted),
                           .novelty = novelty,
                           .tier = tier,
                           .birds = 3,
                           .objects = 20,
                           .predicted = predicted,
                           .imagined = predicted / 2,
                           .imagined_shots = 2,
                           .novel = {},
                           .normal = {LevelPlay{.shots = {}, .detected = false_alarm}}};
  for (const double chance : detected)
    result.novel.push_back(LevelPlay{.shots = std::vector<TestedShot>(2), .detected = chance});
  return result;
}

/// Six levels a tier; plays detect all of the easy ones, half of the medium ones, none of the hard ones.
std::vector<PlayedLevelResult> results_of(const std::string& novelty) {
  std::vector<PlayedLevelResult> results;
  for (int i = 0; i < 6; ++i) {
    results.push_back(result_of(novelty, "hard", 0.1 + 0.02 * i, {0, 0}, i == 0 ? 0.6 : 0));
    results.push_back(result_of(novelty, "easy", 0.9 + 0.01 * i, {1, 1}));
    results.push_back(result_of(novelty, "medium", 0.5 + 0.01 * i, {i % 2 == 0 ? 1.0 : 0.0, 0.5}));
  }
  return results;
}

/// Ten levels: five of prediction .2, five of .8.
std::vector<PlayedLevelResult> two_kinds(const std::vector<double>& low, const std::vector<double>& high) {
  std::vector<PlayedLevelResult> results;
  for (int i = 0; i < 5; ++i) {
    results.push_back(result_of("T1", "hard", 0.2, low));
    results.push_back(result_of("T1", "easy", 0.8, high));
  }
  return results;
}

}  // namespace

TEST_CASE("[reports] played levels: means by novelty and tier, by hand") {
  std::vector<PlayedLevelResult> results = results_of("T2");
  const std::vector<PlayedLevelResult> others = results_of("T1");
  results.insert(results.end(), others.begin(), others.end());
  const std::vector<PlayedSummary> of = summaries(results);
  const Rows rows = summary_rows(of);
  CHECK(check_table(rows) >= 20);
  std::vector<std::string> order;
  for (std::size_t i = 1; i < rows.size(); ++i) order.push_back(rows[i][0] + " " + rows[i][1]);
  CHECK(order == std::vector<std::string>{"T2 easy", "T2 medium", "T2 hard", "T2 all", "T1 easy", "T1 medium",
                                          "T1 hard", "T1 all", "all easy", "all medium", "all hard",
                                          "all all"});
  CHECK(cell(rows, {"T2", "easy"}, "levels") == "6");
  CHECK(cell(rows, {"all", "all"}, "levels") == "36");
  CHECK(cell(rows, {"T2", "medium"}, "shots") == "2.00");
  CHECK(cell(rows, {"T2", "hard"}, "predicted") == "0.15");
  CHECK(cell(rows, {"T2", "easy"}, "p_level") == "1.00 (0.61 to 1.00)");                // 1/(1 + 1.96^2/6)
  CHECK_THAT(cell(rows, {"T2", "medium"}, "p_level"), Catch::StartsWith("0.50 ("));     // .75 or .25
  CHECK_THAT(cell(rows, {"T2", "hard"}, "false alarms"), Catch::StartsWith("0.10 ("));  // .6 of 6
  CHECK_THAT(played_finding(of), Catch::StartsWith("One play of a level detects 100 % (95 % interval ") &&
                                     Catch::Contains(") of easy, 50 % (") &&
                                     Catch::Contains(") of medium and 0 % (") &&
                                     Catch::Contains(") of hard changes; false alarms: 3 % ("));
  const Rows trends = trend_rows(results);
  check_table(trends);
  CHECK(cell(trends, {"T2"}, "p_level") == "falls, p < 0.0001");
  CHECK(cell(trends, {"T2"}, "birds") == "-");  // all alike
  CHECK(cell(trends, {"T2"}, "shots") == "-");
  CHECK(cell(trends, {"all"}, "objects") == "-");
}

TEST_CASE("[reports] played levels: thirds in their order, called so") {
  std::vector<PlayedLevelResult> results;
  for (int i = 0; i < 3; ++i) {
    results.push_back(result_of("T1", "high", 0.1, {0}));
    results.push_back(result_of("T1", "low", 0.9, {1}));
    results.push_back(result_of("T1", "middle", 0.5, {0.5}));
  }
  const std::vector<PlayedSummary> of = summaries(results);
  REQUIRE(of.size() == 4);
  CHECK(of[0].tier == "low");
  CHECK(of[1].tier == "middle");
  CHECK(of[2].tier == "high");
  CHECK_THAT(played_finding(of), Catch::StartsWith("One play of a level detects 100 % (95 % interval ") &&
                                     Catch::Contains(") of low, 50 % (") &&
                                     Catch::Contains(") of high changes; false alarms: "));
  CHECK_THAT(cell(trend_rows(results), {"T1"}, "p_level"), Catch::StartsWith("falls, p "));
}

TEST_CASE("[reports] played levels: how well a prediction holds, by hand") {
  CHECK_FALSE(check_prediction(results_of("T1")) == std::nullopt);
  CHECK(check_prediction({}) == std::nullopt);
  const PredictionCheck right = check_prediction(two_kinds({0, 0}, {1, 1})).value();
  CHECK(right.levels == 10);
  CHECK(right.rho == Approx(1));
  CHECK(right.within == Approx(1));
  CHECK(right.error == Approx(0.2));
  CHECK(right.auc == Approx(1));
  CHECK(right.ceiling == Approx(1));
  const PredictionCheck wrong = check_prediction(two_kinds({1, 1}, {0, 0})).value();
  CHECK(wrong.rho == Approx(-1));
  CHECK(wrong.error == Approx(0.8));
  CHECK(wrong.auc == Approx(0));
  // Of detected plays .75 are of the higher ones, of others .25: .75 * .75, and half of what ties.
  const PredictionCheck unsure = check_prediction(two_kinds({0.25}, {0.75})).value();
  CHECK(unsure.auc == Approx(0.75));
  CHECK(unsure.ceiling == std::nullopt);  // no other plays
  // A level's plays that disagree: the other play says the opposite.
  CHECK(check_prediction(two_kinds({0, 1}, {0, 1})).value().ceiling == Approx(0));
  const Rows tenths = tenths_rows(two_kinds({0, 0}, {1, 1}));
  check_table(tenths);
  REQUIRE(tenths.size() == 11);
  CHECK(tenths[1] == std::vector<std::string>{"0.20", "0.20", "1", "0.20", "0.00 (0.00 to 0.79)"});
  CHECK(tenths_rows({}).empty());
}

TEST_CASE("[reports] played levels: the page is well-formed with strange names, of few levels and of none") {
  std::vector<PlayedLevelResult> results = results_of(strange_name);
  const std::vector<PlayedLevelResult> others = results_of("T2");
  results.insert(results.end(), others.begin(), others.end());
  const Page page(played_report({.version = "1",
                                 .command = "startle <&>",
                                 .profile = strange_name,
                                 .options = {},
                                 .results = results}));
  CHECK(page.estimates() > 20);
  CHECK(page.count("//svg") == 1);
  check_figure(played_chart(results), page.html());
  CHECK(cell(page.table("reliability"), {strange_name, "hard"}, "levels") == "6");
  CHECK_THAT(page.text(), Catch::Contains("startle <&>") && Catch::Contains("of easy, 50 % (") &&
                              !Catch::Contains("A sample"));
  results.resize(1);
  const Page one(played_report({.version = "1", .command = "c", .profile = "p", .results = results}));
  CHECK_THAT(one.text(), Catch::Contains("A sample") && !Catch::Contains("Predicted and measured"));
  const Page empty(played_report({.version = "1", .command = "c", .profile = "p", .results = {}}));
  CHECK(empty.estimates() == 0);
  CHECK_THAT(empty.text(), Catch::Contains("No level was played."));
  // Normal plays alone, of levels without a novelty.
  PlayedLevelResult normal = result_of("", "", 0, {}, 0.25);
  normal.predicted.reset();
  CHECK(played_finding(summaries({normal})) ==
        "One play of a level was given no novel changes; false alarms: 25 %.");
  CHECK(summary_rows(summaries({normal})).at(1).at(0) == "-");
}
