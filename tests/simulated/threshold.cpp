#include "simulated/threshold.hpp"

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

LevelDetection seen(std::vector<int> detected, int shots = 10) {
  LevelDetection level{
      .novel = true, .target = true, .shots = shots, .detected = {std::move(detected)}, .predicted = {}};
  level.predicted.assign(level.detected[0].size(), 0.5);
  level.predicted[0] = 0.05;
  return level;
}

}  // namespace

TEST_CASE("[simulated] threshold: where the curve crosses one half above false alarms, by hand") {
  // alpha = 0.05: wanted is 0.05 + 0.95/2 = 0.525.
  CHECK(*detection_threshold({1, 2}, {0.3, 0.75}, 0.05) == Approx(1 + (0.525 - 0.3) / 0.45));
  CHECK(*detection_threshold({1, 2}, {0.6, 0.9}, 0.05) == Approx((0.525 - 0.05) / 0.55));  // from (0, 0.05)
  CHECK_FALSE(detection_threshold({0.5, 1, 2}, {0.1, 0.525, 0.4}, 0.05).has_value());  // 0.525 and 0.4 are
                                                                                       // pooled to 0.4625
  CHECK_FALSE(detection_threshold({1, 2}, {0.3, 0.5}, 0.05).has_value());
  // No rate is below alpha
  CHECK(*detection_threshold({1, 2, 4}, {0, 0, 1}, 0.05) == Approx(2 + 2 * (0.525 - 0.05) / 0.95));
}

TEST_CASE("[simulated] threshold: shots are counted over levels, and levels that say nothing are left out") {
  ThresholdOptions options{.strengths = {1, 2}};
  LevelDetection bare, blind{.novel = true, .detected = {}, .predicted = {}};
  const DetectionCurve curve = detection_curve({seen({0, 4, 10}), bare, seen({1, 2, 10}), blind}, options);
  CHECK(curve.levels == 2);
  CHECK(curve.without_novel == 1);
  CHECK(curve.without_target == 1);
  REQUIRE(curve.points.size() == 3);
  CHECK(curve.points[0].strength == 0);
  CHECK(curve.points[1].detected.hits == 6);
  CHECK(curve.points[1].detected.count == 20);
  CHECK(curve.points[1].predicted == 0.5);
  CHECK(curve.points[1].interval->low == Approx(0.2));  // both draws the second level
  CHECK(curve.points[1].interval->high == Approx(0.4));
  CHECK(*curve.threshold->strength == Approx(1 + (0.525 - 0.3) / 0.7));
  CHECK(*curve.threshold->low <= *curve.threshold->strength);
  CHECK(*curve.threshold->high >= *curve.threshold->strength);
  CHECK_FALSE(curve.predicted->strength);  // 0.5 is below 0.525

  const DetectionCurve never = detection_curve({seen({0, 1, 2})}, options);
  CHECK_FALSE(never.threshold->strength);
  CHECK_FALSE(never.threshold->low);
  CHECK_THROWS_WITH(detection_curve({bare, blind}, options),
                    Catch::Contains("1 hold nothing") && Catch::Contains("1 have no target"));
  CHECK_THROWS_WITH(detection_curve({}, options), Catch::Contains("of 0 levels"));
}

TEST_CASE(
    "[simulated] threshold: a light tower is detected the more the lighter, and nothing is at strength 0 "
    "without aim noise") {
  const Scene normal = settle(
      scene_of({block("RectFat", Material::wood, 1, ground),
                block("RectFat", Material::wood, 1, ground + 0.43), pig("BasicSmall", 2.2, ground)}));
  ThresholdOptions options{
      .strengths = {0.01, 1}, .launches = 2, .observer = {.aim_noise = 0, .simulations = 19}};
  const LevelDetection level = detect_at_strengths(normal, "tower", find_novelty("wood-density-down"),
                                                   options);
  REQUIRE(level.target);
  CHECK(level.shots == 2);
  CHECK(level.detected[0][0] == 0);
  CHECK(level.detected[0][2] == 2);
  CHECK(level.predicted.size() == 3);
  CHECK(level.predicted[0] == false_alarm_chance);
  CHECK(level.predicted[2] > level.predicted[1]);
  CHECK_FALSE(detect_at_strengths(normal, "tower", find_novelty("stone-density-up"), options).novel);
  CHECK_FALSE(detect_at_strengths(scene_of({block("RectFat", Material::wood, 1, ground)}, 0), "no bird",
                                  find_novelty("wood-density-up"), options)
                  .target);
}

TEST_CASE("[simulated] threshold: what cannot be used is refused with what is allowed") {
  const auto refused = [](const ThresholdOptions& options, const std::string& field) {
    CHECK_THROWS_WITH(require_valid(options),
                      Catch::Contains(field) && Catch::Contains("found") && Catch::Contains("allowed"));
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& strengths :
       std::vector<std::vector<double>>{{}, {0}, {-1}, {nan}, {9}, {1, 1}, {2, 1}, {1, nan}})
    refused({.strengths = strengths}, "strengths");
  for (const int launches : {-1, 1001}) refused({.launches = launches}, "launches");
  for (const double alpha : {0.0, 0.02, 0.6, nan}) refused({.alpha = alpha}, "alpha");
  CHECK_NOTHROW(require_valid({.alpha = 0.05, .observer = {.simulations = 19}}));
  CHECK_THROWS_WITH(require_valid(ThresholdOptions{.observer = {.aim_noise = nan}}),
                    Catch::Contains("aim noise"));
}

TEST_CASE("[simulated] threshold: rates that fall are pooled with all before them that are higher") {
  // 0.6, 0.5 and 0.1 have the mean 0.4; from there to 0.9 wanted is 0.525.
  CHECK(*detection_threshold({1, 2, 3, 4}, {0.6, 0.5, 0.1, 0.9}, 0.05) == Approx(3 + 0.125 / 0.5));
  CHECK(*detection_threshold({1, 2, 3, 4}, {0.3, 0.8, 0.6, 0.7}, 0.05) == Approx(1 + 0.225 / 0.4));
}

TEST_CASE("[simulated] threshold: one shot of one level has a curve") {
  const DetectionCurve curve = detection_curve({seen({0, 1, 1}, 1)}, {.strengths = {1, 2}});
  REQUIRE(curve.points.size() == 3);
  CHECK(curve.points[1].predicted == 0.5);
  CHECK(curve.points[2].detected.hits == 1);
}

TEST_CASE("[simulated] threshold: without launches there is a prediction, and nothing measured") {
  const Scene normal = settle(
      scene_of({block("RectFat", Material::wood, 1, ground),
                block("RectFat", Material::wood, 1, ground + 0.43), pig("BasicSmall", 2.2, ground)}));
  ThresholdOptions options{.strengths = {0.5, 1, 2}, .launches = 2, .observer = {.simulations = 19}};
  const Novelty& novelty = find_novelty("wood-density-down");
  const LevelDetection launched = detect_at_strengths(normal, "tower", novelty, options);
  options.launches = 0;
  const LevelDetection alone = detect_at_strengths(normal, "tower", novelty, options);
  CHECK(alone.shots == 0);
  CHECK(alone.predicted == launched.predicted);
  const DetectionCurve curve = detection_curve({alone}, options);
  CHECK_FALSE(curve.threshold);
  REQUIRE(curve.predicted);
  for (std::size_t k = 0; k < curve.points.size(); ++k) {
    CHECK(curve.points[k].detected.count == 0);
    CHECK_FALSE(curve.points[k].interval);
    CHECK(*curve.points[k].predicted == alone.predicted[k]);
  }
  CHECK(curve.predicted->strength ==
        detection_threshold(options.strengths, {alone.predicted.begin() + 1, alone.predicted.end()}, 0.05));
  CHECK_THROWS_WITH(detection_chance(normal, find_novelty("ice-vanishes"), {.angle = 0.5}),
                    Catch::Contains("ice-vanishes"));
}

TEST_CASE(
    "[simulated] threshold: at the strengths by default each is twice the one before, 1 is among them") {
  const std::vector<double> strengths = ThresholdOptions{}.strengths;
  CHECK(std::count(strengths.begin(), strengths.end(), 1.0) == 1);
  for (std::size_t k = 1; k < strengths.size(); ++k) CHECK(strengths[k] == 2 * strengths[k - 1]);
  CHECK_NOTHROW(require_valid(ThresholdOptions{}));
}

TEST_CASE("[simulated] threshold: extremes are allowed") {
  CHECK_NOTHROW(require_valid(ThresholdOptions{.strengths = {greatest_strength}}));
  CHECK_NOTHROW(require_valid(ThresholdOptions{.strengths = {1e-9, greatest_strength}}));
  for (const int launches : {0, 1000}) CHECK_NOTHROW(require_valid(ThresholdOptions{.launches = launches}));
  CHECK_NOTHROW(require_valid(ThresholdOptions{.alpha = 0.5}));
  CHECK_NOTHROW(require_valid(ThresholdOptions{.alpha = 0.025, .observer = {.simulations = 39}}));
  CHECK_THROWS_AS(require_valid(ThresholdOptions{.alpha = 0.0249, .observer = {.simulations = 39}}), Error);
  CHECK_THROWS_AS(require_valid(ThresholdOptions{.alpha = 0.501}), Error);
  // By default a shot can have a p-value of 1/40.
  CHECK_NOTHROW(require_valid(ThresholdOptions{.alpha = 0.025}));
  CHECK_THROWS_AS(require_valid(ThresholdOptions{.alpha = 0.0249}), Error);
  CHECK_THROWS_AS(require_valid(ThresholdOptions{.strengths = {greatest_strength + 1e-9}}), Error);
}

TEST_CASE("[simulated] threshold: other detectors are asked of every launch in every world") {
  const Scene normal = settle(scene_of({block("RectFat", Material::wood, 1, ground)}));
  const ThresholdOptions options{
      .strengths = {1, 2}, .launches = 3, .observer = {.aim_noise = 0, .simulations = 19}};
  std::vector<int> asked(2, 0);
  std::vector<int> every;
  // The first detects at alpha just, in every second launch of a world; the second never.
  const std::vector<StrengthDetector> others{{.record_every = 3,
                                              .p =
                                                  [&](const Scene& before, const Trace& trace) {
                                                    CHECK(before.objects.size() == 1);
                                                    every.push_back(trace.record_every);
                                                    return asked[0]++ / 3 % 2 == 0 ? 0.05 : 0.06;
                                                  }},
                                             {.record_every = 5, .p = [&](const Scene&, const Trace& trace) {
                                                every.push_back(trace.record_every);
                                                ++asked[1];
                                                return 0.051;
                                              }}};
  const LevelDetection level = detect_at_strengths(normal, "one", find_novelty("wood-density-down"), options,
                                                   others);
  REQUIRE(level.detected.size() == 3);
  for (const std::vector<int>& counts : level.detected) CHECK(counts.size() == 3);
  CHECK(asked == std::vector<int>{9, 9});
  for (std::size_t k = 0; k < every.size(); ++k) CHECK(every[k] == (k % 2 == 0 ? 3 : 5));
  CHECK(level.detected[1] == std::vector<int>{2, 2, 2});
  CHECK(level.detected[2] == std::vector<int>{0, 0, 0});
  // Of each detector there is a curve.
  const DetectionCurve curve = detection_curve({level}, options, 1);
  CHECK(curve.points[1].detected.hits == 2);
  CHECK(curve.points[1].detected.count == 3);
  CHECK(detection_curve({level}, options, 2).points[2].detected.hits == 0);
}

TEST_CASE("[simulated] threshold: of people false alarms are measured, by hand") {
  // Two participants; at strength 0, 1 and 2 they detect 1, 2, 4 of 4 and 1, 1, 2 of 4, 2 and 2.
  const std::vector<StrengthCounts> units{{{{1, 4}, {2, 4}, {4, 4}}, {}}, {{{1, 4}, {1, 2}, {2, 2}}, {}}};
  const DetectionCurve curve = detection_curve(units, {1, 2}, std::nullopt, 7);
  CHECK(curve.levels == 2);
  CHECK(curve.without_novel == 0);
  CHECK(curve.without_target == 0);
  CHECK(curve.false_alarms == 0.25);
  REQUIRE(curve.points.size() == 3);
  CHECK(curve.points[0].strength == 0);
  CHECK(curve.points[1].strength == 1);
  CHECK(curve.points[2].strength == 2);
  CHECK(curve.points[2].detected.value() == 1);
  // Wanted is 0.25 + 0.75/2 = 0.625, between 0.5 at 1 and 1 at 2.
  CHECK(*curve.threshold->strength == Approx(1.25));
  CHECK(*curve.threshold->low == Approx(1.25));  // either alone has the same rates
  CHECK(*curve.threshold->high == Approx(1.25));
  CHECK_FALSE(curve.predicted);
  CHECK(detection_curve(units, {1, 2}, 0.05, 7).false_alarms == 0.05);
  // Without shots at strength 0 there are no false alarms; without any at a strength it is left out.
  const DetectionCurve bare = detection_curve({{{{0, 0}, {0, 0}, {3, 4}}, {}}}, {1, 2}, std::nullopt, 7);
  CHECK(bare.false_alarms == 0);
  CHECK(*bare.threshold->strength == Approx(2 * 0.5 / 0.75));  // from (0, 0) to (2, 3/4)
}
