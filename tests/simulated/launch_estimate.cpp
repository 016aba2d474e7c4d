#include "simulated/launch_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "reasoning/qualitative/trajectory.hpp"
#include "sim/world.hpp"
#include "simulated/aim_noise.hpp"
#include "statistics/kolmogorov_smirnov.hpp"
#include "tests/catch.hpp"
#include "tests/difficulty/scenes.hpp"

using namespace startle;

namespace {

Scene wall() {
  return settle(scene_of(
      {block("RectFat", Material::wood, 1, ground), block("RectFat", Material::wood, 1, ground + 0.43)}));
}
const Shot at_wall{.angle = 0.05};

bool contains(const Bounds& window, Vec2 place) {
  return window.xmin <= place.x && place.x <= window.xmax && window.ymin <= place.y && place.y <= window.ymax;
}

}  // namespace

TEST_CASE("[simulated] launch estimate: the flight counts until just before the first contact") {
  const Scene scene = wall();
  std::vector<int> all(1000);
  std::iota(all.begin(), all.end(), 0);
  const auto first_contact = [&](double perturbation) {
    Shot shot = at_wall;
    shot.angle += perturbation;
    for (const Event& event : run_shot(scene, shot, {.record_events = true}).trace.events)
      if (event.kind == EventKind::contact) return event.step;
    return 1000;
  };
  for (const double noise : {0.0, 0.01, 0.05}) {
    const LaunchEstimate launch(scene, at_wall, noise, 0.07, all, std::nullopt);
    const int contact = std::min({first_contact(-3 * noise), first_contact(0), first_contact(3 * noise)});
    REQUIRE(!launch.steps().empty());
    CHECK(launch.steps().front() == 0);
    CHECK(launch.steps().back() < contact);
    CHECK(launch.steps().back() >= contact - 2);
  }
}

TEST_CASE("[simulated] launch estimate: it is right on average") {
  const LaunchEstimate launch(wall(), at_wall, 0.01, 4.6 / 64, {6, 12, 18, 24, 30}, std::nullopt);
  Random random(21);
  double sum = 0, squares = 0;
  const int count = 3000;
  for (int i = 0; i < count; ++i) {
    const double e = launch_error(0.01, random),
                 off = static_cast<double>(launch.cell_of(e)) - e / launch.error();
    sum += off / count;
    squares += off * off / count;
  }
  CHECK(std::fabs(sum) < 0.25);  // in errors of the estimate
  // An error of 1, and a cell's width of 1, whose variance is 1/12; rounding a few places is not quite
  // random.
  CHECK(std::sqrt(squares) == Approx(std::sqrt(1 + 1 / 12.0)).epsilon(0.25));
}

TEST_CASE(
    "[simulated] launch estimate: where little is seen of the flight, draws follow the aim noise, too") {
  // Two early frames through large pixels: one cell covers much of the aim noise.
  const LaunchEstimate launch(wall(), at_wall, 0.01, 0.035, {0, 10}, std::nullopt);
  REQUIRE(launch.error() > 0.006);
  REQUIRE(launch.error() < 0.01);
  Random random(22);
  std::vector<double> p;
  for (int i = 0; i < 3000; ++i) {
    const double e = launch_error(0.01, random);
    int below = 0;
    for (int k = 0; k < 9; ++k) below += launch.draw(launch.cell_of(e), random) < e;
    p.push_back((below + random.uniform()) / 10);
  }
  CHECK(ks_one_sample(p, [](double x) { return std::clamp(x, 0.0, 1.0); }).p > 0.01);
}

TEST_CASE("[simulated] launch estimate: for a cell that no flight is seen in, the nearest is drawn from") {
  const LaunchEstimate launch(wall(), at_wall, 0.01, 4.6 / 64, {6, 12, 18, 24, 30}, std::nullopt);
  Random random(23);
  for (const long cell : {-80L, 80L}) {  // eight standard deviations off: flights of the normal world are
                                         // never seen there
    const double drawn = launch.draw(cell, random), again = launch.draw(cell, random);
    CHECK(std::fabs(drawn / launch.error() - static_cast<double>(cell)) <= 5);
    CHECK(drawn != again);  // drawn, although no launch is so far off
  }
}

TEST_CASE("[simulated] launch estimate: what of the flight lies in the window counts, its sides included") {
  const Scene scene = wall();
  const std::vector<int> all{0, 5, 10, 15, 20, 25, 30};
  const LaunchEstimate whole(scene, at_wall, 0, 0.07, all, std::nullopt);
  const BirdType& bird = scene.profile->bird(scene.birds[scene.next_bird]);
  const Trajectory path = flight(scene, bird, at_wall);
  std::vector<Vec2> places;
  for (const int step : whole.steps()) places.push_back(path.at(step * scene.profile->step) - bird.centre);
  REQUIRE(places.size() >= 5);
  // Windows whose sides are the places of two steps: those themselves and what lies between.
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = 0; j < places.size(); ++j)
      for (const bool along_x : {true, false}) {
        Bounds window{-100, 100, -100, 100};
        if (along_x) {
          window.xmin = places[i].x;
          window.xmax = places[j].x;
        } else {
          window.ymin = places[i].y;
          window.ymax = places[j].y;
        }
        std::vector<int> inside;
        for (std::size_t k = 0; k < places.size(); ++k)
          if (contains(window, places[k])) inside.push_back(whole.steps()[k]);
        CHECK(LaunchEstimate(scene, at_wall, 0, 0.07, all, window).steps() == inside);
      }
}

TEST_CASE("[simulated] launch estimate: a place is seen at the middle of its pixel") {
  CHECK(seen_at({0.26, -0.26}, 0.5) == Vec2{0.5, -0.5});
  CHECK(seen_at({0.24, -0.24}, 0.5) == Vec2{0, 0});
  CHECK(seen_at({7.1, 3.9}, 2) == Vec2{8, 4});
}
