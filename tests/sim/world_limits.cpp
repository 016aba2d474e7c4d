// What the world accepts and refuses, at the ends of what is allowed, and blows of eggs by hand.
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "tests/catch.hpp"
#include "world_scenes.hpp"

using namespace startle;
using namespace startle::test;

namespace {

Scene plain_scene() {
  return make_scene(level_of({startle::test::block("SquareSmall", Material::wood, {0, -3})}), profile());
}

bool accepted(const Scene& scene, const WorldOptions& options = {}) {
  try {
    World world(scene, options);
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("[sim] world: each number of a scene is accepted up to the ends of its range and refused beyond") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto with = [](auto&& change) {
    Scene scene = plain_scene();
    change(scene, scene.objects[0]);
    return accepted(scene);
  };
  CHECK(accepted(plain_scene()));
  for (double good : {0.5, 1e4}) CHECK(with([&](Scene& s, SceneObject&) { s.half_width = good; }));
  for (double bad : {0.0, -1.0, 1.0001e4, nan})
    CHECK_FALSE(with([&](Scene& s, SceneObject&) { s.half_width = bad; }));
  for (double sign : {1.0, -1.0}) {
    CHECK(with([&](Scene&, SceneObject& o) { o.pose.position.y = sign * 1e4; }));
    for (double bad : {sign * 1.0001e4, nan}) {
      CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.pose.position.x = bad; }));
      CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.pose.position.y = bad; }));
      CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.pose.angle = bad; }));
      CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.velocity.x = bad; }));
      CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.velocity.y = bad; }));
      CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.angular_velocity = bad; }));
      CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.parameters.gravity_scale = bad; }));
    }
    CHECK(with([&](Scene&, SceneObject& o) { o.parameters.gravity_scale = sign * 2; }));
  }
  for (double good : {0.0, 1e9}) CHECK(with([&](Scene&, SceneObject& o) { o.parameters.friction = good; }));
  for (double bad : {-1e-9, 1.1e9, nan}) {
    CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.parameters.friction = bad; }));
    CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.parameters.defence = bad; }));
    CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.parameters.angular_damping = bad; }));
  }
  for (double bad : {0.0, -1.0, 1.1e9, nan})
    CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.parameters.density = bad; }));
  for (double bad : {0.0, -1.0, nan}) CHECK_FALSE(with([&](Scene&, SceneObject& o) { o.life = bad; }));
  // Of what is dead nothing is looked at.
  CHECK(with([&](Scene&, SceneObject& o) { o.alive = false, o.pose.position.x = nan; }));
}

TEST_CASE("[sim] world: time limits and recordings are accepted up to the ends of their range") {
  CHECK(accepted(plain_scene(), {.time_limit = 1e6}));
  CHECK(accepted(plain_scene(), {.time_limit = 0.02}));
  CHECK_FALSE(accepted(plain_scene(), {.time_limit = 1.1e6}));
  CHECK_FALSE(accepted(plain_scene(), {.time_limit = 0}));
  CHECK(accepted(plain_scene(), {.record_every = 0}));
  CHECK_FALSE(accepted(plain_scene(), {.record_every = -1}));
}

TEST_CASE(
    "[sim] world: an egg leaves with its impulse divided by its mass, the bird with what its own impulse "
    "adds") {
  // Without gravity, shot level: the egg goes straight down beside its bird's course.
  const auto p = weightless();
  const Scene scene = make_scene(level_of({startle::test::pig({16, 5})}, {"BirdWhite"}), p);
  const BirdType& bird = p->bird("BirdWhite");
  const double egg_speed = bird.power.egg_impulse / p->find(Kind::egg, "Egg")->mass();
  World world(scene, {});
  world.launch({.angle = 0, .tap_time = 0.3});
  std::vector<Frame> frames;
  for (int k = 0; k < 25; ++k) {
    world.step();
    frames.push_back(world.frame());
  }
  // From one step to the next, of the egg, the last body of all.
  const auto state = [&](std::size_t f, BodyId id) {
    for (const BodyState& body : frames[f].bodies)
      if (body.id == id) return body.pose.position;
    FAIL("body " << id << " is not there");
    return Vec2{};
  };
  const BodyId bird_id = static_cast<BodyId>(scene.objects.size()), egg_id = bird_id + 1;
  const Vec2 egg = (1 / step) * (state(20, egg_id) - state(19, egg_id));
  CHECK(egg.y == Approx(-egg_speed).epsilon(0.01));
  const Vec2 flown = (1 / step) * (state(20, bird_id) - state(19, bird_id)),
             before = (1 / step) * (state(10, bird_id) - state(9, bird_id));
  CHECK(before.y == Approx(0).margin(1e-4));
  CHECK(flown.y > 0);
}

TEST_CASE("[sim] world: shots are accepted up to the ends of their ranges and refused beyond") {
  const Scene scene = make_scene(level_of({}), profile());
  const auto launched = [&](const Shot& shot) {
    World world(scene, {});
    try {
      world.launch(shot);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  for (double sign : {1.0, -1.0}) {
    CHECK(launched({.angle = sign * 100}));
    CHECK_FALSE(launched({.angle = sign * 100.1}));
  }
  CHECK(launched({.stretch = 1}));
  CHECK_FALSE(launched({.stretch = 1.001}));
  CHECK_FALSE(launched({.stretch = -0.5}));
  CHECK(launched({.tap_time = 1000}));
  CHECK_FALSE(launched({.tap_time = 1000.1}));
}

TEST_CASE("[sim] world: an egg of twice the mass leaves at half the speed, and straight down") {
  const auto changed = std::make_shared<Profile>(*weightless());
  for (ObjectType& type : changed->object_types)
    if (type.kind == Kind::egg) type.parameters.density *= 2;
  World world(make_scene(level_of({}, {"BirdWhite"}), changed));
  world.launch({});
  for (int i = 0; i < 30; ++i) world.step();
  REQUIRE(world.tap());
  const Vec2 before = place(world, 1);
  world.step();
  const Vec2 egg = (1 / step) * (place(world, 1) - before);
  CHECK(egg.x == Approx(0).margin(1e-4));
  CHECK(egg.y == Approx(-6 / 2.0).epsilon(1e-4));
}

TEST_CASE("[sim] world: pieces of a shape that are slivers to the engine are left out") {
  // Triangles 4 long, two of whose corners are 0.002 apart: the engine makes one corner of them.
  Scene scene = plain_scene();
  const Shape box = *scene.objects[0].shape;
  for (int first = 0; first < 3; ++first) {
    Polygon sliver;
    const Polygon corners{{0, 0}, {4, 0}, {0, 0.002}};
    for (int k = 0; k < 3; ++k) sliver.push_back(corners[static_cast<std::size_t>((first + k) % 3)]);
    Shape shape = box;
    shape.parts = {sliver};
    scene.objects[0].shape = std::make_shared<Shape>(shape);
    CHECK_FALSE(accepted(scene));
    shape.parts.push_back(box.parts[0]);
    scene.objects[0].shape = std::make_shared<Shape>(shape);
    CHECK(accepted(scene));
  }
}

TEST_CASE("[sim] world: a density of a thousand million can be simulated") {
  Scene scene = plain_scene();
  scene.objects[0].parameters.density = 1e9;
  CHECK(accepted(scene));
}

TEST_CASE("[sim] world: a program that is to stop gives the simulation up, one that is to finish does not") {
  const Scene scene = plain_scene();
  set_interruption(Interruption::finish);
  CHECK_NOTHROW(settle_scene(scene));
  set_interruption(Interruption::stop);
  CHECK_THROWS_AS(settle_scene(scene), Interrupted);
  set_interruption(Interruption::none);
  CHECK(settle_scene(scene).settled);
}
