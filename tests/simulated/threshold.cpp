#include "simulated/threshold.hpp"

#include <limits>

#include "core/error.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

LevelDetection seen(std::vector<int> detected, int shots = 10) {
  LevelDetection level{
      .novel = true, .target = true, .shots = shots, .detected = {std::move(detected)}, .values = {}};
  level.values.assign(level.detected[0].size(), 0.5);
  level.values[0] = 1;
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
  CHECK(*detection_threshold({1, 2, 4}, {0, 0, 1}, 0.05) == Approx(2 + 2 * (0.525 - 0.05) / 0.95));  // no
                                                                                                     // rate
                                                                                                     // is
                                                                                                     // below
                                                                                                     // alpha
}

TEST_CASE("[simulated] threshold: shots are counted over levels, and levels that say nothing are left out") {
  ThresholdOptions options{.strengths = {1, 2}};
  LevelDetection bare, blind{.novel = true, .detected = {}, .values = {1, 1, 1}};
  const DetectionCurve curve = detection_curve({seen({0, 4, 10}), bare, seen({1, 2, 10}), blind}, options);
  CHECK(curve.levels == 2);
  CHECK(curve.without_novel == 1);
  CHECK(curve.without_target == 1);
  REQUIRE(curve.points.size() == 3);
  CHECK(curve.points[0].strength == 0);
  CHECK(curve.points[1].detected.hits == 6);
  CHECK(curve.points[1].detected.count == 20);
  CHECK(curve.points[1].value == 0.5);
  CHECK(curve.points[1].interval->low == Approx(0.2));  // both draws the second level
  CHECK(curve.points[1].interval->high == Approx(0.4));
  CHECK(*curve.threshold == Approx(1 + (0.525 - 0.3) / 0.7));
  CHECK(*curve.threshold_low <= *curve.threshold);
  CHECK(*curve.threshold_high >= *curve.threshold);

  const DetectionCurve never = detection_curve({seen({0, 1, 2})}, options);
  CHECK_FALSE(never.threshold);
  CHECK_FALSE(never.threshold_low);
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
  CHECK(level.values.size() == 3);
  CHECK(level.values[0] == 1);
  CHECK(level.values[2] < 1);
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
  for (const int launches : {0, -1, 1001}) refused({.launches = launches}, "launches");
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

TEST_CASE("[simulated] threshold: one shot of one level has a value") {
  const DetectionCurve curve = detection_curve({seen({0, 1, 1}, 1)}, {.strengths = {1, 2}});
  REQUIRE(curve.points.size() == 3);
  CHECK(curve.points[1].value == 0.5);
  CHECK(curve.points[2].detected.hits == 1);
}
