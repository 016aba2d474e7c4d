/// \file  Bodies in flight, on residuals made by hand.
#include "surprise/flight.hpp"

#include "tests/catch.hpp"

using namespace startle;

namespace {

/// A pig in frame 3, predicted to be `gain` pixels a frame faster downwards, seen `lower` pixels lower.
MovingRegion pig_at(Vec2 centre, double gain, double lower) {
  return {.frame = 3,
          .material = MaterialClass::pig,
          .area = 20,
          .centre = centre,
          .motion = {0, 2 + gain},
          .motion_before = {0, 2},
          .residual = {0, lower}};
}

/// Twelve levels of T1 with one shot. A pig falls; the model sees it 1.5 pixels from where physics does. In
/// normal clips it is 0.1 to 1.2 pixels lower than the model predicts, in novel ones 0.75 less.
Evaluation falling_pigs() {
  Evaluation e;
  e.predictors = {"model", "physics"};
  for (std::size_t i = 0; i < 12; ++i) {
    e.levels.push_back({.novelty = &find_novelty("T1"), .tier = Tier::easy});
    EvaluatedTwin twin{.level = i, .predictors = {{}, {}}};
    const double lower = 0.1 * static_cast<double>(i + 1);
    for (const bool novel : {false, true}) {
      const auto regions = [&](std::size_t predictor) -> std::vector<MovingRegion>& {
        TwinErrors& of = twin.predictors[predictor];
        return (novel ? of.novel : of.normal).residuals.regions;
      };
      regions(1) = {pig_at({20, 30}, 1, novel ? -0.4 : 0)};
      regions(0) = {pig_at({20, 33}, 0, 50),  // farther away
                    pig_at({21.5, 30}, 0, novel ? lower - 0.75 : lower)};
    }
    e.twins.push_back(twin);
  }
  return e;
}

}  // namespace

TEST_CASE("[surprise] flight: medians, spread and shift of what falls, by hand") {
  const std::vector<FlightRow> rows = flight_rows(falling_pigs());
  REQUIRE(rows.size() == 2);
  const FlightRow& model = rows[0];
  CHECK(model.novelty == "T1");
  CHECK(model.material == MaterialClass::pig);
  CHECK(model.predictor == 0);
  CHECK(model.normal == 12);
  CHECK(model.novel == 12);
  CHECK(*model.median.value == Approx(0.65));
  CHECK(model.spread == Approx(1.4826 * 0.3));
  CHECK(*model.shift.value == Approx(-0.75));
  REQUIRE(model.median.interval);
  CHECK(model.median.interval->low < 0.65);
  CHECK(model.median.interval->high > 0.65);
  // A level is drawn in both worlds at once.
  CHECK(model.shift.interval->low == Approx(-0.75));
  CHECK(model.shift.interval->high == Approx(-0.75));
  CHECK(rows[1].predictor == 1);
  CHECK(rows[1].spread == 0);
  CHECK(*rows[1].shift.value == Approx(-0.4));
}

TEST_CASE("[surprise] flight: what does not fall, is too far away, too rare or unknown counts for nothing") {
  const auto with = [](const auto& change) {
    Evaluation e = falling_pigs();
    for (EvaluatedTwin& twin : e.twins)
      for (TwinErrors& of : twin.predictors)
        for (ClipSurprise* clip : {&of.normal, &of.novel})
          change(clip->residuals.regions, &of == &twin.predictors[1]);
    return flight_rows(e);
  };
  CHECK(with([](auto& regions, bool physics) {
          if (physics) regions[0].motion.y = 2.6;
        }).empty());  // gains 0.6
  CHECK(with([](auto& regions, bool physics) {
          if (physics) regions[0].motion.y = 4.3;
        }).empty());  // was hit
  const auto alone = [](const std::vector<FlightRow>& rows) {
    return rows.size() == 1 && rows[0].predictor == 1;
  };
  CHECK(alone(with([](auto& regions, bool physics) {
    if (!physics)
      for (MovingRegion& region : regions) region.centre.x += 4;
  })));
  CHECK(alone(with([](auto& regions, bool physics) {
    if (!physics)
      for (MovingRegion& region : regions) region.material = MaterialClass::wood;
  })));
  CHECK(alone(with([](auto& regions, bool physics) {
    if (!physics)
      for (MovingRegion& region : regions) region.frame = 2;
  })));
  Evaluation few = falling_pigs();
  few.twins.resize(9);
  CHECK(flight_rows(few).empty());
  Evaluation without = falling_pigs();
  without.predictors[1] = "engine";
  CHECK(flight_rows(without).empty());
}
