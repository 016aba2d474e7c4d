#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/sim/world_scenes.hpp"

using namespace startle;
using namespace startle::test;

namespace {

/// Velocity of a body over the next step, m/s.
Vec2 velocity_over_step(World& world, BodyId id) {
  const Vec2 before = place(world, id);
  world.step();
  return (1 / step) * (place(world, id) - before);
}

/// A lone bird without gravity, well past the slingshot (a full stretch is 0.1 s: here 0.6 s after release).
World flying(const std::string& bird, double angle = 0, const std::string& profile_name = "startle") {
  World world(make_scene(level_of({}, {bird}), weightless(profile_name)), {.record_events = true});
  world.launch({.angle = angle});
  for (int i = 0; i < 30; ++i) world.step();
  return world;
}

}  // namespace

TEST_CASE("[sim] flight: a bird follows the discrete parabola from the pulled-back position") {
  // Semi-implicit Euler with step h: y(t) = y0 + (vy - g h/2) t - g t^2/2, x(t) = x0 + vx t; g = 9.81 x 0.48.
  const double g = 4.7088;
  for (const double angle_deg : {-5.0, 10.0, 45.0, 80.0, 120.0}) {
    for (const double stretch : {1.0, 0.6}) {
      const Scene scene = make_scene(level_of({}), profile());
      World world(scene);
      world.launch({.angle = radians(angle_deg), .stretch = stretch});
      const Vec2 d = direction(radians(angle_deg));
      const Vec2 start = Vec2{-8.15, -1.7} - stretch * d;
      const Vec2 v = (10 * stretch) * d;
      for (int n = 0; n < 40; ++n) {
        const double t = n * step;
        const Vec2 expected{start.x + v.x * t, start.y + (v.y - g * step / 2) * t - g * t * t / 2};
        CAPTURE(angle_deg, stretch, n);
        if (expected.y < -3.3) break;
        REQUIRE(length(place(world, 0) - expected) < 1e-3);
        world.step();
      }
    }
  }
}

TEST_CASE("[sim] flight: what cannot be launched is an error") {
  const Scene scene = make_scene(level_of({}), profile());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Shot& bad :
       {Shot{.angle = nan}, Shot{.angle = infinity}, Shot{.stretch = 0}, Shot{.stretch = 1.01},
        Shot{.stretch = nan}, Shot{.tap_time = nan}, Shot{.tap_time = infinity}})
    CHECK_THROWS_AS(run_shot(scene, bad), Error);

  Scene no_birds = scene;
  no_birds.next_bird = no_birds.birds.size();
  CHECK_THROWS_AS(run_shot(no_birds, {}), Error);

  World twice(scene);
  twice.launch({});
  CHECK_THROWS_AS(twice.launch({}), Error);
  World late(scene);
  late.step();
  CHECK_THROWS_AS(late.launch({}), Error);
}

TEST_CASE("[sim] worlds: a scene with values that cannot be simulated is an error") {
  const Scene sound = make_scene(level_of({block("RectFat", Material::wood, {2, 0})}), profile());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto broken = [&](auto change) {
    Scene scene = sound;
    change(scene.objects[0]);
    return scene;
  };
  CHECK_NOTHROW(World(sound));
  CHECK_THROWS_AS(World(broken([&](SceneObject& o) { o.pose.position.x = nan; })), Error);
  CHECK_THROWS_AS(World(broken([&](SceneObject& o) { o.pose.angle = nan; })), Error);
  CHECK_THROWS_AS(World(broken([&](SceneObject& o) { o.velocity.y = nan; })), Error);
  CHECK_THROWS_AS(World(broken([&](SceneObject& o) { o.parameters.density = 0; })), Error);
  CHECK_THROWS_AS(World(broken([&](SceneObject& o) { o.parameters.friction = -1; })), Error);
  CHECK_THROWS_AS(World(broken([&](SceneObject& o) { o.parameters.angular_damping = nan; })), Error);
  // A dead object is not simulated, whatever it holds.
  CHECK_NOTHROW(World(broken([&](SceneObject& o) { o.alive = false, o.pose.position.x = nan; })));
  CHECK_THROWS_AS(World(sound, {.record_every = -1}), Error);
  CHECK_THROWS_AS(World(sound, {.time_limit = nan}), Error);
  CHECK_THROWS_AS(World(sound, {.time_limit = 0}), Error);
}

TEST_CASE("[sim] worlds: a platform thinner than the engine can hold is an error, not a crash") {
  Scene scene = make_scene(level_of({platform({2, 0}, 1, 0.5)}), profile());
  auto thin = std::make_shared<Shape>(*scene.objects[0].shape);
  for (Polygon& part : thin->parts)
    for (Vec2& v : part) v.y *= 0.001;
  scene.objects[0].shape = thin;
  CHECK_THROWS_AS(World(scene), Error);
}

TEST_CASE("[sim] slingshot: birds pass through it, blocks do not") {
  // Pulled straight down the bird starts inside the slingshot's polygon and flies up through all of it.
  World up(make_scene(level_of({}), weightless()), {.record_events = true});
  up.launch({.angle = radians(90)});
  for (int i = 0; i < 20; ++i) up.step();
  CHECK(count(up.trace(), EventKind::contact) == 0);
  CHECK(place(up, 0).y > -0.5);

  // The slingshot's top is at y = -2.5 + 0.105. A block dropped on it is stopped or thrown aside there.
  World dropped(make_scene(level_of({block("RectBig", Material::stone, {-8.05, -2})}), profile()),
                {.record_events = true});
  while (count(dropped.trace(), EventKind::contact) == 0 && !dropped.over()) dropped.step();
  REQUIRE(count(dropped.trace(), EventKind::contact) > 0);
  CHECK(dropped.trace().events[0].position.y == Approx(-2.395).margin(0.05));
}

TEST_CASE("[sim] powers: a tap counts once, in flight, past the slingshot, and not for red birds") {
  World red = flying("BirdRed");
  CHECK_FALSE(red.tap());

  World near(make_scene(level_of({}, {"BirdYellow"}), weightless()));
  CHECK_FALSE(near.tap());  // nothing flies yet
  near.launch({});
  near.step();
  CHECK_FALSE(near.tap());
  // x + width > rest x + 2: width 0.32 (radius 0.16), start at rest - 1, 0.2 a step: from step 14 on (1.8 - 1
  // ... 2.8 > 2.68).
  for (int i = 1; i < 13; ++i) near.step();
  CHECK_FALSE(near.tap());
  near.step();
  CHECK(near.tap());
  CHECK_FALSE(near.tap());

  // A wall in the way: after the first contact there is no power left to use.
  World hit(make_scene(level_of({platform({-4, -1.7}, 1, 4)}, {"BirdYellow"}), weightless()),
            {.record_events = true});
  hit.launch({});
  while (count(hit.trace(), EventKind::contact) == 0) hit.step();
  CHECK_FALSE(hit.tap());
}

TEST_CASE("[sim] powers: the blue bird splits into three, 15, 5 and -5 degrees off its velocity") {
  World world = flying("BirdBlue", radians(20));
  const Vec2 here = place(world, 0);
  REQUIRE(world.tap());
  CHECK(count(world.trace(), EventKind::spawn) == 3);
  CHECK_THROWS(place(world, 0));  // the parent is gone
  const double offsets[] = {15, 5, -5};
  for (int child = 1; child <= 3; ++child) CHECK(length(place(world, child) - here) < 1e-6);
  world.step();
  for (int child = 1; child <= 3; ++child) {
    const Vec2 v = (1 / step) * (place(world, child) - here);
    CHECK(length(v) == Approx(10).epsilon(1e-4));
    CHECK(degrees(std::atan2(v.y, v.x)) == Approx(20 + offsets[child - 1]).margin(0.01));
  }
  // They start inside one another and yet do not collide.
  for (int i = 0; i < 10; ++i) world.step();
  CHECK(count(world.trace(), EventKind::contact) == 0);
}

TEST_CASE("[sim] powers: the yellow bird gains impulse over mass along its velocity") {
  // anu: 4 N s on 6 x pi 0.16^2 = 0.4825 kg; classic: 4 on 0.5 kg.
  for (const auto& [name, gain] :
       {std::pair{"startle", 4 / (6 * 3.14159265 * 0.16 * 0.16)}, std::pair{"classic", 8.0}}) {
    World world = flying("BirdYellow", radians(30), name);
    REQUIRE(world.tap());
    const Vec2 v = velocity_over_step(world, 0);
    CHECK(length(v) == Approx(10 + gain).epsilon(1e-4));
    CHECK(degrees(std::atan2(v.y, v.x)) == Approx(30).margin(0.01));
  }
}

TEST_CASE("[sim] powers: the black bird explodes on a tap, or 0.6 s after its first contact") {
  World tapped = flying("BirdBlack");
  const Vec2 here = place(tapped, 0);
  REQUIRE(tapped.tap());
  const Event* explosion = first(tapped.trace(), EventKind::explosion);
  REQUIRE(explosion);
  CHECK(explosion->value == 3);
  CHECK(explosion->position == here);
  CHECK_THROWS(place(tapped, 0));

  const Trace trace = run_shot(make_scene(level_of({}, {"BirdBlack"}), profile()), {.angle = 0.2},
                               {.record_events = true})
                          .trace;
  REQUIRE(first(trace, EventKind::contact));
  REQUIRE(first(trace, EventKind::explosion));
  CHECK(first(trace, EventKind::explosion)->step == first(trace, EventKind::contact)->step + 30);
  CHECK(count(trace, EventKind::explosion) == 1);
}

TEST_CASE("[sim] powers: the white bird drops an egg that explodes where it lands") {
  World world = flying("BirdWhite");
  REQUIRE(world.tap());
  const Vec2 bird = velocity_over_step(world, 0);
  const Vec2 egg_before = place(world, 1);
  world.step();
  const Vec2 egg = (1 / step) * (place(world, 1) - egg_before);
  // The egg (1 kg) starts from rest with 6 N s downward, the bird (4 x pi 0.26^2 kg) gains 10 N s upward.
  CHECK(egg.x == Approx(0).margin(1e-4));
  CHECK(egg.y == Approx(-6).epsilon(1e-4));
  CHECK(bird.x == Approx(10).epsilon(1e-4));
  CHECK(bird.y == Approx(10 / (4 * 3.14159265 * 0.26 * 0.26)).epsilon(1e-4));
  while (count(world.trace(), EventKind::explosion) == 0 && !world.over()) world.step();
  const Event* explosion = first(world.trace(), EventKind::explosion);
  REQUIRE(explosion);
  CHECK(explosion->a == 1);
  CHECK(explosion->value == 2);
  CHECK(explosion->position.x == Approx(egg_before.x).margin(1e-3));
  CHECK(explosion->position.y < -3);
  CHECK(first(world.trace(), EventKind::contact)->step == explosion->step);
}

TEST_CASE("[sim] worlds: a fast pig does not pass through what is thinner than its way in one step") {
  // At 60 u/s it goes 1.2 in a step; the wall is 0.128 thick.
  for (double side : {1.0, -1.0}) {
    Scene scene = make_scene(level_of({pig({2 - side * 3, 0}), platform({2, 0}, 0.2, 6)}), weightless());
    scene.objects[0].velocity = {side * 60, 0};
    scene.objects[0].life = 1e9;
    World world(scene, {});
    for (int i = 0; i < 50; ++i) world.step();
    CHECK(side * (place(world, 0).x - 2) < 0);
  }
}

TEST_CASE("[sim] powers: an explosion begins the wait for rest anew") {
  // Nothing is left to move: 0.2 s, ten steps, after the tap the shot is over.
  World world = flying("BirdBlack");
  REQUIRE(world.tap());
  while (!world.over()) world.step();
  CHECK(world.trace().steps == 30 + 10);
  CHECK(world.trace().end == EndReason::cleared);
}

namespace {

/// A bird without gravity that creeps at 0.05 m/s to a wall 0.03 before it: 0.001 a step.
Level creeping(const std::string& type) {
  const BirdType& bird = profile()->bird(type);
  const Vec2 at = Vec2{-8.15, -1.7} + bird.centre;
  return level_of({platform({at.x + bird.radius + 0.03 + 0.32, at.y}, 1, 1)}, {type});
}
const Shot creep{.stretch = 0.005};

int step_of(const World& world, EventKind kind) { return first(world.trace(), kind)->step; }

}  // namespace

TEST_CASE("[sim] flight: a bird that lies still is taken away in the step in which it touches something") {
  World world(make_scene(creeping("BirdRed"), weightless()), {.record_events = true});
  world.launch(creep);
  while (!world.over()) world.step();
  REQUIRE(count(world.trace(), EventKind::contact) == 1);
  CHECK(step_of(world, EventKind::contact) > 11);  // it has been as slow for 0.2 s
  CHECK(step_of(world, EventKind::bird_gone) == step_of(world, EventKind::contact));
  CHECK(world.trace().steps == step_of(world, EventKind::bird_gone));  // what is fixed does not lean on it
}

TEST_CASE("[sim] flight: what touches a bird that is taken away must lie still for 0.2 s more") {
  // 0.545 kg at 0.05 m/s against 1.15 kg: both go on at 0.016 m/s, which is as good as still.
  Level level = creeping("BirdRed");
  level.objects[0] = block("RectFat", Material::stone, level.objects[0].position + Vec2{0.3818 - 0.32, 0});
  World world(make_scene(level, weightless()), {.record_events = true});
  world.launch(creep);
  while (!world.over()) world.step();
  REQUIRE(count(world.trace(), EventKind::contact) == 1);
  CHECK(step_of(world, EventKind::bird_gone) == step_of(world, EventKind::contact));
  CHECK(world.trace().steps == step_of(world, EventKind::bird_gone) + 10);
}

TEST_CASE(
    "[sim] flight: while something else moves, a bird that lies still stays for 3 s after its contact") {
  Level level = creeping("BirdRed");
  level.objects.push_back(block("SquareSmall", Material::wood, {0, 3}));
  Scene scene = make_scene(level, weightless());
  scene.objects[1].velocity = {1, 0};
  World world(scene, {.record_events = true});
  world.launch(creep);
  while (count(world.trace(), EventKind::bird_gone) == 0 && !world.over()) world.step();
  REQUIRE(count(world.trace(), EventKind::bird_gone) == 1);
  CHECK(step_of(world, EventKind::bird_gone) == step_of(world, EventKind::contact) + 150);
}

TEST_CASE("[sim] powers: a black bird that touches something as slowly as that explodes all the same") {
  World world(make_scene(creeping("BirdBlack"), weightless()), {.record_events = true});
  world.launch(creep);
  while (!world.over()) world.step();
  REQUIRE(count(world.trace(), EventKind::contact) > 0);
  CHECK(step_of(world, EventKind::contact) > 11);
  REQUIRE(count(world.trace(), EventKind::explosion) == 1);
  CHECK(step_of(world, EventKind::explosion) == step_of(world, EventKind::contact) + 30);
}
