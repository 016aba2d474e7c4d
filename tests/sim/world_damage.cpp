#include "sim/world_damage.hpp"

#include <cmath>
#include <map>

#include "tests/catch.hpp"
#include "tests/sim/world_scenes.hpp"

using namespace startle;
using namespace startle::test;

namespace {

Collider still(Kind kind, double mass, double defence) {
  return {.kind = kind, .defence = defence, .mass = mass};
}
Collider moving(Kind kind, double mass, Vec2 velocity) {
  return {.kind = kind, .mass = mass, .velocity = velocity};
}

}  // namespace

TEST_CASE("[sim] damage: worked values of the momentum rule") {
  const Profile& anu = *profile("anu");
  const BirdType& red = anu.bird("BirdRed");
  const Collider bird{.kind = Kind::bird, .mass = red.mass(), .velocity = {10, 0}, .bird = &red};
  // Red bird, 6 x pi 0.17^2 = 0.5448 kg, at 10 u/s, K = 11.22: 61.12 to a block, half of that to a pig.
  for (const auto& [material, defence] :
       {std::pair{Material::wood, 2.5}, {Material::ice, 2.0}, {Material::stone, 15.0}}) {
    Collider block = still(Kind::block, 3, defence);
    block.material = material;
    CHECK(collision_damage(anu, block, bird) == Approx(61.12 - defence).margin(0.01));
  }
  CHECK(collision_damage(*profile(), still(Kind::pig, 0.3, 1), bird) == Approx(29.56).margin(0.01));
  CHECK(collision_damage(*profile(), still(Kind::tnt, 1, 0), bird) == Approx(30.56).margin(0.01));
  // Blue on ice: 4 times 4.5 x pi 0.18^2 kg x 11.22.
  const BirdType& blue = anu.bird("BirdBlue");
  Collider ice = still(Kind::block, 1, 2);
  ice.material = Material::ice;
  CHECK(collision_damage(anu, ice,
                         {.kind = Kind::bird, .mass = blue.mass(), .velocity = {0, -10}, .bird = &blue}) ==
        Approx(10 * 4 * 4.5 * 3.14159265 * 0.0324 * 11.22 - 2));
}

TEST_CASE(
    "[sim] damage: under anu who drives one away faster than it follows attacks, a platform with 1 kg, the "
    "ground never") {
  const Profile& anu = *profile("anu");
  const double k = 11.22 * 0.5;
  const auto blow = [&](Vec2 self_after, Vec2 other_after) {
    Collider self = still(Kind::pig, 0.15, 0), other = moving(Kind::block, 2, {3, 0});
    self.velocity_after = self_after;
    other.velocity_after = other_after;
    return collision_damage(anu, self, other);
  };
  // 2 kg at 3 u/s strike a pig of 0.15 kg. It moves away faster than they follow: by the block's mass.
  CHECK(blow({3.2, 0}, {2.7, 0}) == Approx(3 * 2 * k));
  // It is pushed along, or struck at the side and left behind: by its own.
  CHECK(blow({2.5, 0}, {2.5, 0}) == Approx(3 * 0.15 * k));
  CHECK(blow({0.5, -1}, {2.5, 0.1}) == Approx(3 * 0.15 * k));
  // A pig of 0.5 kg that falls at 4 u/s on what is fixed, and bounces: a platform attacks, the ground does
  // not.
  Collider pig = moving(Kind::pig, 0.5, {0, -4}), fixed = still(Kind::platform, 0, 0);
  fixed.fixed = true;
  pig.velocity_after = {0, 0.2};
  CHECK(collision_damage(anu, pig, fixed) == Approx(4 * 1 * k));
  fixed.kind = Kind::ground;
  CHECK(collision_damage(anu, pig, fixed) == Approx(4 * 0.5 * k));
  // At (3, -4) u/s, 5 in all, it slides on at 2.5: along (-3, 4)/5 that is -1.5, less than the platform's 0.
  fixed.kind = Kind::platform;
  pig.velocity = {3, -4};
  pig.velocity_after = {2.5, 0};
  CHECK(collision_damage(anu, pig, fixed) == Approx(5 * 0.5 * k));
}

TEST_CASE(
    "[sim] damage: in the world of anu a bird that drives a pig away attacks it, a block that pushes a small "
    "pig hurts it by the pig's mass") {
  World shot(make_scene(level_of({pig({-5, -1.7}, "BasicMedium")}), weightless("anu")),
             {.record_events = true});
  shot.launch({});
  while (count(shot.trace(), EventKind::damage) == 0) shot.step();
  CHECK(first(shot.trace(), EventKind::damage)->value ==
        Approx(10 * profile("anu")->bird("BirdRed").mass() * 11.22 / 2 - 1).epsilon(0.001));

  // Below 1 u/s nothing bounces: the block and the pig go on together. Under startle the block, 1.28 kg at
  // 0.9 u/s, kills it.
  const auto pushed = [](const char* name) {
    Scene scene = make_scene(level_of({block("SquareHole", Material::wood, {0, 0}), pig({0.8, 0})}),
                             weightless(name));
    scene.objects[0].velocity = {0.9, 0};
    World world(scene);
    for (int i = 0; i < 50; ++i) world.step();
    return world.scene().pigs_left();
  };
  CHECK(pushed("anu") == 1);
  CHECK(pushed("startle") == 0);
}

TEST_CASE("[sim] damage: under startle the faster body attacks, fixed bodies never do") {
  const Profile& startle = *profile();
  const double k = 11.22 * 0.5;
  // 2 kg at 3 u/s against 5 kg at rest: both are hurt by the 2 kg.
  CHECK(collision_damage(startle, still(Kind::block, 5, 0), moving(Kind::block, 2, {3, 0})) ==
        Approx(3 * 2 * k));
  CHECK(collision_damage(startle, moving(Kind::block, 2, {3, 0}), still(Kind::block, 5, 0)) ==
        Approx(3 * 2 * k));
  // Head-on, 3 against 1 u/s: the faster one's mass at the relative speed of 4.
  CHECK(collision_damage(startle, moving(Kind::block, 2, {3, 0}), moving(Kind::block, 5, {-1, 0})) ==
        Approx(4 * 2 * k));
  CHECK(collision_damage(startle, moving(Kind::block, 5, {-1, 0}), moving(Kind::block, 2, {3, 0})) ==
        Approx(4 * 2 * k));
  // Equal closing speeds: each is hurt by the other's mass.
  CHECK(collision_damage(startle, moving(Kind::block, 2, {1, 0}), moving(Kind::block, 5, {-1, 0})) ==
        Approx(2 * 5 * k));
  // Falling on the ground hurts by one's own mass.
  Collider ground = still(Kind::ground, 0, 0);
  ground.fixed = true;
  CHECK(collision_damage(startle, moving(Kind::pig, 0.5, {0, -4}), ground) == Approx(4 * 0.5 * k));
  // Defence is taken off, and damage does not become negative.
  Collider tough = still(Kind::block, 5, 1000);
  CHECK(collision_damage(startle, tough, moving(Kind::block, 2, {3, 0})) == 0);
  CHECK(collision_damage(startle, moving(Kind::block, 2, {3, 1}), moving(Kind::block, 5, {3, 1})) == 0);
}

TEST_CASE("[sim] damage: the speed rule is the relative speed, times the bird's multiplier on blocks") {
  const Profile& classic = *profile("classic");
  const BirdType& blue = classic.bird("BirdBlue");
  const Collider bird{.kind = Kind::bird, .mass = 0.5, .velocity = {3, 4}, .bird = &blue};
  for (const auto& [material, multiplier] :
       {std::pair{Material::wood, 0.25}, {Material::ice, 2.0}, {Material::stone, 0.0}}) {
    Collider block = still(Kind::block, 1, 0);
    block.material = material;
    CHECK(collision_damage(classic, block, bird) == Approx(5 * multiplier));
  }
  CHECK(collision_damage(classic, still(Kind::pig, 1, 0), bird) == Approx(5));
  CHECK(collision_damage(classic, moving(Kind::block, 9, {0, -2}), still(Kind::block, 1, 0)) == Approx(2));
}

TEST_CASE("[sim] damage: explosions fade linearly to nothing at the radius, or with the inverse distance") {
  CHECK(explosion_falloff(ExplosionFalloff::linear, 0, 2).damage == 1);
  CHECK(explosion_falloff(ExplosionFalloff::linear, 0.5, 2).damage == 0.75);
  CHECK(explosion_falloff(ExplosionFalloff::linear, 0.5, 2).impulse == 0.75);
  CHECK(explosion_falloff(ExplosionFalloff::linear, 3, 2).damage == 0);
  CHECK(explosion_falloff(ExplosionFalloff::inverse, 0.5, 2).damage == 2);
  CHECK(explosion_falloff(ExplosionFalloff::inverse, 0.5, 2).impulse == 1);
  CHECK(explosion_falloff(ExplosionFalloff::inverse, 4, 2).damage == 0.25);
  CHECK(std::isfinite(explosion_falloff(ExplosionFalloff::inverse, 0, 2).damage));
}

TEST_CASE("[sim] damage: a bird's first blow in the world is that of the rule") {
  // Without gravity the bird arrives at 10 u/s, from x = -9.15.
  const auto blow = [](const LevelObject& object) {
    World world(make_scene(level_of({object}), weightless()), {.record_events = true});
    world.launch({});
    while (count(world.trace(), EventKind::contact) == 0) world.step();
    CHECK(first(world.trace(), EventKind::contact)->value == Approx(10).epsilon(1e-5));
    REQUIRE(first(world.trace(), EventKind::damage));
    CHECK(first(world.trace(), EventKind::damage)->a == 0);
    CHECK(first(world.trace(), EventKind::damage)->b == 1);
    return first(world.trace(), EventKind::damage)->value;
  };
  CHECK(blow(block("RectFat", Material::wood, {-5, -1.7})) == Approx(61.12 - 2.5).margin(0.01));
  CHECK(blow(block("RectFat", Material::stone, {-5, -1.7})) == Approx(61.12 - 15).margin(0.01));
  CHECK(blow(block("TriangleHole", Material::ice, {-5, -1.7})) == Approx(61.12 - 2).margin(0.01));
  CHECK(blow(pig({-5, -1.7})) == Approx(29.56).margin(0.01));
  CHECK(blow(tnt({-5, -1.7})) == Approx(30.56).margin(0.01));
}

TEST_CASE("[sim] damage: a body of several pieces strikes once") {
  // TriangleHole is cut into several convex pieces; it falls flat on the ground.
  World world(make_scene(level_of({block("TriangleHole", Material::wood, {2, -2.9})}), profile()),
              {.record_events = true});
  while (count(world.trace(), EventKind::contact) == 0) world.step();
  CHECK(count(world.trace(), EventKind::contact) == 1);
  CHECK(first(world.trace(), EventKind::contact)->a == ground_id);
  CHECK(first(world.trace(), EventKind::contact)->b == 0);
}

TEST_CASE(
    "[sim] damage: a tumbling body that touches the ground with one piece and then with the next strikes no "
    "second blow") {
  // A pig's ears make it a body of several pieces. A contact begins in step k where the shape at the end of
  // step k - 1 (or while it goes through step k) touches; then it must have been apart before that, at the
  // end of step k - 2. The engine counts up to 0.02 as touching.
  int contacts = 0;
  for (const auto& [speed, spin] : {std::pair{8.0, 0.0}, {8.0, -5.0}, {12.0, 0.0}, {12.0, -5.0}}) {
    Scene scene = make_scene(level_of({pig({-5, -3.2}, "BasicBig")}), profile());
    scene.objects[0].velocity = {speed, 0};
    scene.objects[0].angular_velocity = spin;
    scene.objects[0].life = 1e6;
    World world(scene, {.record_every = 1, .record_events = true});
    while (!world.over()) world.step();
    for (const Event& event : world.trace().events) {
      if (event.kind != EventKind::contact || event.step < 2) continue;
      const Pose& pose = world.trace().frames[static_cast<std::size_t>(event.step - 2)].bodies[0].pose;
      CAPTURE(speed, spin, event.step);
      CHECK(bounds(transformed(*scene.objects[0].shape, pose)).ymin > scene.profile->ground_y + 0.0199);
      ++contacts;
    }
  }
  CHECK(contacts > 40);
}

TEST_CASE("[sim] damage: what touches already at the start is an old contact and hurts nobody") {
  // A pig moving down at 5 u/s: touching the ground when the world begins, or just above it.
  const double half_height = 0.219365;  // lowest vertex of BasicSmall
  const auto life_after = [&](double gap) {
    Scene scene = make_scene(level_of({pig({2, -3.5 + half_height + gap})}), profile());
    scene.objects[0].velocity = {0, -5};
    World world(scene);
    for (int i = 0; i < 5; ++i) world.step();
    return world.scene().objects[0];
  };
  CHECK(life_after(-0.001).alive);
  CHECK(life_after(-0.001).life == 1);
  CHECK_FALSE(life_after(0.05).alive);
}

TEST_CASE("[sim] damage: a level settles without being hurt") {
  const Scene scene = make_scene(level_of({pig({2, 1}), block("SquareTiny", Material::ice, {3, 2})}),
                                 profile());
  const SettleResult settled = settle_scene(scene);
  CHECK(settled.settled);
  CHECK(settled.shift > 3);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(settled.scene.objects[i].alive);
    CHECK(settled.scene.objects[i].life == scene.objects[i].life);
  }
  // The same fall in the game kills the pig: sqrt(2 x 4.7 x 4.3) = 6.4 u/s x 0.3 kg x 5.6 - 1 = 9.6 hit
  // points.
  World world(scene);
  while (!world.over()) world.step();
  CHECK_FALSE(world.scene().objects[0].alive);
}

TEST_CASE("[sim] explosions: TNT sets off TNT, each once, and the fade follows the centres") {
  // TNT at 0, 1.5 and 3 (radius 2.5, damage 100, life 3); the bird reaches the first one only. The block at 5
  // is hit by the last alone, at distance 2: 100 (1 - 2/2.5) = 20, without its defence. The pig at 6 is out
  // of reach.
  Scene scene = make_scene(level_of({tnt({0, -1.7}), tnt({1.5, -1.7}), tnt({3, -1.7}),
                                     block("SquareSmall", Material::stone, {5, -1.7}), pig({6, -1.7})},
                                    {"BirdRed"}),
                           weightless());
  World world(scene, {.record_events = true});
  world.launch({});
  while (count(world.trace(), EventKind::explosion) == 0) world.step();
  CHECK(count(world.trace(), EventKind::explosion) == 3);
  CHECK(count(world.trace(), EventKind::destroyed) == 3);
  CHECK(world.scene().objects[3].life == Approx(80).margin(0.05));
  CHECK(world.scene().objects[4].life == 1);
  CHECK(world.trace().score == 0);
  // The impulse of 4 x 0.2 away from the centre, on 4 kg/m^2 x the block's area.
  const double mass = scene.objects[3].mass();
  CHECK(world.scene().objects[3].velocity.x == Approx(0.8 / mass).epsilon(0.01));
}

TEST_CASE("[sim] explosions: what lies close by is pushed hardest") {
  // A tiny block 0.45 above the centre of the TNT that the bird sets off: 4 N s (1 - 0.45/2.5), upward, on
  // its mass.
  Scene scene = make_scene(level_of({tnt({0, -1.7}), block("SquareTiny", Material::stone, {0, -1.25})}),
                           weightless());
  scene.objects[1].life = 1000;
  World world(scene, {.record_events = true});
  world.launch({});
  while (count(world.trace(), EventKind::explosion) == 0) world.step();
  const double distance = length(Vec2{0, -1.25} - first(world.trace(), EventKind::explosion)->position);
  REQUIRE(distance < 0.5);
  CHECK(length(world.scene().objects[1].velocity) * scene.objects[1].mass() ==
        Approx(4 * (1 - distance / 2.5)).epsilon(1e-3));
}

TEST_CASE("[sim] explosions: birds and platforms are not touched") {
  World world(make_scene(level_of({tnt({0, -1.7}), platform({1, -1.7}, 1, 1)}), weightless()),
              {.record_events = true});
  world.launch({});
  while (count(world.trace(), EventKind::explosion) == 0) world.step();
  const Vec2 before = place(world, 2);
  world.step();
  CHECK(length(place(world, 2) - before) < 10 * step);  // slower than it came
  CHECK(count(world.trace(), EventKind::damage) == 1);  // of the TNT by the bird
}

TEST_CASE("[sim] explosions: with the inverse-distance rule the classic TNT hurts by damage over distance") {
  Scene scene = make_scene(level_of({tnt({0, -1.7}), block("SquareSmall", Material::stone, {1.5, -1.7}),
                                     block("SquareSmall", Material::stone, {4, -1.7})}),
                           weightless("classic"));
  World world(scene, {.record_events = true});
  world.launch({});
  while (count(world.trace(), EventKind::explosion) == 0) world.step();
  CHECK(world.scene().objects[1].life == Approx(5 - 3 / 1.5).margin(0.02));
  // Beyond the radius of 2 it does nothing.
  CHECK(world.scene().objects[2].life == 5);
  CHECK(world.scene().objects[2].velocity == Vec2{});
}

TEST_CASE("[sim] world's edge: what lies wholly outside dies, and height has no limit") {
  Scene scene = make_scene(level_of({block("RectFat", Material::wood, {16, 0}), pig({-16, 0}),
                                     block("RectFat", Material::wood, {0, 0})}),
                           weightless());
  scene.objects[0].velocity = {2, 0};
  scene.objects[1].velocity = {-2, 0};
  scene.objects[2].velocity = {0, 60};
  World world(scene, {.record_events = true});
  while (!world.over()) {
    world.step();
    const Scene now = world.scene();
    // Half a RectFat is 0.3818 wide: alive while any of it is inside.
    const double right = 16 + 2 * step * world.trace().steps;
    CAPTURE(right);
    if (right - 0.3818 < 17.5 - 0.05) REQUIRE(now.objects[0].alive);
    if (right - 0.3818 > 17.5 + 0.05) REQUIRE_FALSE(now.objects[0].alive);
  }
  CHECK(count(world.trace(), EventKind::out_of_world) == 2);
  CHECK(world.trace().pigs_killed == 1);
  CHECK(world.scene().objects[2].alive);
  CHECK(world.scene().objects[2].pose.position.y > 100);
  CHECK(world.trace().end == EndReason::time_limit);
}

TEST_CASE("[sim] score and life: they add up from the events, over random shots") {
  const Scene start = settle(make_scene(chaotic_level(), profile()));
  Random random(5);
  int shots_that_scored = 0;
  for (int i = 0; i < 30; ++i) {
    Scene scene = start;
    scene.next_bird = static_cast<std::size_t>(random.integer(0, 4));
    const ShotResult result = run_shot(
        scene, {.angle = random.uniform(0, 0.9), .tap_time = random.uniform(0.4, 1.2)},
        {.record_events = true});
    const BodyId bird = static_cast<BodyId>(scene.objects.size());
    double score = 0;
    int pigs = 0, blocks = 0;
    std::vector<double> lost(scene.objects.size(), 0);
    std::vector<bool> dead(scene.objects.size(), false);
    std::map<BodyId, bool> exploded;
    for (std::size_t k = 0; k < result.trace.events.size(); ++k) {
      const Event& e = result.trace.events[k];
      if (e.kind == EventKind::explosion) {
        CHECK_FALSE(exploded[e.a]);
        exploded[e.a] = true;
      }
      if (e.kind == EventKind::destroyed) {
        score += e.value;
        CHECK_FALSE(dead[static_cast<std::size_t>(e.a)]);
        dead[static_cast<std::size_t>(e.a)] = true;
        pigs += scene.objects[static_cast<std::size_t>(e.a)].kind == Kind::pig;
        blocks += scene.objects[static_cast<std::size_t>(e.a)].kind == Kind::block;
      }
      if (e.kind == EventKind::damage) {
        REQUIRE(e.a < bird);  // birds and eggs are never hurt
        lost[static_cast<std::size_t>(e.a)] += e.value;
        // A bird's blow that does not destroy scores. Explosions and eggs do not strike blows.
        const bool kills = k + 1 < result.trace.events.size() &&
                           result.trace.events[k + 1].kind == EventKind::destroyed &&
                           result.trace.events[k + 1].a == e.a;
        const bool egg = e.b > bird && scene.birds[scene.next_bird] == "BirdWhite";
        const bool blow = e.b >= bird && !egg && !exploded[e.b] && !kills;
        if (blow && 10 * std::round(e.value) > 10) score += 10 * std::round(e.value);
      }
    }
    CHECK(result.trace.score == Approx(score));
    CHECK(result.scene.score == Approx(scene.score + score));
    CHECK(result.trace.pigs_killed == pigs);
    CHECK(result.trace.blocks_destroyed == blocks);
    for (std::size_t k = 0; k < scene.objects.size(); ++k) {
      CHECK(result.scene.objects[k].alive == !dead[k]);
      if (!dead[k]) CHECK(result.scene.objects[k].life == Approx(scene.objects[k].life - lost[k]));
      if (!dead[k] && !scene.objects[k].is_static()) CHECK(result.scene.objects[k].life > 0);
    }
    shots_that_scored += score > 0;
  }
  CHECK(shots_that_scored > 15);
}

TEST_CASE("[sim] score: the profiles' own rates") {
  for (const auto& [name, pig_score, unused] : {std::tuple{"anu", 5000.0, 10000.0}, {"classic", 50.0, 0.0}}) {
    const Scene scene = make_scene(level_of({pig({-5, -1.7})}, {"BirdRed", "BirdRed", "BirdRed"}),
                                   weightless(name));
    const PlayResult result = play(scene, {{}, {}});
    CHECK(result.cleared);
    REQUIRE(result.traces.size() == 1);
    CHECK(result.traces[0].score == pig_score);
    CHECK(result.scene.score == pig_score + 2 * unused);
  }
}

TEST_CASE("[sim] damage: a bird that a scene holds strikes as the bird that it is") {
  // The same disc at the same speed, red or yellow: what wood takes of a yellow one is 2.4 times as much,
  // before its defence.
  const auto damage_of = [](const std::string& type) {
    const auto constants = profile();
    Level level{.birds = {"BirdRed"},
                .objects = {{.kind = Kind::block,
                             .type = "SquareSmall",
                             .material = Material::wood,
                             .position = {3, constants->ground_y + 0.3}}}};
    Scene scene = make_scene(level, constants);
    scene.objects[0].parameters.life = scene.objects[0].life = 1000;
    const BirdType& red = constants->bird("BirdRed");
    scene.objects.push_back({.kind = Kind::bird,
                             .type = type,
                             .pose = {{3, constants->ground_y + 1}, 0},
                             .velocity = {0, -10},
                             .shape = red.shape,
                             .parameters = red.parameters});
    scene.objects[1].life = 1000;
    World world(scene, {.record_events = true});
    for (int k = 0; k < 10; ++k) world.step();
    for (const Event& event : world.trace().events)
      if (event.kind == EventKind::damage && event.a == 0 && event.b == 1)
        return event.value + scene.objects[0].parameters.defence;
    return 0.0;
  };
  const double red = damage_of("BirdRed");
  REQUIRE(red > 0);
  CHECK(damage_of("BirdYellow") == Approx(2.4 * red).epsilon(1e-6));
}

namespace {

/// A red bird has struck a block of that defence and life, at 10 u/s.
World struck_block(double defence, double life) {
  Scene scene = make_scene(level_of({startle::test::block("RectFat", Material::wood, {-5, -1.7})}),
                           weightless());
  scene.objects[0].parameters.defence = defence;
  scene.objects[0].life = scene.objects[0].parameters.life = life;
  World world(scene, {.record_events = true});
  world.launch({});
  while (count(world.trace(), EventKind::contact) == 0) world.step();
  return world;
}

}  // namespace

TEST_CASE("[sim] score: a bird's blow scores ten times its whole hit points, but not a single one") {
  const double attack = 10 * profile()->bird("BirdRed").mass() * profile()->damage_k;
  for (const auto& [damage, score] :
       {std::pair{0.4, 0.0}, {1.2, 0.0}, {1.6, 20.0}, {2.4, 20.0}, {2.6, 30.0}}) {
    const World world = struck_block(attack - damage, 1000);
    REQUIRE(first(world.trace(), EventKind::damage));
    CHECK(first(world.trace(), EventKind::damage)->value == Approx(damage).margin(0.01));
    CHECK(world.trace().score == score);
  }
}

TEST_CASE("[sim] damage: a blow that does none is no event, one of just the life that is left kills") {
  CHECK(count(struck_block(1000, 1).trace(), EventKind::damage) == 0);
  const double damage = first(struck_block(0, 1000).trace(), EventKind::damage)->value;
  for (double life : {damage, damage * (1 + 1e-9)})
    CHECK(struck_block(0, life).scene().objects[0].alive == (life > damage));
}
