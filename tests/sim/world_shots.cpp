#include <cmath>
#include <tuple>

#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "tests/catch.hpp"
#include "tests/sim/world_scenes.hpp"

using namespace startle;
using namespace startle::test;

namespace {

bool same_state(const Scene& a, const Scene& b) {
  if (a.objects.size() != b.objects.size() || a.next_bird != b.next_bird || a.score != b.score) return false;
  for (std::size_t i = 0; i < a.objects.size(); ++i) {
    const SceneObject &x = a.objects[i], &y = b.objects[i];
    if (x.alive != y.alive || x.life != y.life || !(x.pose.position == y.pose.position) ||
        x.pose.angle != y.pose.angle || !(x.velocity == y.velocity) ||
        x.angular_velocity != y.angular_velocity)
      return false;
  }
  return true;
}

/// Different shots with the first bird.
std::vector<Shot> fan(int count) {
  std::vector<Shot> shots;
  for (int i = 0; i < count; ++i) shots.push_back({.angle = 0.1 + 0.05 * i});
  return shots;
}

}  // namespace

TEST_CASE("[sim] worlds: a body weighs what its scene says, whatever its shape is cut into") {
  // Seen from outside: without gravity a push of known impulse gives impulse / mass. The push is TNT's, 4 N s
  // (1 - d/2.5) at distance d from where it exploded.
  for (const char* type : {"RectFat", "Triangle", "TriangleHole", "Circle", "SquareHole"}) {
    const Scene scene = make_scene(level_of({tnt({0, -1.7}), block(type, Material::stone, {1, -1.7})}),
                                   weightless());
    World world(scene, {.record_events = true});
    world.launch({});
    while (count(world.trace(), EventKind::explosion) == 0) world.step();
    const double distance = length(Vec2{1, -1.7} - first(world.trace(), EventKind::explosion)->position);
    CAPTURE(type);
    CHECK(length(world.scene().objects[1].velocity) * scene.objects[1].mass() ==
          Approx(4 * (1 - distance / 2.5)).epsilon(1e-4));
  }
}

TEST_CASE("[sim] settling: a tower of ten storeys stands") {
  // Each storey is two square legs and a floor, of mixed materials: 20 layers, which 20 velocity iterations
  // let fall.
  const Material materials[] = {Material::wood, Material::ice, Material::stone};
  std::vector<LevelObject> objects;
  const auto height = [](const char* type) {
    return bounds(*profile()->find(Kind::block, type, Material::wood)->shape).height();
  };
  double y = -3.5;
  for (int storey = 0; storey < 10; ++storey) {
    const double leg = height("SquareSmall"), floor = height("RectSmall");
    for (const double x : {1.8, 2.2})
      objects.push_back(block("SquareSmall", materials[storey % 3], {x, y + leg / 2}));
    objects.push_back(block("RectSmall", materials[(storey + 1) % 3], {2, y + leg + floor / 2}));
    y += leg + floor;
  }
  const SettleResult result = settle_scene(make_scene(level_of(objects), profile()));
  CHECK(result.settled);
  CHECK(result.turn < 0.05);
  CHECK(result.shift < 0.4);  // 20 layers sink by a slop each
}

TEST_CASE("[sim] settling: the result says how far anything moved and turned") {
  // A plank tilted by 10 degrees falls flat; the block after it, at rest on the ground from the start, hardly
  // moves.
  const Level level = level_of(
      {block("RectBig", Material::wood, {2, -3}, 10), block("SquareSmall", Material::wood, {6, -3.31})});
  const SettleResult result = settle_scene(make_scene(level, profile()));
  CHECK(result.settled);
  CHECK(result.turn == Approx(radians(10)).margin(0.02));
  const Vec2 moved = result.scene.objects[0].pose.position - Vec2{2, -3};
  CHECK(result.shift == Approx(length(moved)));
  CHECK(result.shift > 0.3);
}

TEST_CASE("[sim] settling: a level of which over a tenth moves more than a unit, or dies, has collapsed") {
  // Eight or nine pigs that lie on the ground 0.6 apart, beside a block: 2 units above it, half a unit above
  // it, or beyond the end of the world.
  const auto settled = [](int lying, Vec2 place) {
    std::vector<LevelObject> objects{block("SquareSmall", Material::wood, place), platform({0, 5}, 1, 1)};
    for (int i = 0; i < lying; ++i) objects.push_back(pig({4 + 0.6 * i, -3.28}));
    return settle_scene(make_scene(level_of(objects), profile()));
  };
  CHECK(settled(9, {0, -1.3}).movable == 10);
  CHECK(settled(9, {0, -1.3}).moved_far == 1);
  CHECK_FALSE(settled(9, {0, -1.3}).collapsed());  // one of ten is a tenth, not over it
  CHECK(settled(8, {0, -1.3}).collapsed());
  CHECK_FALSE(settled(8, {0, -2.8}).collapsed());
  CHECK(settled(8, {18.5, -3.2}).collapsed());
  CHECK_FALSE(settle_scene(make_scene(level_of({}), profile())).collapsed());
}

TEST_CASE("[sim] shots: a missed shot ends when the bird has come to rest, and uses the bird up") {
  const Scene scene = make_scene(level_of({pig({-16, -3.28})}), profile());
  const ShotResult result = run_shot(scene, {.angle = 0.1}, {.record_events = true});
  CHECK(result.trace.end == EndReason::settled);
  CHECK(result.trace.steps * step < 12);
  CHECK(count(result.trace, EventKind::bird_gone) == 1);
  CHECK(result.scene.birds_left() == 0);
  CHECK(result.scene.pigs_left() == 1);
}

TEST_CASE("[sim] shots: the end says why") {
  const Scene scene = make_scene(level_of({pig({-5, -3.28})}, {"BirdRed", "BirdRed"}), profile());
  const ShotResult hit = run_shot(scene, {.angle = radians(-15)});
  CHECK(hit.trace.end == EndReason::cleared);
  CHECK(hit.trace.pigs_killed == 1);
  CHECK(run_shot(scene, {.angle = radians(60)}).trace.end == EndReason::settled);
  const ShotResult cut = run_shot(scene, {.angle = radians(60)}, {.time_limit = 0.5});
  CHECK(cut.trace.end == EndReason::time_limit);
  CHECK(cut.trace.steps == 25);
}

TEST_CASE("[sim] shots: a bird lives for 20 s after its launch") {
  // Without gravity, in a world wide enough, it flies on for ever.
  Scene scene = make_scene(level_of({}), weightless());
  scene.half_width = 1000;
  const Trace trace =
      run_shot(scene, {.angle = radians(45)}, {.record_events = true, .time_limit = 60}).trace;
  REQUIRE(first(trace, EventKind::bird_gone));
  CHECK(first(trace, EventKind::bird_gone)->step == 1000);
  CHECK(count(trace, EventKind::out_of_world) == 0);
}

TEST_CASE("[sim] shots: the death of an object begins the wait for rest anew") {
  // Without gravity a block creeps over the world's edge, too slowly to count as moving. What stood on it
  // would begin to fall only now, so that all must be quiet for 0.2 s, ten steps, from the step of its death
  // on.
  Scene scene = make_scene(level_of({block("SquareSmall", Material::wood, {17.5, 0}), pig({0, 0})}),
                           weightless());
  scene.objects[0].velocity = {0.015, 0};  // 0.0003 a step
  // Box2D's boxes reach 0.01 beyond the shape.
  scene.objects[0].pose.position.x += 17.5 - (scene.objects[0].world_bounds().xmin - 0.01) - 4.5 * 0.0003;
  World world(scene, {.record_events = true});
  while (!world.over()) world.step();
  REQUIRE(count(world.trace(), EventKind::out_of_world) == 1);
  CHECK(first(world.trace(), EventKind::out_of_world)->value == 0);
  const int death = first(world.trace(), EventKind::out_of_world)->step;
  REQUIRE(death >= 3);
  REQUIRE(death <= 7);
  CHECK(world.trace().steps == death + 9);
}

TEST_CASE("[sim] shots: what leans on a bird that is taken away comes to rest before the shot ends") {
  const Scene start = settle(make_scene(chaotic_level(), profile()));
  for (const Shot& shot : fan(12)) {
    const ShotResult result = run_shot(start, shot);
    if (result.trace.end == EndReason::time_limit) continue;
    World later(result.scene);
    double furthest = 0;
    while (!later.over()) later.step();
    for (std::size_t i = 0; i < start.objects.size(); ++i)
      if (result.scene.objects[i].alive)
        furthest = std::max(
            furthest, length(later.scene().objects[i].pose.position - result.scene.objects[i].pose.position));
    CHECK(furthest < 0.05);
  }
}

TEST_CASE("[sim] rest: a shot that misses leaves everything exactly where it was") {
  const Scene start = settle(make_scene(chaotic_level(), profile()));
  REQUIRE(start.rest_mark != 0);
  ShotResult missed = run_shot(start, {.angle = radians(100)}, {.record_events = true});
  CHECK(missed.trace.end == EndReason::settled);
  CHECK(missed.scene.rest_mark == start.rest_mark);
  --missed.scene.next_bird;
  CHECK(same_state(missed.scene, start));
}

TEST_CASE("[sim] rest: a scene changed by hand wakes up") {
  const Scene start = settle(make_scene(level_of({block("SquareSmall", Material::wood, {2, -3.3}),
                                                  block("RectFat", Material::wood, {2, -2.9})}),
                                        profile()));
  REQUIRE(start.rest_mark != 0);
  Scene edited = start;
  edited.objects[0].alive = false;
  World world(edited);
  while (!world.over()) world.step();
  CHECK(start.objects[1].pose.position.y - world.scene().objects[1].pose.position.y > 0.3);
  // A scene cut off by the time limit is not at rest.
  CHECK(run_shot(start, {.angle = 0.3}, {.time_limit = 0.5}).scene.rest_mark == 0);
}

TEST_CASE("[sim] play: ends when pigs or birds or shots are used up") {
  const Level level = level_of({pig({-5, -3.28})}, {"BirdRed", "BirdRed"});
  const Scene scene = make_scene(level, profile());
  const Shot hit{.angle = radians(-15)}, miss{.angle = radians(60)};
  CHECK(play(scene, {hit, miss}).traces.size() == 1);
  CHECK(play(scene, {hit, miss}).cleared);
  CHECK(play(scene, {miss, hit, hit}).traces.size() == 2);
  CHECK(play(scene, {miss, hit, hit}).cleared);
  const PlayResult failed = play(scene, {miss, miss, hit});
  CHECK(failed.traces.size() == 2);
  CHECK_FALSE(failed.cleared);
  CHECK(failed.scene.birds_left() == 0);
  CHECK(failed.scene.score == 0);
  CHECK(play(scene, {}).traces.empty());
  // A level without pigs counts as cleared from the start: nothing is shot.
  CHECK(play(make_scene(level_of({}), profile()), {miss}).traces.empty());
}

TEST_CASE("[sim] recording: frames every so many steps, from the release on, or none") {
  const Scene scene = settle(make_scene(chaotic_level(), profile()));
  const Shot shot = chaotic_shots()[0];
  const ShotResult plain = run_shot(scene, shot);
  CHECK(plain.trace.frames.empty());
  CHECK(plain.trace.events.empty());
  for (const int every : {1, 4, 7}) {
    const ShotResult recorded = run_shot(scene, shot, {.record_every = every, .record_events = every == 4});
    CHECK(recorded.trace.hash == plain.trace.hash);
    CHECK(same_state(recorded.scene, plain.scene));
    CHECK(recorded.trace.record_every == every);
    REQUIRE(recorded.trace.frames.size() == static_cast<std::size_t>(recorded.trace.steps / every + 1));
    for (std::size_t i = 0; i < recorded.trace.frames.size(); ++i) {
      const Frame& frame = recorded.trace.frames[i];
      CHECK(frame.step == static_cast<int>(i) * every);
      for (std::size_t k = 1; k < frame.bodies.size(); ++k)
        CHECK(frame.bodies[k - 1].id < frame.bodies[k].id);
    }
    // At release all objects and the bird are there, at their places.
    const Frame& first_frame = recorded.trace.frames[0];
    REQUIRE(first_frame.bodies.size() == scene.objects.size() + 1);
    for (std::size_t k = 0; k < scene.objects.size(); ++k)
      CHECK(length(first_frame.bodies[k].pose.position - scene.objects[k].pose.position) < 1e-6);
  }
}

TEST_CASE("[sim] worlds: making one changes nothing, and a step without a bird runs the level") {
  const Scene scene = settle(make_scene(chaotic_level(), profile()));
  CHECK(same_state(World(scene).scene(), scene));
  World idle(scene);
  while (!idle.over()) idle.step();
  CHECK(idle.trace().end == EndReason::settled);
  const int steps = idle.trace().steps;
  idle.step();
  CHECK(idle.trace().steps == steps);  // over is over
}

TEST_CASE("[sim] branching: playing on and branching off are the same, bit for bit, in any order") {
  const Scene start = settle(make_scene(chaotic_level(), profile()));
  const std::vector<Shot> shots = chaotic_shots();
  const PlayResult played = play(start, shots);
  REQUIRE(played.traces.size() >= 3);
  Scene scene = start;
  for (std::size_t i = 0; i < played.traces.size(); ++i) {
    // Other shots from the same scene in between leave no mark.
    if (i == 1) std::ignore = run_shot(scene, shots[3]);
    ShotResult result = run_shot(scene, shots[i]);
    CHECK(result.trace.hash == played.traces[i].hash);
    scene = result.scene;
  }
  scene.score = played.scene.score;  // play adds the unused birds
  CHECK(same_state(scene, played.scene));
}

TEST_CASE("[sim] determinism: the chaotic scene has the golden hash") {
  // Equal for gcc and clang, Debug and Release. It changes with the physics: profiles, shapes, engine, settle
  // rule; then look at the shots (startle simulate) before pinning the new value.
  const Scene start = settle(make_scene(chaotic_level(), profile()));
  Scene scene = start;
  Hash hash;
  int destroyed = 0, explosions = 0;
  for (const Shot& shot : chaotic_shots()) {
    ShotResult result = run_shot(scene, shot, {.record_events = true});
    hash.add(result.trace.hash);
    destroyed += result.trace.blocks_destroyed;
    explosions += count(result.trace, EventKind::explosion);
    scene = result.scene;
  }
  CHECK(destroyed >= 5);
  CHECK(explosions >= 3);
  CHECK(hash.value() == 0xaa7a07b191f1eee0ULL);
}

TEST_CASE("[sim] determinism: eight threads give what one thread gives") {
  const Scene start = settle(make_scene(chaotic_level(), profile()));
  const std::vector<Shot> shots = fan(16);
  std::vector<std::uint64_t> serial(shots.size()), parallel(shots.size());
  for (std::size_t i = 0; i < shots.size(); ++i) serial[i] = run_shot(start, shots[i]).trace.hash;
  parallel_for(shots.size(), 8, [&](std::size_t i) { parallel[i] = run_shot(start, shots[i]).trace.hash; });
  CHECK(serial == parallel);
  for (std::size_t i = 1; i < serial.size(); ++i) CHECK(serial[i] != serial[i - 1]);
}

TEST_CASE("[sim] rest: a scene keeps its mark of rest until the first step") {
  Scene scene = make_scene(level_of({block("SquareSmall", Material::wood, {2, 1})}), profile());
  scene.rest_mark = 12345;
  World world(scene, {});
  CHECK(world.scene().rest_mark == 12345);
  for (int i = 0; i < 3; ++i) {
    world.step();
    CHECK(world.scene().rest_mark == 0);  // it falls
  }
}
