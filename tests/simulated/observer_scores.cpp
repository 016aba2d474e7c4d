#include "simulated/observer_scores.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/catch.hpp"

using namespace startle;

namespace {

/// One body that slides from 0 at 2 m/s, slowed by `slowing` m/s^2, looked at every 0.12 s.
std::vector<Place> slide(double slowing, double way, int frames) {
  std::vector<Place> places;
  for (int k = 0; k < frames; ++k) {
    const double t = 0.12 * k;
    places.push_back({.at = {way * (2 * t - 0.5 * slowing * t * t), 0}});
  }
  return places;
}

Runs sliding(const std::vector<double>& slowings, double way, int frames) {
  Runs runs{
      .bodies = 1, .frames = static_cast<std::size_t>(frames), .interval = 0.12, .group_of = {1}, .of = {}};
  for (const double slowing : slowings) runs.of.push_back(slide(slowing, way, frames));
  return runs;
}

const Attribution* of_motion(const RunTest& shot_test) {
  const auto found = std::find_if(
      shot_test.attributions.begin(), shot_test.attributions.end(),
      [](const Attribution& t) { return t.feature == Feature::fall || t.feature == Feature::slide; });
  return found == shot_test.attributions.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("[simulated] observer scores: deceleration in sliding, by hand, to either side") {
  for (const double way : {1.0, -1.0}) {
    // Four frames are one window: its deceleration is exact. Others -0.5, -1, -1, -1.5: mean -1; their sums
    // are off by 0.5, 0, 0, 0.5, so that the variance of a window is 0.25 + (0.25 + 0.25)/4 = 0.375.
    const RunTest one = test_first(sliding({2, 0.5, 1, 1, 1.5}, way, 4));
    const Attribution* attribution = of_motion(one);
    REQUIRE(attribution);
    CHECK(attribution->feature == Feature::slide);
    CHECK(attribution->of == 1);
    CHECK(attribution->seen == Approx(-2));
    CHECK(attribution->expected == Approx(-1));
    CHECK(attribution->spread == Approx(std::sqrt(0.375)));
    CHECK(attribution->sigmas == Approx(-1 / std::sqrt(0.375)));
    CHECK(one.p_motion == Approx(0.2));
    // Five frames are two windows: sums off by 1, 0, 0, 1; each squared over its two windows; variance 0.25 +
    // (0.5 + 0.5)/4 = 0.5, of a mean of two 0.25.
    const RunTest two = test_first(sliding({2, 0.5, 1, 1, 1.5}, way, 5));
    REQUIRE(of_motion(two));
    CHECK(of_motion(two)->spread == Approx(0.5));
    CHECK(of_motion(two)->sigmas == Approx(-2));
  }
}

TEST_CASE(
    "[simulated] observer scores: a window in which the body is missing at any frame says nothing of "
    "motion") {
  for (std::size_t missing = 0; missing < 4; ++missing) {
    Runs runs = sliding({2, 0.5, 1, 1, 1.5}, 1, 4);
    runs.of[0][missing].there = false;
    CHECK(of_motion(test_first(runs)) == nullptr);
    CHECK(test_first(runs).p_motion == 1);
  }
}

TEST_CASE("[simulated] observer scores: motion is compared with three other runs that show it, no fewer") {
  const auto hidden_in = [](std::size_t runs_without) {
    Runs runs = sliding({2, 1, 1, 1, 1}, 1, 4);
    for (std::size_t r = 0; r < runs_without; ++r)
      for (Place& place : runs.of[4 - r]) place.there = false;
    return of_motion(test_first(runs)) != nullptr;
  };
  CHECK(hidden_in(0));
  CHECK(hidden_in(1));
  CHECK_FALSE(hidden_in(2));
}

TEST_CASE("[simulated] observer scores: what is uneven, or too slow, is no motion by one mechanism") {
  const auto classified = [](const std::vector<Vec2>& places) {
    Runs runs{.bodies = 1, .frames = 4, .interval = 0.12, .group_of = {0}, .of = {}};
    for (int r = 0; r < 5; ++r) {
      std::vector<Place> run;
      for (const Vec2 at : places) run.push_back({.at = at});
      runs.of.push_back(run);
    }
    const RunTest shot_test = test_first(runs);
    const Attribution* attribution = of_motion(shot_test);
    return attribution ? std::string(name(attribution->feature)) : std::string("none");
  };
  const double pixel = Runs{}.pixel;
  CHECK(classified({{0, 0}, {0.2, 0}, {0.4, 0}, {0.6, 0}}) == "slide");           // 1.7 m/s
  CHECK(classified({{0, 0}, {0.08, 0}, {0.16, 0}, {0.24, 0}}) == "none");         // 0.67 m/s
  CHECK(classified({{0, 0}, {0.2, 0.04}, {0.4, 0.08}, {0.6, 0.12}}) == "none");   // climbs at 0.33 m/s
  CHECK(classified({{0, 0}, {0.2, 0.03}, {0.4, 0.06}, {0.6, 0.09}}) == "slide");  // at 0.25 m/s
  CHECK(classified({{0, 0}, {0, 0.13}, {0, 0.26}, {0, 0.39}}) == "fall");         // 1.08 m/s, upwards
  CHECK(classified({{0, 0}, {0, -0.13}, {0, -0.26}, {0, -0.39}}) == "fall");
  CHECK(classified({{0, 0}, {0, 0.11}, {0, 0.22}, {0, 0.33}}) == "none");  // 0.92 m/s
  CHECK(classified({{0, 0}, {0.2, 0}, {0.4, 0}, {0.6 + 3.4 * pixel, 0}}) ==
        "slide");  // third difference of 3.4
                   // pixels
  CHECK(classified({{0, 0}, {0.2, 0}, {0.4, 0}, {0.6 + 3.6 * pixel, 0}}) == "none");
  CHECK(classified({{0, 0}, {0.2, 0}, {0.4, 0}, {0.6, 3.6 * pixel}}) == "none");
}

TEST_CASE(
    "[simulated] observer scores: a place where no other run is, between two crowds, is rare though it is "
    "their mean") {
  Runs runs{.bodies = 1, .frames = 1, .group_of = {0}, .of = {{{.at = {0, 0}}}}};
  for (int r = 0; r < 20; ++r) runs.of.push_back({{.at = {r < 10 ? -1.0 : 1.0, 0}}});
  CHECK(test_first(runs).p_outcome == Approx(1 / 21.0));
  runs.of[0][0].at = {1, 0};
  CHECK(test_first(runs).p_outcome == 1);
}

TEST_CASE("[simulated] observer scores: a place counts as rare by how many others are there, not oneself") {
  // One body, two frames, 39 runs. Run 0 is alone at 3 in the first frame, in the second it is at 0 with the
  // 36 others. Two runs are at 4 in both. Total and greatest deviation: the pair has rank p 2/39, run 0 3/39.
  // Rarity, the densities at one place 1 each and 0.02 more: -log(0.02) - log(36.02) = 0.33 of run 0,
  // -2 log(1.02) = -0.04 of the pair: run 0 has 1/39, the pair 3/39.
  // Of the product of the three, run 0 has the least: 3 x 1 x 3 against 2 x 3 x 2.
  Runs runs{.bodies = 1, .frames = 2, .pixel = 0.01, .group_of = {0}, .of = {}};
  runs.of.push_back({{.at = {3, 0}}, {.at = {0, 0}}});
  for (int k = 0; k < 2; ++k) runs.of.push_back({{.at = {4, 0}}, {.at = {4, 0}}});
  for (int k = 0; k < 36; ++k) runs.of.push_back({{.at = {0, 0}}, {.at = {0, 0}}});
  CHECK(test_first(runs).p_outcome == Approx(1.0 / 39));
}

TEST_CASE("[simulated] observer scores: ranks distinguish scores by their ratio, however small or large") {
  using List = std::vector<double>;
  CHECK(rank_p({2e-6, 1e-6}) == List{0.5, 1});
  CHECK(rank_p({1e6, 1e6 + 1e-5}) == List{1, 1});  // a sum in another order
  CHECK(rank_p({1e6, 1e6 + 1}) == List{1, 0.5});
}
