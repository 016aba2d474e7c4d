/// \file  Camera, aim and clock, without a window.
#include <cmath>

#include "core/random.hpp"
#include "levels/level_file.hpp"
#include "play/aim.hpp"
#include "play/playback.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "viewer/drawing/camera.hpp"
#include "viewer/screens/aiming.hpp"

using namespace startle;

namespace {

Scene shipped_scene(const std::string& name) {
  return settle(make_scene(read_level(std::string(STARTLE_SOURCE) + "/levels/data/" + name), profile()));
}

bool near(Vec2 a, Vec2 b, double distance = 1e-9) { return length(a - b) <= distance; }

}  // namespace

TEST_CASE(
    "[viewer] camera: pixels and world points lead to each other, and zooming keeps the point under the "
    "mouse") {
  Random random(1);
  Camera2D camera;
  camera.resize(1280, 720);
  camera.fit({-12, 10, -4.4, 3});
  for (int i = 0; i < 200; ++i) {
    const double x = random.uniform(0, 1280), y = random.uniform(0, 720);
    const Vec2 pixel{x, y};
    CHECK(near(camera.to_pixels(camera.to_world(pixel)), pixel, 1e-6));
    const Vec2 world = camera.to_world(pixel);
    camera.zoom(pixel, random.uniform(0.5, 2));
    CHECK(near(camera.to_world(pixel), world, 1e-9));
    CHECK_FALSE(camera.fitted());
    CHECK(camera.scale() >= Camera2D::least_scale);
    CHECK(camera.scale() <= Camera2D::most_scale);
    const Vec2 before = camera.to_world({0, 0});
    camera.pan({10, -20});
    CHECK(near(camera.to_world({10, -20}), before, 1e-9));
  }
}

TEST_CASE(
    "[viewer] camera: a fitted box is in the window at any size, on its margins, and as large as it gets") {
  const Bounds box{-12, 10, -4.4, 3};
  Camera2D camera;
  camera.fit(box, 60, 40);
  for (const auto& [width, height] : {std::pair{1280, 720}, {900, 600}, {640, 1000}, {3840, 2160}}) {
    CAPTURE(width, height);
    camera.resize(width, height);
    const Vec2 low = camera.to_pixels({box.xmin, box.ymin}), high = camera.to_pixels({box.xmax, box.ymax});
    CHECK(low.x >= -1e-9);
    CHECK(high.x <= width + 1e-9);
    CHECK(std::fabs(low.y - (height - 40)) < 1e-9);
    CHECK(high.y >= 60 - 1e-9);
    CHECK((std::fabs(high.x - low.x - width) < 1e-6 || std::fabs(high.y - 60) < 1e-6));
  }
}

TEST_CASE("[viewer] camera: what a level needs is seen whole, and fills the window") {
  for (const char* name : {"castles/castles-1-0001.json", "platforms/platforms-1-0000.json",
                           "dominoes/dominoes-1-0002.json", "towers/towers-1-0003.json"}) {
    CAPTURE(name);
    const Scene scene = shipped_scene(name);
    Camera2D camera;
    camera.fit(level_box(scene));
    for (const auto& [width, height] : {std::pair{1280, 720}, {800, 600}}) {
      camera.resize(width, height);
      double left = camera.to_pixels(scene.slingshot).x, right = left, top = camera.to_pixels(scene.rest()).y;
      CHECK(left > 0);
      for (const SceneObject& object : scene.objects) {
        const Bounds box = object.world_bounds();
        right = std::max(right, camera.to_pixels({box.xmax, box.ymin}).x);
        top = std::min(top, camera.to_pixels({box.xmin, box.ymax}).y);
      }
      CHECK(right < width);
      CHECK(top > 0);
      // From the slingshot to the last object, most of the width or of the height is used.
      CHECK(std::max((right - left) / width, 1 - top / height) > 0.6);
    }
  }
}

TEST_CASE("[viewer] aim: the bird is held where the mouse is, but no further than the band reaches") {
  const Scene scene = shipped_scene("castles/castles-1-0001.json");
  const Vec2 rest = scene.rest();
  Aim aim;
  CHECK_FALSE(aim.pulled());
  CHECK(aim.held_at(scene) == rest);
  aim.drag_to(rest + Vec2{-0.3, -0.4}, scene);  // 0.5 away, against an elevation of atan(4/3) = 53.13 degrees
  CHECK(aim.pulled());
  CHECK(aim.angle_deg() == 53.13);
  CHECK(aim.stretch() == 0.5);
  CHECK(near(aim.held_at(scene), rest + Vec2{-0.3, -0.4}, 0.006));
  aim.drag_to(rest + Vec2{-30, -40}, scene);
  CHECK(aim.stretch() == 1);
  CHECK(aim.angle_deg() == 53.13);
  CHECK(std::fabs(length(aim.held_at(scene) - rest) - scene.profile->max_stretch) < 1e-6);
  aim.drag_to(rest + Vec2{2, 0}, scene);  // to the right: shoots to the left
  CHECK(aim.angle_deg() == 180);
  aim.drag_to(rest + Vec2{-0.05, 0}, scene);  // too short to be meant
  CHECK_FALSE(aim.pulled());
  aim.drag_to(rest, scene);
  CHECK_FALSE(aim.pulled());
}

TEST_CASE("[viewer] aim: a drag that misses the bird moves the view, in a study by the right button alone") {
  const Scene scene = shipped_scene("castles/castles-1-0001.json");
  Camera2D camera;
  camera.resize(1280, 720);
  camera.fit(level_box(scene));
  // How far a drag of 40 pixels to the left, from 100 pixels above the bird, moves it on the window.
  const auto moved = [&](Aiming aiming, sf::Mouse::Button button) {
    const Vec2 before = camera.to_pixels(scene.rest());
    const auto x = static_cast<int>(before.x), y = static_cast<int>(before.y) - 100;
    sf::Event event;
    event.type = sf::Event::MouseButtonPressed;
    event.mouseButton = {button, x, y};
    aiming.handle(event, camera, scene, true);
    event.type = sf::Event::MouseMoved;
    event.mouseMove = {x - 40, y};
    aiming.handle(event, camera, scene, true);
    CHECK_FALSE(aiming.aim().pulled());
    return before.x - camera.to_pixels(scene.rest()).x;
  };
  const Aiming study(Aiming::Pan::right_button);
  CHECK(moved(Aiming(), sf::Mouse::Left) == Approx(40));
  CHECK(moved(Aiming(), sf::Mouse::Right) == Approx(40));
  CHECK(moved(study, sf::Mouse::Left) == 0);
  CHECK(moved(study, sf::Mouse::Right) == Approx(40));
}

TEST_CASE("[viewer] aim: keys turn and pull in steps that stay on the grid and in range") {
  Aim aim;
  aim.nudge(1, 0);  // takes the bird up
  CHECK(aim.pulled());
  CHECK(aim.angle_deg() == 30);
  for (int i = 0; i < 1000; ++i) aim.nudge(0.1, -0.01);
  CHECK(aim.angle_deg() == 130);
  CHECK(aim.stretch() == Aim::least_stretch);
  for (int i = 0; i < 100; ++i) aim.nudge(1, 0.05);
  CHECK(aim.angle_deg() == -130);
  CHECK(aim.stretch() == 1);
}

TEST_CASE("[viewer] aim: a shot written down flies again bit for bit") {
  const Scene scene = shipped_scene("castles/castles-1-0001.json");
  CHECK(shot_text({.angle = radians(25)}) == "25");
  CHECK(shot_text({.angle = radians(62.5), .tap_time = 1.4}) == "62.5,1.4");
  CHECK(shot_text({.angle = radians(-0.25), .stretch = 0.85}) == "-0.25,,0.85");
  CHECK(shot_text({.angle = radians(30), .stretch = 0.5, .tap_time = 0}) == "30,0,0.5");
  Random random(2);
  for (int i = 0; i < 500; ++i) {
    Aim aim;
    const double x = random.uniform(-2, 2), y = random.uniform(-2, 2);
    aim.drag_to(scene.rest() + Vec2{x, y}, scene);
    if (!aim.pulled()) continue;
    const std::string text = shot_text(aim.shot());
    const std::size_t comma = text.find(',');
    CHECK(radians(std::stod(text.substr(0, comma))) == aim.shot().angle);
    if (comma != std::string::npos) CHECK(std::stod(text.substr(comma + 2)) == aim.shot().stretch);
  }
}

TEST_CASE("[viewer] aim: the dots ahead lie on the path that the bird then takes") {
  const Scene scene = shipped_scene("castles/castles-1-0001.json");
  for (const Shot& shot : {Shot{.angle = radians(35)}, Shot{.angle = radians(60), .stretch = 0.7}}) {
    const Trace trace = run_shot(scene, shot, {.record_every = 1, .record_events = true}).trace;
    const std::vector<Vec2> ahead = flight_points(scene, shot, 0.5), flown = flown_points(scene, trace);
    REQUIRE(ahead.size() == 13);  // 0.04 s apart: two steps
    REQUIRE(flown.size() > 5);
    const Vec2 centre = scene.profile->bird(scene.birds[0]).centre;
    for (std::size_t i = 0; i < ahead.size(); ++i)
      CHECK(near(ahead[i], transformed(centre, trace.frames[2 * i].bodies.back().pose), 0.01));
    for (std::size_t i = 0; i < flown.size(); ++i)
      CHECK(near(flown[i], transformed(centre, trace.frames[3 * i].bodies.back().pose)));
  }
}

TEST_CASE("[viewer] playback: time passes at its speed, and stops at the end of what there is") {
  Playback playback;
  playback.begin(0.02);
  playback.set_length(10, false);
  playback.advance(0.05);
  CHECK(playback.position() == Approx(2.5));
  playback.faster();
  playback.advance(0.05);  // twice as fast: five steps more
  CHECK(playback.position() == Approx(7.5));
  playback.advance(1);
  CHECK(playback.position() == 10);
  CHECK_FALSE(playback.at_end());  // the simulation goes on
  playback.set_length(30, true);
  playback.normal_speed();
  playback.slower();
  playback.advance(0.08);  // half as fast
  CHECK(playback.position() == Approx(12));
  playback.pause(true);
  playback.advance(5);
  CHECK(playback.position() == Approx(12));
  playback.step(1);
  CHECK(playback.position() == 13);
  playback.seek(12.4);
  playback.step(1);
  CHECK(playback.position() == 13);
  playback.seek(12.4);
  playback.step(-1);
  CHECK(playback.position() == 12);
  playback.step(-1);
  CHECK(playback.position() == 11);
  playback.seek(1e9);
  CHECK(playback.at_end());
  playback.seek(-3);
  CHECK(playback.position() == 0);
  for (int i = 0; i < 20; ++i) playback.faster();
  CHECK(playback.speed() == 8);
  for (int i = 0; i < 20; ++i) playback.slower();
  CHECK(playback.speed() == 1.0 / 16);
}

TEST_CASE("[viewer] playback: a tap can make the shot shorter than what was shown") {
  Playback playback;
  playback.begin(0.02);
  playback.set_length(100, true);
  playback.seek(90);
  playback.set_length(50, false);
  CHECK(playback.position() == 50);
  CHECK_FALSE(playback.at_end());
}

TEST_CASE("[viewer] playback: poses between steps are mixed, and bodies come and go with their frames") {
  Trace trace;
  trace.frames = {{0, {{0, {{0, 0}, 0}, 5}, {1, {{1, 1}, 0}, 5}}},
                  {1, {{0, {{1, 2}, 0.4}, 4}, {2, {{7, 7}, 0}, 1}}}};
  const std::vector<BodyState> start = bodies_at(trace, 0), between = bodies_at(trace, 0.25),
                               end = bodies_at(trace, 5);
  CHECK(start.size() == 2);
  REQUIRE(between.size() == 2);
  CHECK(near(between[0].pose.position, {0.25, 0.5}));
  CHECK(between[0].pose.angle == Approx(0.1));
  CHECK(between[0].life == 5);
  CHECK(near(between[1].pose.position, {1, 1}));  // destroyed in the next step: still there
  REQUIRE(end.size() == 2);
  CHECK(end[1].id == 2);
  CHECK(bodies_at(Trace{}, 3).empty());
}
