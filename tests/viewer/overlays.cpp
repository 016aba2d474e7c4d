/// \file  Overlays and the twin view in the window itself, by their keys: Xvfb and xdotool, as in window.cpp.
#include <utility>

#include "levels/level_file.hpp"
#include "play/insight.hpp"
#include "play/twin_flight.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "viewer/drawing/camera.hpp"
#include "window_driver.hpp"

using namespace startle;
using namespace startle::testing;

namespace {

constexpr const char* easy_t2 = STARTLE_SOURCE "/levels/benchmark/T2/easy/T2-easy-5005-0018.json";

/// Pixels that differ clearly. Where F12 says that it has saved the picture, nothing is compared.
int changed(const Bitmap& a, const Bitmap& b) {
  int count = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      if (y > a.height - 135 && y < a.height - 75 && std::abs(x - a.width / 2) < 320) continue;
      const Colour p = pixel(a, x, y), q = pixel(b, x, y);
      count += std::abs(p.r - q.r) + std::abs(p.g - q.g) + std::abs(p.b - q.b) > 40;
    }
  return count;
}

}  // namespace

TEST_CASE("[viewer] each overlay comes with its key and goes with it") {
  if (!can_run()) return;
  constexpr int width = 1000, height = 640;
  const StoredLevel level = read_level(easy_t2);
  const Scene scene = settle(make_scene(level, profile()));
  const Insight insight = make_insight(scene, &find_novelty("T2"), Method::extended);  // as the level stores
  Camera2D camera;
  camera.resize(width, height);
  camera.fit(level_box(scene));

  Window window(std::string(easy_t2) + " --size 1000x640");
  window.wait_for("bird 1 of");
  window.tool("mousemove" + window.at({500, 400}));  // on the sky
  Bitmap plain;
  REQUIRE(comes_true([&] {
    const Bitmap before = std::exchange(plain, window.picture());
    return before.width == width && colours(plain) > 5000 && changed(before, plain) == 0;  // textures come a
                                                                                           // little later
  }));
  // Where something of the overlay is drawn: over an object it speaks of.
  const auto place = [&](std::size_t object) {
    return camera.to_pixels(insight.graph.geometry.shapes[object].centroid);
  };
  const TargetOutcome& best = insight.next()->targets[*insight.next()->best];
  const int reach = static_cast<int>(0.4 * camera.scale());
  const auto marked = [&](const char* key, Vec2 at, Colour c, int least) {
    CAPTURE(key);
    window.key(key);
    Bitmap shown;
    const bool came = comes_true([&] {
      shown = window.picture();
      return like(shown, at, reach, c) >= least + like(plain, at, reach, c);
    });
    CHECK(came);
    CHECK(changed(plain, shown) > 20000);  // the panels
    window.key(key);
    CHECK(comes_true([&] { return changed(plain, window.picture()) < 400; }));
  };
  marked("F2", place(best.target.object), colour(0xFFD54A), 20);  // the best target's label
  marked("F3", {668, 168}, colour(0x009E73), 60);  // its legend: F12's notice lies over the objects
  marked("F5", place(best.target.object), colour(0xFFD54A), 20);  // its outline
  marked("F6", {668, 185}, colour(0xB3128A), 60);                 // its legend

  // The arithmetic takes a plate at the right; with the keys its steps.
  window.key("F7");
  Bitmap arithmetic;
  REQUIRE(comes_true([&] { return changed(plain, arithmetic = window.picture()) > 60000; }));
  window.key("period");
  CHECK(comes_true([&] { return changed(arithmetic, window.picture()) > 500; }));
  window.key("F7");

  // Influence is that of the object under the mouse.
  window.key("F4");
  window.tool("mousemove" + window.at(place(best.target.object)));
  CHECK(comes_true(
      [&] { return like(window.picture(), place(best.target.object), 2 * reach, colour(0xFFD54A)) > 30; }));
  window.tool("mousemove" + window.at({500, 400}));

  // A model is asked about shots; none was flown.
  window.key("F8");
  window.key("F10");  // all off
  CHECK(comes_true([&] { return changed(plain, window.picture()) < 400; }));
  window.key("Up");  // the bird can be aimed as ever
  window.key("Return");
  window.wait_for("shot 1");
  window.key("F2");  // also while a shot is shown
  window.key("Return");
  window.wait_for("bird 2 of");
  CHECK(comes_true([&] { return like(window.picture(), {900, 300}, 300, colour(0x17212F)) > 5000; }));
}

TEST_CASE("[viewer] twin view: the shot in both worlds, and where they come apart") {
  if (!can_run()) return;
  const StoredLevel level = read_level(easy_t2);
  const Scene scene = settle(make_scene(level, profile()));
  const Shot shot = revealing_shot(scene, find_novelty("T2"));
  const TwinFlight expected = fly_twins(scene, find_novelty("T2"), shot);
  const std::string first = expected.first_apart() < 0
                                ? "never apart"
                                : "first apart at step " + std::to_string(expected.first_apart());
  Window window(std::string(easy_t2) + " --size 1000x640");
  window.wait_for("bird 1 of");
  window.key("F9");
  window.wait_for("twins, T2");
  window.wait_for(first);
  CHECK(comes_true([&] { return colours(window.picture()) > 5000; }));
  window.key("Up");  // another shot
  Shot higher = shot;
  higher.angle = radians(std::round((degrees(shot.angle) + 1) * 100) / 100);
  const TwinFlight again = fly_twins(scene, find_novelty("T2"), higher);
  window.wait_for(again.first_apart() < 0 ? "never apart"
                                          : "first apart at step " + std::to_string(again.first_apart()));
  window.resize(1400, 700);
  window.key("j");
  CHECK(comes_true([&] { return window.picture().width == 1400; }));
  window.key("Escape");
  window.wait_for("bird 1 of");
  window.key("ctrl+q");
  REQUIRE(comes_true([&] { return !window.program().running(); }));
  CHECK(window.program().exit_code() == 0);
}

TEST_CASE(
    "[viewer] force fields are drawn in the world that has them, and nothing of them in the normal one") {
  if (!can_run()) return;
  const startle::testing::Folder folder;
  StoredLevel level = read_level(easy_t2);
  constexpr double right = 40;  // of the region; far beyond what is seen
  level.novelty = Novelty{.name = own_novelty,
                          .description = "wind",
                          .rules = {},
                          .world = {.fields = {{.region = {3, right, 5, 7}, .acceleration = {4, 0}}}}};
  const std::string file = (folder / "wind.json").string();
  write_level(level, file);
  const Scene scene = settle(make_scene(level, profile()));
  Camera2D camera;
  camera.resize(1000, 640);
  camera.fit(level_box(scene));
  const auto shown = [&](const std::string& more) {
    Window window("'" + file + "' --size 1000x640" + more);
    window.wait_for("bird 1 of");
    return window.picture();
  };
  const Bitmap normal = shown(""), novel = shown(" --novelty own");
  // Places count from the foot of the slingshot. The arrow is in the middle of what is seen of the region.
  const Vec2 foot{scene.slingshot.x, -3.5};
  const auto at = [&](double x, double y) { return camera.to_pixels(foot + Vec2{x, y}); };
  const double middle = 0.5 * (3 + std::min(right, camera.seen().xmax - foot.x));
  const Colour arrow = colour(0x005F5F);
  CHECK(like(novel, at(middle, 6), 8, arrow) > 20);
  CHECK(like(normal, at(middle, 6), 8, arrow) == 0);
  const auto differs = [&](Vec2 place) {
    const Colour a = pixel(normal, static_cast<int>(place.x), static_cast<int>(place.y)),
                 b = pixel(novel, static_cast<int>(place.x), static_cast<int>(place.y));
    return std::abs(a.r - b.r) + std::abs(a.g - b.g) + std::abs(a.b - b.b);
  };
  CHECK(differs(at(3.4, 5.5)) > 10);  // in the region
  CHECK(differs(at(2.6, 5.5)) == 0);  // left of it
  CHECK(differs(at(3.4, 4.5)) == 0);  // below it
}
