// The engine against raw Box2D, episodes per second, and what it costs to branch.
//
//   bench_engine --benchmark_filter=...   (Google Benchmark)
//
// engine_against_raw/<scene>: the same bodies, iterations and a contact listener, step by step.
//   ratio       engine over raw Box2D as it comes (continuous collision always on); to be at most 1.05
//   overhead    engine over raw Box2D with continuous collision on in the very steps in which the engine has
//               it on: both do the same physics bit for bit, the rest is the engine's own work
// episodes/<scene>/<threads>: shots played to their end from one settled scene, episodes per second.
// phyre_steps: 14 bodies, 3 of them moving; steps per second, to be at least 800,000.
// branch_*: what the next of many shots from one state costs before it begins.
#include <benchmark/benchmark.h>
#include <box2d/box2d.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "core/parallel.hpp"
#include "sim/shape.hpp"
#include "sim/world.hpp"

namespace {

using namespace startle;

constexpr double ground = -3.5;

Level empty_level() {
  Level level;
  level.width = 2;
  level.slingshot = {-8, -2.5};
  level.birds = {"BirdRed"};
  return level;
}

LevelObject block(const char* type, int index, Vec2 position) {
  constexpr Material materials[] = {Material::wood, Material::ice, Material::stone};
  return {.kind = Kind::block, .type = type, .material = materials[index % 3], .position = position};
}

LevelObject pig(Vec2 position) { return {.kind = Kind::pig, .type = "BasicSmall", .position = position}; }

double height_of(const char* type) {
  return bounds(*profile()->find(Kind::block, type, Material::wood)->shape).height();
}

/// 28 square blocks in seven rows, a pig on top and one behind: 30 objects.
Level pyramid() {
  Level level = empty_level();
  const double h = height_of("SquareSmall");
  for (int row = 0; row < 7; ++row)
    for (int i = 0; i < 7 - row; ++i)
      level.objects.push_back(
          block("SquareSmall", row + i, {0.42 * (i + 0.5 * row), ground + h * (row + 0.5)}));
  level.objects.push_back(pig({0.42 * 3, ground + 7 * h + 0.22}));
  level.objects.push_back(pig({4, ground + 0.22}));
  return level;
}

/// Ten storeys of two legs and a floor.
Level tower() {
  Level level = empty_level();
  const double leg = height_of("SquareSmall"), floor = height_of("RectSmall");
  double y = ground;
  for (int storey = 0; storey < 10; ++storey) {
    level.objects.push_back(block("SquareSmall", storey, {1.8, y + leg / 2}));
    level.objects.push_back(block("SquareSmall", storey, {2.2, y + leg / 2}));
    level.objects.push_back(block("RectSmall", storey + 1, {2, y + leg + floor / 2}));
    y += leg + floor;
  }
  level.objects.push_back(pig({2, y + 0.22}));
  return level;
}

/// Five cells apart from one another: two legs, a roof, a pig inside and one on the roof.
Level cells() {
  Level level = empty_level();
  const double leg = height_of("RectFat"), roof = height_of("RectMedium");
  for (int cell = 0; cell < 5; ++cell) {
    const double x = -3 + 3.5 * cell;
    for (const double side : {-0.7, 0.7}) {
      level.objects.push_back(
          block("SquareSmall", cell, {x + side * 0.8, ground + height_of("SquareSmall") / 2}));
      level.objects.push_back(block(
          "RectTiny", cell, {x + side * 0.8, ground + height_of("SquareSmall") + height_of("RectTiny") / 2}));
    }
    const double y = ground + height_of("SquareSmall") + height_of("RectTiny");
    level.objects.push_back(block("RectMedium", cell + 1, {x, y + roof / 2}));
    level.objects.push_back(block("RectFat", cell + 2, {x, y + roof + leg / 2}));
    level.objects.push_back(pig({x, ground + 0.22}));
  }
  return level;
}

Level level_named(const std::string& name) {
  return name == "pyramid" ? pyramid() : name == "tower" ? tower() : cells();
}

/// Shots spread over what reaches the structures.
Shot shot_number(std::size_t i) {
  return {.angle = 0.05 + 0.6 * std::fmod(static_cast<double>(i) * 0.6180339887, 1.0)};
}

// --- The engine and raw Box2D, step by step ----------------------------------------------------------------

/// What a program that counts its contacts would write by hand.
struct CountingListener : b2ContactListener {
  void BeginContact(b2Contact*) override { ++begun; }
  void EndContact(b2Contact*) override { ++ended; }
  long begun = 0, ended = 0;
};

void add_pieces(b2Body& body, const SceneObject& object) {
  double area = 0;
  b2FixtureDef definition;
  definition.friction = static_cast<float>(object.parameters.friction);
  definition.restitution = static_cast<float>(object.parameters.restitution);
  for (const Polygon& part : object.shape->parts) {
    b2Vec2 vertices[b2_maxPolygonVertices];
    for (std::size_t i = 0; i < part.size(); ++i)
      vertices[i].Set(static_cast<float>(part[i].x), static_cast<float>(part[i].y));
    b2PolygonShape polygon;
    polygon.Set(vertices, static_cast<int32>(part.size()));
    b2MassData mass;
    polygon.ComputeMass(&mass, 1);
    area += mass.mass;
    definition.shape = &polygon;
    body.CreateFixture(&definition);
  }
  for (const Disc& disc : object.shape->discs) {
    b2CircleShape circle;
    circle.m_p.Set(static_cast<float>(disc.centre.x), static_cast<float>(disc.centre.y));
    circle.m_radius = static_cast<float>(disc.radius);
    b2MassData mass;
    circle.ComputeMass(&mass, 1);
    area += mass.mass;
    definition.shape = &circle;
    body.CreateFixture(&definition);
  }
  for (b2Fixture* fixture = body.GetFixtureList(); fixture; fixture = fixture->GetNext())
    fixture->SetDensity(static_cast<float>(object.mass() / area));
  body.ResetMassData();
}

/// The scene's bodies and its first bird, launched, in plain Box2D: no damage, no rules. Made in the engine's
/// order, so that the physics is the same bit for bit.
struct RawWorld {
  RawWorld(const Scene& scene, const Shot& shot)
      : world(b2Vec2(0, -static_cast<float>(scene.profile->gravity))) {
    b2BodyDef fixed;
    b2PolygonShape box;
    box.SetAsBox(static_cast<float>(scene.half_width + 20), 5,
                 b2Vec2(0, static_cast<float>(scene.profile->ground_y - 5)), 0);
    b2FixtureDef definition;
    definition.shape = &box;
    definition.friction = static_cast<float>(scene.profile->default_friction);
    world.CreateBody(&fixed)->CreateFixture(&definition);
    fixed.position.Set(static_cast<float>(scene.slingshot.x), static_cast<float>(scene.slingshot.y));
    SceneObject slingshot{.kind = Kind::platform, .shape = scene.profile->slingshot_shape};
    b2Body* sling = world.CreateBody(&fixed);
    add_pieces(*sling, slingshot);
    b2Filter not_birds;
    not_birds.maskBits = 0xfffd;
    for (b2Fixture* f = sling->GetFixtureList(); f; f = f->GetNext()) f->SetFilterData(not_birds);
    for (const SceneObject& object : scene.objects) {
      b2BodyDef body;
      body.type = object.is_static() ? b2_staticBody : b2_dynamicBody;
      body.position.Set(static_cast<float>(object.pose.position.x),
                        static_cast<float>(object.pose.position.y));
      body.angle = static_cast<float>(object.pose.angle);
      body.gravityScale = static_cast<float>(object.parameters.gravity_scale);
      body.linearDamping = static_cast<float>(object.parameters.linear_damping);
      body.angularDamping = static_cast<float>(object.parameters.angular_damping);
      body.bullet = object.kind == Kind::pig;
      b2Body* made = world.CreateBody(&body);
      add_pieces(*made, object);
      made->SetLinearVelocity({static_cast<float>(object.velocity.x), static_cast<float>(object.velocity.y)});
      made->SetAngularVelocity(static_cast<float>(object.angular_velocity));
      objects.push_back(made);
      if (body.bullet) bullets.push_back(made);
    }
    world.Step(0, 0, 0);
    if (scene.rest_mark != 0)
      for (b2Body* object : objects) object->SetAwake(false);
    world.SetContactListener(&listener);
    if (!scene.birds.empty()) {
      const BirdType& type = scene.profile->bird(scene.birds[0]);
      const Vec2 along = direction(shot.angle);
      const Vec2 start = scene.rest() - scene.profile->max_stretch * along;
      SceneObject bird{.kind = Kind::bird, .shape = type.shape, .parameters = type.parameters};
      b2BodyDef body;
      body.type = b2_dynamicBody;
      body.position.Set(static_cast<float>(start.x), static_cast<float>(start.y));
      body.linearVelocity.Set(static_cast<float>(10 * along.x), static_cast<float>(10 * along.y));
      body.gravityScale = static_cast<float>(type.parameters.gravity_scale);
      body.angularDamping = static_cast<float>(type.parameters.angular_damping);
      body.bullet = true;
      b2Body* made = world.CreateBody(&body);
      add_pieces(*made, bird);
      b2Filter as_bird;
      as_bird.categoryBits = 2;
      for (b2Fixture* f = made->GetFixtureList(); f; f = f->GetNext()) f->SetFilterData(as_bird);
      bullets.push_back(made);
    }
  }
  /// Whether the engine collides continuously in the next step (see continuous_speed in sim/world.cpp).
  bool fast() const {
    return std::any_of(bullets.begin(), bullets.end(),
                       [](const b2Body* b) { return b->GetLinearVelocity().LengthSquared() > 6.25f; });
  }
  double sum_of_places() const {
    double sum = 0;
    for (const b2Body* body : objects)
      sum += static_cast<double>(body->GetPosition().x) + static_cast<double>(body->GetPosition().y);
    return sum;
  }
  b2World world;
  CountingListener listener;
  std::vector<b2Body*> objects, bullets;
};

/// Life so high that nothing dies: raw Box2D has no damage, and the bodies must stay the same. Life does not
/// touch the rest mark.
Scene indestructible(Scene scene) {
  for (SceneObject& object : scene.objects) object.life = 1e9;
  return scene;
}

constexpr int compared_steps = 150;  // 3 s: flight, impact, collapse

/// Processor time of this thread, s.
double now() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

/// Engine and raw Box2D take turns within one benchmark, so that a change of the machine's speed hits both
/// alike.
void engine_against_raw(benchmark::State& state, const std::string& name) {
  const Scene scene = indestructible(settle(make_scene(level_named(name), profile())));
  const Shot shot{.angle = 0.3};
  const Profile& p = *scene.profile;
  const float h = static_cast<float>(p.step);
  std::vector<bool> continuous;
  {
    RawWorld raw(scene, shot);
    for (int i = 0; i < compared_steps; ++i) {
      continuous.push_back(i == 0 || raw.fast());
      raw.world.SetContinuousPhysics(continuous.back());
      raw.world.Step(h, p.velocity_iterations, p.position_iterations);
    }
  }
  std::vector<double> ratios, overheads;
  double engine_total = 0, difference = 0;
  for (auto _ : state) {
    World world(scene);
    world.launch(shot);
    RawWorld plain(scene, shot), same(scene, shot);
    const double start = now();
    for (int i = 0; i < compared_steps; ++i) world.step();
    const double engine = now() - start;
    for (int i = 0; i < compared_steps; ++i)
      plain.world.Step(h, p.velocity_iterations, p.position_iterations);
    const double plain_time = now() - start - engine;
    for (int i = 0; i < compared_steps; ++i) {
      same.world.SetContinuousPhysics(continuous[static_cast<std::size_t>(i)]);
      same.world.Step(h, p.velocity_iterations, p.position_iterations);
    }
    const double same_time = now() - start - engine - plain_time;
    engine_total += engine;
    ratios.push_back(engine / plain_time);
    overheads.push_back(engine / same_time);
    double places = 0;
    for (const SceneObject& object : world.scene().objects)
      places += object.pose.position.x + object.pose.position.y;
    difference = places - same.sum_of_places();
  }
  state.counters["ratio"] = median(ratios);
  state.counters["overhead"] = median(overheads);
  state.counters["engine_us"] = 1e6 * engine_total /
                                (static_cast<double>(state.iterations()) * compared_steps);
  state.counters["difference"] = difference;  // of all places together: 0 up to rounding when the physics is
                                              // the same
}
BENCHMARK_CAPTURE(engine_against_raw, pyramid, "pyramid")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engine_against_raw, tower, "tower")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(engine_against_raw, cells, "cells")->Unit(benchmark::kMillisecond);

// --- Episodes ----------------------------------------------------------------------------------------------

void episodes(benchmark::State& state, const std::string& name) {
  const Scene scene = settle(make_scene(level_named(name), profile()));
  const int threads = static_cast<int>(state.range(0));
  constexpr std::size_t batch = 64;
  std::vector<int> steps(batch);
  double total_steps = 0;
  for (auto _ : state) {
    parallel_for(batch, threads,
                 [&](std::size_t i) { steps[i] = run_shot(scene, shot_number(i)).trace.steps; });
    for (const int n : steps) total_steps += n;
  }
  state.counters["episodes"] = benchmark::Counter(static_cast<double>(state.iterations()) * batch,
                                                  benchmark::Counter::kIsRate);
  state.counters["steps"] = benchmark::Counter(total_steps, benchmark::Counter::kIsRate);
}
BENCHMARK_CAPTURE(episodes, pyramid, "pyramid")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(episodes, tower, "tower")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(episodes, cells, "cells")->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

// --- Scenes of PHYRE's size --------------------------------------------------------------------------------

/// Eleven bars and three moving bodies that fall among them, 14 in all: two balls (discs, as in PHYRE) and a
/// box.
Scene phyre_scene() {
  Level level = empty_level();
  level.birds.clear();
  for (int i = 0; i < 11; ++i)
    level.objects.push_back({.kind = Kind::platform,
                             .type = "Platform",
                             .position = {-5.0 + i, -2.5 + 0.35 * (i % 5)},
                             .rotation_deg = i % 2 ? 12.0 : -12.0,
                             .scale_x = 1.4,
                             .scale_y = 0.3});
  level.objects.push_back(block("CircleSmall", 0, {-2, 3}));
  level.objects.push_back(block("CircleSmall", 1, {0.5, 4}));
  level.objects.push_back(block("RectSmall", 2, {2.4, 2}));
  Scene scene = make_scene(level, profile());
  for (SceneObject& object : scene.objects)
    if (object.type == "CircleSmall") object.shape = std::make_shared<Shape>(disc_shape(0.2));
  return scene;
}

void phyre_steps(benchmark::State& state) {
  const Scene scene = phyre_scene();
  double steps = 0;
  for (auto _ : state) {
    World world(scene);
    while (!world.over()) world.step();
    steps += world.trace().steps;
  }
  state.counters["steps"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["steps_an_episode"] = steps / static_cast<double>(state.iterations());
}
BENCHMARK(phyre_steps)->Unit(benchmark::kMicrosecond);

/// The same bodies in raw Box2D for as many steps: what is left to gain.
void phyre_steps_raw(benchmark::State& state) {
  const Scene scene = phyre_scene();
  World world(scene);
  while (!world.over()) world.step();
  const int length = world.trace().steps;
  const Profile& p = *scene.profile;
  for (auto _ : state) {
    RawWorld raw(scene, {});
    for (int i = 0; i < length; ++i)
      raw.world.Step(static_cast<float>(p.step), p.velocity_iterations, p.position_iterations);
    benchmark::DoNotOptimize(raw.listener.begun);
  }
  state.counters["steps"] = benchmark::Counter(static_cast<double>(state.iterations()) * length,
                                               benchmark::Counter::kIsRate);
}
BENCHMARK(phyre_steps_raw)->Unit(benchmark::kMicrosecond);

// --- Branching ---------------------------------------------------------------------------------------------

/// The way taken: a World from the Scene for each shot.
void branch_rebuild(benchmark::State& state) {
  const Scene scene = settle(make_scene(pyramid(), profile()));
  for (auto _ : state) {
    World world(scene);
    benchmark::DoNotOptimize(&world);
  }
}
BENCHMARK(branch_rebuild)->Unit(benchmark::kMicrosecond);

/// From the level file's contents: scene made and settled again.
void branch_from_level(benchmark::State& state) {
  const Level level = pyramid();
  for (auto _ : state) benchmark::DoNotOptimize(settle(make_scene(level, profile())));
}
BENCHMARK(branch_from_level)->Unit(benchmark::kMicrosecond);

/// By replaying the shot before the branch.
void branch_replay(benchmark::State& state) {
  const Scene scene = settle(make_scene(pyramid(), profile()));
  for (auto _ : state) benchmark::DoNotOptimize(run_shot(scene, {.angle = 0.3}));
}
BENCHMARK(branch_replay)->Unit(benchmark::kMicrosecond);

/// For comparison: a copy of the Scene alone.
void branch_copy_scene(benchmark::State& state) {
  const Scene scene = settle(make_scene(pyramid(), profile()));
  for (auto _ : state) {
    Scene copy = scene;
    benchmark::DoNotOptimize(copy);
  }
}
BENCHMARK(branch_copy_scene)->Unit(benchmark::kMicrosecond);

}  // namespace

BENCHMARK_MAIN();
