/// \file  The direction test, on residuals made by hand.
#include "surprise/direction_test.hpp"

#include <cmath>

#include "core/random.hpp"
#include "surprise/detection.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A region that falls: predicted to gain `gain` pixels a frame downwards, seen `residual` lower.
MovingRegion falling(MaterialClass material, double gain, double residual) {
  return {.frame = 3,
          .material = material,
          .area = 20,
          .motion = {0, 2 + gain},
          .motion_before = {0, 2},
          .residual = {0, residual}};
}

std::size_t statistic(MaterialClass material, DirectionChannel channel, bool more) {
  return 2 * (static_cast<std::size_t>(material) * direction_channel_count +
              static_cast<std::size_t>(channel)) +
         more;
}

std::vector<const Residuals*> pointers(const std::vector<Residuals>& clips) {
  std::vector<const Residuals*> all;
  for (const Residuals& clip : clips) all.push_back(&clip);
  return all;
}

}  // namespace

TEST_CASE("[surprise] direction test: observations have the sign and the sensitivity of their channel") {
  Residuals clip;
  // Moves right by 3 pixels, a pixel slower than before, is seen half a pixel ahead and a quarter higher.
  clip.regions.push_back({.frame = 4,
                          .material = MaterialClass::ice,
                          .area = 9,
                          .motion = {3, 0},
                          .motion_before = {4, 0},
                          .residual = {0.5, -0.25}});
  clip.areas.push_back({4, MaterialClass::wood, 30, 28, 21});
  clip.areas.push_back({4, MaterialClass::pig, 20, 20.4, 19.5});  // rests
  const std::vector<DirectionObservation> found = direction_observations(clip);
  REQUIRE(found.size() == 2);
  CHECK(found[0].channel == DirectionChannel::against);
  CHECK(found[0].material == MaterialClass::ice);
  CHECK(found[0].residual == Approx(-0.5));
  CHECK(found[0].sensitivity == Approx(1));
  CHECK(found[1].channel == DirectionChannel::area);
  CHECK(found[1].residual == Approx(-7));
  CHECK(found[1].context == Approx(2));
  clip.regions = {falling(MaterialClass::pig, 1.5, -0.4)};
  const std::vector<DirectionObservation> fall = direction_observations(clip);
  REQUIRE(fall.size() == 3);
  CHECK(fall[0].channel == DirectionChannel::down);
  CHECK(fall[1].channel == DirectionChannel::along);
  for (int i : {0, 1}) {
    CHECK(fall[i].residual == Approx(-0.4));
    CHECK(fall[i].sensitivity == Approx(1.5));
  }
}

TEST_CASE("[surprise] direction test: sums by hand") {
  // Residuals of -0.1, 0 and 0.1 by turns: median 0, median absolute deviation 0.1.
  std::vector<Residuals> normal(150);
  for (std::size_t i = 0; i < normal.size(); ++i)
    normal[i].regions = {falling(MaterialClass::stone, 1, 0.1 * (static_cast<double>(i % 3) - 1))};
  const DirectionTest test(pointers(normal));
  const double scale = 0.14826;
  Residuals clip;
  clip.regions = {falling(MaterialClass::stone, 1, 2 * scale), falling(MaterialClass::stone, 0.5, -100),
                  falling(MaterialClass::pig, 1, 1)};
  const DirectionSums sums = test.sums(clip);
  const auto& stone = sums[static_cast<std::size_t>(MaterialClass::stone)];
  const double information = (1 + 0.25) / (scale * scale);
  const DirectionSum &down = stone[static_cast<std::size_t>(DirectionChannel::down)],
                     &along = stone[static_cast<std::size_t>(DirectionChannel::along)];
  CHECK(down.information == Approx(information));
  CHECK(along.information == Approx(information));
  // The second is cut off at 3 scales.
  CHECK(along.more == Approx((2 * 1 - 3 * 0.5) / scale / std::sqrt(information + 1)));
  CHECK(along.less == -along.more);
  // The first is at 2 scales, with a change by 0.5/0.14826 = 3.3725: log(5/2.8836). The second, of a hit, is
  // off the other way and counts as not off, with a change by half of that: -log(3.8434).
  CHECK(down.more == Approx(0.5504 - 1.3463).margin(0.001));
  // As not off: -log(12.374). A hit is as unlike a change as it is unlike none: 0.005.
  CHECK(down.less == Approx(-2.5156 + 0.005).margin(0.001));
  CHECK(stone[static_cast<std::size_t>(DirectionChannel::against)].information == 0);
  for (const DirectionSum& sum : sums[static_cast<std::size_t>(MaterialClass::pig)])
    CHECK(sum.information == 0);
}

TEST_CASE(
    "[surprise] direction test: p-values are those of the material and direction that is off, and of no "
    "other") {
  Random random(4);
  const auto clip_with = [&](double shift) {
    Residuals clip;
    for (const MaterialClass material : {MaterialClass::stone, MaterialClass::wood})
      for (int i = 0; i < 3; ++i)
        clip.regions.push_back(
            falling(material, random.uniform(0.5, 1.5),
                    0.1 * random.normal() + (material == MaterialClass::stone ? shift : 0)));
    return clip;
  };
  std::vector<Residuals> normal;
  for (int i = 0; i < 300; ++i) normal.push_back(clip_with(0));
  const DirectionTest test(pointers(normal));
  const PValues p = test.p_values(clip_with(-0.6));
  REQUIRE(p.size() == direction_statistic_count);
  CHECK(*p[statistic(MaterialClass::stone, DirectionChannel::down, false)] == Approx(min_direction_p));
  CHECK(*p[statistic(MaterialClass::stone, DirectionChannel::down, true)] > 0.5);
  CHECK(*p[statistic(MaterialClass::wood, DirectionChannel::down, false)] > 0.02);
  CHECK_FALSE(p[statistic(MaterialClass::pig, DirectionChannel::down, false)]);
  CHECK_FALSE(p[statistic(MaterialClass::stone, DirectionChannel::against, false)]);
  CHECK_FALSE(p[statistic(MaterialClass::stone, DirectionChannel::area, false)]);
  normal.resize(100);  // too few
  for (const auto& value : DirectionTest(pointers(normal)).p_values(clip_with(-0.6))) CHECK_FALSE(value);
}

TEST_CASE(
    "[surprise] direction test: normal clips have uniform p-values, also of a predictor that is off, and "
    "more so for faster falls") {
  // Residuals are shifted by 0.2 and their spread grows with what is predicted.
  Evaluation e;
  e.predictors = {"model", "one number"};
  Random random(8);
  const auto residuals_with = [&](double shift) {
    Residuals clip;
    clip.areas.push_back({2, MaterialClass::stone, 43, 40, 40 + random.normal()});
    for (int i = 0; i < 4; ++i) {
      const double gain = random.uniform(0.2, 2);
      clip.regions.push_back(
          falling(MaterialClass::stone, gain, 0.2 + gain * (0.1 * random.normal() + shift)));
    }
    return clip;
  };
  for (std::size_t level = 0; level < 400; ++level) {
    e.levels.push_back({.novelty = &find_novelty("T1"), .tier = Tier::easy});
    for (int shot = 0; shot < 2; ++shot) {
      const auto surprise = [&](double shift) {
        return ClipSurprise{.errors = {.error = {1}, .change = {1}}, .residuals = residuals_with(shift)};
      };
      const ClipSurprise one{.whole = random.normal()};
      e.twins.push_back({.level = level,
                         .difference = {1},
                         .change = {1, 1},
                         .predictors = {{surprise(0), surprise(-0.1)}, {one, one}}});
    }
  }
  const Evaluation tested = with_direction_tests(with_calibrated_predictors(e));
  REQUIRE(tested.detectors ==
          std::vector<std::string>{"model, calibrated", "one number, calibrated", "model, direction test"});
  REQUIRE(tested.statistics.size() == 1);
  CHECK(tested.statistics.at(
            "model, direction test")[statistic(MaterialClass::stone, DirectionChannel::down, false)] ==
        "stone down, less");
  const DetectionTables tables = detection_tables(tested, {}, false);
  CHECK(*tables.shot("", {}, 2).false_alarms.value == Approx(0.05).margin(0.03));
  CHECK(*tables.shot("", {}, 2).detected.value > 0.4);
  CHECK(*tables.shot("", {}, 2).paired_accuracy.value > 0.75);
  // What falls less is detected by that: at least half of what is detected, and the row with the most.
  const StatisticRow& most = tables.statistics.front();
  CHECK(most.statistic == statistic(MaterialClass::stone, DirectionChannel::down, false));
  CHECK(most.detected > 0.5 * 800 * *tables.shot("", {}, 2).detected.value);
  for (const std::size_t i : {statistic(MaterialClass::stone, DirectionChannel::down, false),
                              statistic(MaterialClass::stone, DirectionChannel::down, true),
                              statistic(MaterialClass::stone, DirectionChannel::area, true)}) {
    double low = 0, high = 0;
    for (const EvaluatedTwin& twin : tested.twins) {
      const double p = *twin.outputs[2].normal.p_values[i];
      low += p <= 0.1;
      high += p > 0.5;
    }
    CHECK(low / 800 == Approx(0.1).margin(0.04));
    CHECK(high / 800 == Approx(0.5).margin(0.07));
  }
}
