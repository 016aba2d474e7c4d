/// \file  Novelties of the world as a whole, against steps by hand.
#include <cmath>
#include <functional>
#include <string>

#include "core/error.hpp"
#include "sim/rest.hpp"
#include "tests/catch.hpp"
#include "tests/sim/world_scenes.hpp"

using namespace startle;
using namespace startle::test;

namespace {

Novelty of_world(WorldChange change) {
  return {.name = "test", .description = "", .rules = {}, .world = std::move(change)};
}

Scene with(const Scene& normal, const WorldChange& change) {
  Scene scene = normal;
  apply(of_world(change), scene);
  return scene;
}

/// Whether the red bird, alone in the world, flies as these accelerations, by place (from the foot of the
/// slingshot) and time, say: v += h a, v /= 1 + h drag, x += h v.
void check_flight(const Scene& scene, double drag, const std::function<Vec2(Vec2, double)>& acceleration) {
  for (const double angle_deg : {10.0, 45.0, 75.0}) {
    World world(scene);
    world.launch({.angle = radians(angle_deg)});
    Vec2 at = place(world, 0), v = 10 * direction(radians(angle_deg));
    const Vec2 foot = Vec2{-8, -3.5} - scene.profile->bird("BirdRed").shape->centroid;  // fields act by the
                                                                                        // centre of mass; the
                                                                                        // bird does not turn
                                                                                        // in flight
    for (int n = 0; n < 60; ++n) {
      CAPTURE(angle_deg, n);
      v = (1 / (1 + step * drag)) * (v + step * acceleration(at - foot, n * step));
      at = at + step * v;
      if (at.y < -3.2 || std::fabs(at.x) > 17) break;
      world.step();
      REQUIRE(length(place(world, 0) - at) < 2e-3);
    }
  }
}

constexpr double bird_gravity = 9.81 * 0.48;

}  // namespace

TEST_CASE("[sim] world change: gravity by a factor and turned, and air drag") {
  const Scene normal = make_scene(level_of({}), profile());
  check_flight(normal, 0, [](Vec2, double) { return Vec2{0, -bird_gravity}; });
  check_flight(with(normal, {.gravity = 0.5}), 0, [](Vec2, double) { return Vec2{0, -bird_gravity / 2}; });
  check_flight(with(normal, {.gravity = -1}), 0, [](Vec2, double) { return Vec2{0, bird_gravity}; });
  // 30 degrees counter-clockwise from straight down is down to the right: (sin 30, -cos 30).
  check_flight(with(normal, {.tilt = radians(30)}), 0, [](Vec2, double) {
    return bird_gravity * Vec2{0.5, -std::sqrt(0.75)};
  });
  check_flight(with(normal, {.air_drag = 0.8}), 0.8, [](Vec2, double) { return Vec2{0, -bird_gravity}; });
}

TEST_CASE("[sim] world change: fields act in their region, at their time, with their birds") {
  const Scene normal = make_scene(level_of({}, {"BirdRed", "BirdRed"}), profile());
  const Vec2 down{0, -bird_gravity};
  check_flight(with(normal, {.fields = {{.acceleration = {3, 2}}}}), 0, [&](Vec2, double) {
    return down + Vec2{3, 2};
  });
  const Region box{.left = 1, .right = 3, .bottom = 2, .top = 5};
  check_flight(with(normal, {.fields = {{.region = box, .acceleration = {0, 8}}}}), 0, [&](Vec2 at, double) {
    return box.holds(at) ? down + Vec2{0, 8} : down;
  });
  check_flight(with(normal, {.fields = {{.acceleration = {6, 0}, .period = 0.4}}}), 0,
               [&](Vec2, double time) {
                 return std::fmod(time + 1e-9, 0.4) < 0.2 ? down + Vec2{6, 0} : down;
               });
  const auto pulled = [&](Vec2 at, double size) {
    return down + (size / length(Vec2{4, 3} - at)) * (Vec2{4, 3} - at);
  };
  check_flight(with(normal, {.fields = {{.centre = {4, 3}, .pull = 5}}}), 0,
               [&](Vec2 at, double) { return pulled(at, 5); });
  check_flight(with(normal, {.fields = {{.centre = {4, 3}, .pull = -5}}}), 0,
               [&](Vec2 at, double) { return pulled(at, -5); });
  check_flight(with(normal, {.fields = {{.acceleration = {3, 2}, .on_birds = false}}}), 0,
               [&](Vec2, double) { return down; });
  Scene storm = with(normal, {.fields = {{.acceleration = {3, 0}, .from_bird = 1}}});
  check_flight(storm, 0, [&](Vec2, double) { return down; });
  ++storm.next_bird;
  check_flight(storm, 0, [&](Vec2, double) { return down + Vec2{3, 0}; });
}

TEST_CASE(
    "[sim] world change: a field acts on the objects that it selects, whatever they weigh, once they move") {
  const Level level = level_of({block("SquareSmall", Material::stone, {3, 2}),
                                block("SquareSmall", Material::ice, {6, 2}),
                                block("SquareSmall", Material::stone, {9, -3.285})});
  const Scene normal = make_scene(level, weightless());
  const Scene magnet = with(normal,
                            {.fields = {{.acceleration = {0, 2}, .on = {.material = Material::stone}}}});
  CHECK(magnet.objects[0].novel);
  CHECK_FALSE(magnet.objects[1].novel);
  World world(magnet);
  world.launch({.angle = radians(170)});
  for (int n = 0; n < 10; ++n) world.step();
  // Nothing holds them and they are not asleep: 2 m/s^2 for ten steps, h^2 n (n + 1)/2 = 0.022; drag of the
  // block is small.
  CHECK(place(world, 0).y == Approx(2 + 2 * 0.0004 * 55).margin(3e-3));
  CHECK(place(world, 1).y == Approx(2).margin(1e-6));
  // Asleep they stay where they are.
  World asleep(taken_at_rest(magnet));
  asleep.launch({.angle = radians(170)});
  for (int n = 0; n < 10; ++n) asleep.step();
  CHECK(place(asleep, 0) == place(World(taken_at_rest(magnet)), 0));
}

TEST_CASE("[sim] world change: slippery ground") {
  Level level = level_of({block("SquareSmall", Material::wood, {0, -3.285})});
  const Scene normal = settle(make_scene(level, profile()));
  const auto slid = [&](double factor) {
    Scene scene = with(normal, {.ground_friction = factor});
    scene.objects[0].velocity = {2, 0};
    scene.rest_mark = 0;
    World world(scene);
    world.launch({.angle = radians(170)});
    for (int n = 0; n < 50; ++n) world.step();
    return place(world, 0).x - normal.objects[0].pose.position.x;
  };
  CHECK(slid(0.01) > 1.5 * slid(1));
}

TEST_CASE("[sim] world change: the catalogue's descriptions say the numbers that act") {
  const auto said = [](const char* name, char before) {
    const std::string text = find_novelty(name).description;
    return std::stod(text.substr(text.find_last_of(before) + 1));
  };
  CHECK(find_novelty("gravity-up").world.gravity == said("gravity-up", 'x'));
  CHECK(find_novelty("gravity-down").world.gravity == said("gravity-down", 'x'));
  CHECK(find_novelty("air-drag-up").world.air_drag == said("air-drag-up", '+'));
  CHECK(find_novelty("ground-friction-down").world.ground_friction == said("ground-friction-down", 'x'));
  // All numbers of a description, in order.
  const auto numbers = [](const char* name) {
    std::vector<double> found;
    std::string text = find_novelty(name).description;
    text = text.substr(0, text.find("^2"));  // of m/s^2
    for (std::size_t at = 0; (at = text.find_first_of("0123456789", at)) != std::string::npos;) {
      std::size_t length = 0;
      found.push_back(std::stod(text.substr(at), &length));
      at += length;
    }
    return found;
  };
  using List = std::vector<double>;
  const auto field = [](const char* name) { return find_novelty(name).world.fields.at(0); };
  CHECK(find_novelty("gravity-tilted").world.tilt == radians(numbers("gravity-tilted").at(0)));
  const ForceField fan = field("fan"), turbulence = field("turbulence"), magnet = field("magnet");
  CHECK(List{fan.region.left, fan.region.right, fan.acceleration.x} == numbers("fan"));
  CHECK(List{field("storm").acceleration.x} == numbers("storm"));
  CHECK(field("storm").from_bird == 1);  // the second
  CHECK(field("storm").period == 1);
  CHECK(List{turbulence.region.left, turbulence.region.right, turbulence.region.bottom,
             turbulence.acceleration.y} == numbers("turbulence"));
  CHECK(List{magnet.centre.x, magnet.centre.y, magnet.pull} == numbers("magnet"));
  CHECK(List{find_novelty("pigs-jump").world.events.at(0).velocity.y} == numbers("pigs-jump"));
  CHECK(find_novelty("pigs-jump").world.events.at(0).velocity.x == 0);
}

TEST_CASE("[sim] world change: events happen once, when the bird touches something or at their time") {
  const Level level = level_of({block("SquareSmall", Material::stone, {0, -3.285}),
                                block("SquareSmall", Material::ice, {5, -3.285}), pig({8, -3.25})});
  const Scene normal = settle(make_scene(level, profile()));
  const Shot shot{.angle = radians(20)};
  const Trace usual = run_shot(normal, shot, {.record_events = true}).trace;
  const int contact = first(usual, EventKind::contact)->step;

  const Scene vanishing = with(normal, {.events = {{.vanish = true, .on = {.material = Material::ice}}}});
  const ShotResult gone = run_shot(vanishing, shot, {.record_events = true});
  REQUIRE(count(gone.trace, EventKind::destroyed) == count(usual, EventKind::destroyed) + 1);
  CHECK(first(gone.trace, EventKind::destroyed)->a == 1);
  CHECK(first(gone.trace, EventKind::destroyed)->step == contact);
  CHECK(first(gone.trace, EventKind::destroyed)->value == 0);
  CHECK_FALSE(gone.scene.objects[1].alive);
  CHECK(gone.scene.score == run_shot(normal, shot).scene.score);

  const Scene jumping = with(normal,
                             {.events = {{.at = 0.5, .velocity = {0, 4}, .on = {.kind = Kind::pig}}}});
  World world(jumping);
  world.launch(shot);
  for (int n = 0; n < 25; ++n) world.step();  // 0.5 s
  const double before = place(world, 2).y;
  CHECK(before == normal.objects[2].pose.position.y);
  double highest = before;
  while (!world.over()) {
    world.step();
    for (const BodyState& body : world.frame().bodies)
      if (body.id == 2) highest = std::max(highest, body.pose.position.y);
  }
  // v^2/(2 g) with the pig's gravity scale 0.48: 16/(2 x 4.709) = 1.7, less the steps' own error.
  CHECK(highest - before == Approx(1.7).margin(0.1));
}

TEST_CASE(
    "[sim] world change: none is the normal world bit for bit, strengths go there, and each of the catalogue "
    "makes another world") {
  const Scene normal = settle(make_scene(chaotic_level(), profile()));
  const auto hashes = [](Scene scene) {
    std::vector<std::uint64_t> all;
    for (const Shot& shot : chaotic_shots()) {
      ShotResult result = run_shot(scene, shot);
      all.push_back(result.trace.hash);
      scene = std::move(result.scene);
    }
    return all;
  };
  const std::vector<std::uint64_t> usual = hashes(normal);
  CHECK(hashes(with(normal, {})) == usual);
  for (const Novelty& novelty : world_novelties()) {
    CAPTURE(novelty.name);
    Scene none = normal;
    CHECK(apply(find_novelty(novelty.name + "@0"), none) == 0);
    CHECK_FALSE(anything_novel(none));
    CHECK(hashes(none) == usual);
    Scene novel = normal;
    CHECK(apply(novelty, novel) > 0);
    CHECK(anything_novel(novel));
    require_effect(novelty, profile());
    novel = taken_at_rest(std::move(novel));
    const std::vector<std::uint64_t> other = hashes(novel);
    CHECK(other != usual);
    CHECK(hashes(novel) == other);
    Scene back = novel;
    remove_novelty(back, normal);
    CHECK(hashes(taken_at_rest(std::move(back))) == usual);
    // The order of objects changes nothing.
    std::vector<std::size_t> order(normal.objects.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = order.size() - 1 - k;
    Scene turned_round = reordered(normal, order);
    apply(reordered(novelty, order), turned_round);
    turned_round = taken_at_rest(std::move(turned_round));
    const Scene a = run_shot(novel, chaotic_shots()[0]).scene,
                b = run_shot(turned_round, chaotic_shots()[0]).scene;
    for (std::size_t k = 0; k < order.size(); ++k) {
      REQUIRE(a.objects[order[k]].alive == b.objects[k].alive);
      REQUIRE(a.objects[order[k]].pose.position == b.objects[k].pose.position);
    }
  }
  CHECK(at_strength(find_novelty("gravity-up"), 2).world.gravity == Approx(2));
  CHECK(at_strength(find_novelty("ground-friction-down"), 4).world.ground_friction == 0);
  CHECK(at_strength(find_novelty("storm"), 0.5).world.fields.front().acceleration == Vec2{2, 0});
}

TEST_CASE(
    "[sim] world change: its strength scales what it adds, and goes between 1 and what it multiplies by") {
  WorldChange change{.gravity = 3, .ground_friction = 0.2};
  change.tilt = 0.4;
  change.air_drag = 0.6;
  change.fields = {{.acceleration = {2, -4}, .pull = 6}};
  change.events.resize(1);
  change.events[0].velocity = {8, 10};
  const WorldChange half = at_strength(change, 0.5);
  CHECK(half.gravity == Approx(2));
  CHECK(half.ground_friction == Approx(0.6));
  CHECK(half.tilt == Approx(0.2));
  CHECK(half.air_drag == Approx(0.3));
  REQUIRE(half.fields.size() == 1);
  CHECK(half.fields[0].acceleration == Vec2{1, -2});
  CHECK(half.fields[0].pull == Approx(3));
  REQUIRE(half.events.size() == 1);
  CHECK(half.events[0].velocity == Vec2{4, 5});
  CHECK(at_strength(change, 2).ground_friction == 0);  // 1 - 2 x 0.8 would be below 0
  CHECK(at_strength(change, 0).fields.empty());
  CHECK(at_strength(change, 0).events.empty());
}

TEST_CASE(
    "[sim] world change: what vanishes is gone for good, and an event acts from the step of its time on") {
  const Level level = level_of({block("SquareSmall", Material::ice, {5, -3.285}), pig({8, -3.25})});
  const Scene normal = settle(make_scene(level, profile()));
  const Shot away{.angle = radians(170)};
  // Ice that vanishes leaves the pig; without the pig the level is cleared, though none was killed.
  for (bool ice : {true, false}) {
    const std::size_t gone = ice ? 0 : 1;
    const Scene scene = with(normal, {.events = {{.at = 0.2, .vanish = true, .on = {.objects = {gone}}}}});
    const ShotResult result = run_shot(scene, away, {.record_events = true});
    REQUIRE(count(result.trace, EventKind::destroyed) == 1);
    CHECK(first(result.trace, EventKind::destroyed)->a == static_cast<BodyId>(gone));
    CHECK(first(result.trace, EventKind::destroyed)->step == 10);
    CHECK(result.trace.end == (ice ? EndReason::settled : EndReason::cleared));
    CHECK(result.trace.pigs_killed == 0);
    CHECK(result.scene.objects[0].alive == !ice);
    CHECK(result.scene.objects[1].alive == ice);
  }
  World world(with(normal, {.events = {{.at = 0.5, .velocity = {0, 4}, .on = {.kind = Kind::pig}}}}));
  world.launch(away);
  for (int n = 0; n < 25; ++n) world.step();
  const double before = place(world, 1).y;
  CHECK(before == normal.objects[1].pose.position.y);
  world.step();
  // v = 4 - h g, then h v, with the pig's gravity scale of 0.48.
  CHECK(place(world, 1).y - before == Approx(step * (4 - step * bird_gravity)).margin(1e-3));
}

TEST_CASE("[sim] world change: an event begins the wait for rest anew") {
  // A bird creeps to a wall, as slow as what lies still. Its contact makes ice far away vanish: ten steps,
  // that one included, later it is taken away and the shot over.
  const auto p = weightless();
  const BirdType& bird = p->bird("BirdRed");
  const Vec2 at = Vec2{-8.15, -1.7} + bird.centre;
  Scene scene = make_scene(level_of({platform({at.x + bird.radius + 0.03 + 0.32, at.y}, 1, 1),
                                     block("SquareSmall", Material::ice, {5, 2})}),
                           p);
  scene = with(scene, {.events = {{.vanish = true, .on = {.material = Material::ice}}}});
  World world(scene, {.record_events = true});
  world.launch({.stretch = 0.005});
  while (!world.over()) world.step();
  REQUIRE(count(world.trace(), EventKind::destroyed) == 1);
  const int contact = first(world.trace(), EventKind::contact)->step;
  CHECK(first(world.trace(), EventKind::destroyed)->step == contact);
  CHECK(first(world.trace(), EventKind::bird_gone)->step == contact + 9);
  CHECK(world.trace().steps == contact + 9);
}

TEST_CASE(
    "[sim] world change: a pull draws with its strength, however near, and nothing at its very centre") {
  // The foot of the slingshot is at (-8, -3.5).
  const Level level = level_of(
      {block("SquareSmall", Material::stone, {0, 2}), block("SquareSmall", Material::stone, {0.75, 2})});
  const Scene scene = with(make_scene(level, weightless()), {.fields = {{.centre = {8, 5.5}, .pull = 1}}});
  World world(scene);
  world.launch({.angle = radians(170)});
  for (int n = 0; n < 10; ++n) world.step();
  CHECK(place(world, 0) == Vec2{0, 2});
  CHECK(place(world, 1).x == Approx(0.75 - 0.0004 * 55).margin(1e-4));
  CHECK(place(world, 1).y == Approx(2).margin(1e-5));
}

TEST_CASE("[sim] rest: what could set an object moving ends it, what says how tough it is does not") {
  const Scene start = settle(make_scene(level_of({block("SquareSmall", Material::wood, {2, -3.3}),
                                                  block("SquareSmall", Material::wood, {4, -3.3})}),
                                        profile()));
  REQUIRE(at_rest(start));
  const auto rests = [&](auto change) {
    Scene scene = start;
    change(scene, scene.objects[0]);
    return at_rest(scene);
  };
  CHECK(rests([](Scene&, SceneObject& o) { o.life *= 0.5; }));
  CHECK(rests([](Scene&, SceneObject& o) { o.parameters.life *= 2; }));
  CHECK(rests([](Scene&, SceneObject& o) { o.parameters.defence += 1; }));
  CHECK(rests([](Scene& s, SceneObject&) { std::swap(s.objects[0], s.objects[1]); }));
  CHECK_FALSE(rests([](Scene&, SceneObject& o) { o.parameters.density *= 2; }));
  CHECK_FALSE(rests([](Scene&, SceneObject& o) { o.parameters.friction *= 2; }));
  CHECK_FALSE(rests([](Scene&, SceneObject& o) { o.pose.position.x += 1e-9; }));
  CHECK_FALSE(rests([](Scene&, SceneObject& o) { o.angular_velocity = 1e-9; }));
  CHECK_FALSE(rests([](Scene&, SceneObject& o) { o.alive = false; }));
  CHECK_FALSE(rests([](Scene& s, SceneObject&) { s.rest_mark = 0; }));
  for (const WorldChange& change :
       {WorldChange{.gravity = 2}, WorldChange{.gravity = -1}, WorldChange{.tilt = 0.1}})
    CHECK_FALSE(rests([&](Scene& s, SceneObject&) { s = with(s, change); }));
  // Of two changed worlds each has its own rest.
  const Scene heavy = taken_at_rest(with(start, {.gravity = 2})),
              tilted = taken_at_rest(with(start, {.tilt = 0.1}));
  CHECK(at_rest(heavy));
  CHECK_FALSE(at_rest(with(heavy, {.gravity = 3})));
  CHECK_FALSE(at_rest(with(heavy, {.gravity = -2})));
  CHECK_FALSE(at_rest(with(tilted, {.tilt = 0.2})));
  CHECK_FALSE(at_rest(with(tilted, {.tilt = -0.1})));
  // What a dead object was like is no matter.
  Scene dead = start;
  dead.objects[0].alive = false;
  dead = taken_at_rest(dead);
  dead.objects[0].parameters.density *= 2;
  CHECK(at_rest(dead));
}
