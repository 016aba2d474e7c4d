#include "reasoning/impulse/shot_progress.hpp"

#include <cmath>

#include "reasoning/impulse/shot_report.hpp"
#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

/// A scene and a shot in it that has not begun. The scene must not change any more.
struct Begun {
  explicit Begun(const Scene& of)
      : scene(of),
        graph(support_graph(scene)),
        network(contact_network(scene, graph.geometry)),
        progress(scene, graph, network, {}) {
    progress.start();
  }
  Scene scene;
  SupportGraph graph;
  ContactNetwork network;
  ShotProgress progress;

  /// Gives the object, by a central blow without friction or bounce, that speed along x.
  void push(std::size_t object, double speed) {
    const Inertia& inertia = network.bodies[object];
    const Bounds& box = graph.geometry.bounds[object];
    const Vec2 point{speed > 0 ? box.xmin : box.xmax, inertia.centre.y};
    // As heavy: half of its speed goes over
    Striker striker{.inertia = {inertia.inverse_mass, 0, point}, .motion = {{2 * speed, 0}, 0}};
    progress.strike(striker, object, point, {speed > 0 ? 1.0 : -1.0, 0});
  }
  std::vector<ImpactedObject> report(std::size_t target) {
    std::vector<ImpactedObject> impacted;
    ShotReport(scene.objects.size()).write(progress, target, impacted);
    return impacted;
  }
};

/// One box on the ground that rubs on it with a coefficient of 1/2.
Scene one_box(double width, double height) {
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, width, ground, ground + height);
  scene.objects[box].parameters.friction = 0.25 / scene.profile->default_friction;
  return scene;
}

Cases set_of(std::initializer_list<movement::Case> list) {
  Cases cases;
  for (movement::Case c : list) cases.set(c);
  return cases;
}

}  // namespace

TEST_CASE(
    "[impulse] shot progress: an object is seen to move from 0.07 of lift on, and leaves its place from "
    "0.2 on where it slides half its width") {
  const double g = empty_scene().profile->gravity;
  for (double side : {1.0, -1.0}) {
    for (double lift : {0.069, 0.071, 0.199, 0.201}) {
      // v^2/2 = g lift; it slides v^2/(2 mu g) = 2 lift.
      for (double width : {4 * lift - 0.01, 4 * lift + 0.01}) {
        Begun begun(one_box(width, 0.1));
        begun.push(0, side * std::sqrt(2 * g * lift));
        const ShotEffect& effect = begun.progress.effects[0];
        CHECK(effect.energy == Approx(g * lift));
        CHECK(effect.moved == (lift > 0.07));
        CHECK_FALSE(effect.flips);
        CHECK(effect.lost == (lift > 0.2 && width < 4 * lift));
        REQUIRE(begun.progress.debris.size() == (lift > 0.2 ? 1 : 0));
        if (lift < 0.2) continue;
        CHECK(begun.progress.debris[0].object == 0);
        CHECK(begun.progress.debris[0].motion.velocity.x == Approx(side * std::sqrt(2 * g * lift)));
        CHECK(begun.progress.debris[0].right == (side > 0));
        CHECK_FALSE(begun.progress.debris[0].topples);
      }
    }
  }
}

TEST_CASE(
    "[impulse] shot progress: a post pushed along trips over its edge, when enough of its momentum is "
    "left") {
  // 0.2 x 2, of gyration (0.2^2 + 2^2)/12 about its centre, which is (0.1, 1) from the edge. Friction stops
  // the base in v/(mu g); its weight takes g 0.1 of angular momentum meanwhile. What is left, v (1 - 0.1/mu)
  // = 0.8 v, must lift the centre from 1 to sqrt(1.01).
  const double g = empty_scene().profile->gravity, square = (0.04 + 4) / 12, lift = std::sqrt(1.01) - 1;
  const double least = std::sqrt(2 * (square + 1.01) * g * lift) / 0.8;
  for (double side : {1.0, -1.0}) {
    for (double factor : {0.98, 1.02}) {
      Begun begun(one_box(0.2, 2));
      begun.push(0, side * factor * least);
      CHECK(begun.progress.effects[0].flips == (factor > 1));
      CHECK(begun.progress.effects[0].lost == (factor > 1));
      REQUIRE(begun.progress.debris.size() == (factor > 1 ? 1 : 0));
      if (factor > 1) CHECK(begun.progress.debris[0].topples);
      if (factor > 1)
        CHECK(begun.progress.effects[0].direction == (side > 0 ? FallDirection::right : FallDirection::left));
    }
  }
}

TEST_CASE("[impulse] shot progress: only the hardest blow counts") {
  Begun begun(one_box(0.5, 0.1));
  begun.push(0, 4);
  begun.push(0, 3);
  CHECK(begun.progress.effects[0].energy == Approx(8));
  CHECK(begun.progress.debris.size() == 1);
  begun.progress.start();
  CHECK(begun.progress.effects[0].energy == 0);
  CHECK(begun.progress.debris.empty());
  CHECK(begun.progress.lost.empty());
}

TEST_CASE("[impulse] shot progress: sixty blows are followed") {
  Begun begun(one_box(0.5, 0.1));
  for (int k = 1; k <= 60; ++k) begun.push(0, 0.2 * k);
  CHECK(begun.progress.goes_on());
  CHECK(begun.progress.effects[0].energy == Approx(0.5 * 12 * 12));
  begun.push(0, 20);
  CHECK_FALSE(begun.progress.goes_on());
  CHECK(begun.progress.effects[0].energy == Approx(0.5 * 12 * 12));
}

TEST_CASE(
    "[impulse] shot progress: damage adds up, what was taken off by defence too, until life is used up") {
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, ground, ground + 1),
             shelf = add_box(scene, 3, 4, ground, ground + 1, 1, Kind::platform);
  scene.objects[box].life = 10;
  scene.objects[box].parameters.defence = 2;
  Begun begun(scene);
  ShotProgress& progress = begun.progress;
  progress.hurt(box, 5, true);
  progress.hurt(box, 4, false);
  CHECK(progress.effects[box].life_lost == 9);
  CHECK(progress.effects[box].dealt == 11);
  CHECK(progress.effects[box].hits == 1);
  CHECK_FALSE(progress.effects[box].destroyed);
  progress.hurt(box, 1, true);
  CHECK(progress.effects[box].destroyed);
  CHECK(progress.effects[box].lost);
  CHECK(progress.gone[box]);
  CHECK(progress.lost == std::vector<std::size_t>{box});
  progress.hurt(box, 100, true);
  CHECK(progress.effects[box].life_lost == 10);
  CHECK(progress.effects[box].hits == 2);
  progress.hurt(shelf, 1e9, true);
  CHECK_FALSE(progress.effects[shelf].destroyed);
  CHECK(begun.report(box).size() == 1);
  CHECK(begun.report(box).front().cases == set_of({movement::hit_and_destroyed}));
}

TEST_CASE("[impulse] shot progress: two objects that meet hurt each other by the profile's rule") {
  for (const char* name : {"startle", "classic"}) {
    Scene scene = empty_scene(name);
    const auto a = add_box(scene, 0, 1, 0, 1, 3), b = add_box(scene, 1, 2, 0, 1);
    scene.objects[b].parameters.defence = 1;
    Begun begun(scene);
    begun.progress.strike_with_object(a, b, {.inertia = begun.network.bodies[a], .motion = {{8, 0}, 0}},
                                      {1, 0.5}, {1, 0});
    const Profile& p = *scene.profile;
    const double points = p.damage_rule == DamageRule::speed ? 8 : 8 * 3 * p.damage_k * p.generic_factor;
    CHECK(begun.progress.effects[a].life_lost == Approx(points));
    CHECK(begun.progress.effects[b].life_lost ==
          Approx(p.damage_rule == DamageRule::speed ? points : std::max(points - 1, 0.0)));
    CHECK_FALSE(begun.progress.gone[a]);
  }
}

TEST_CASE(
    "[impulse] shot report: cases follow from what happened to the object, and from how deep it can fall") {
  // A high platform with two boxes on it and a third on the ground: 0 shelf, 1 on it, 2 on the ground, 3 on
  // box 2.
  Scene scene = empty_scene();
  add_box(scene, 0, 3, ground + 2, ground + 2.5, 1, Kind::platform);
  add_box(scene, 0.5, 1.5, ground + 2.5, ground + 3.5);
  add_box(scene, 6, 7, ground, ground + 1);
  add_box(scene, 6, 7, ground + 1, ground + 2);
  using namespace movement;
  const auto cases = [&](std::size_t i, std::size_t target, const ShotEffect& effect) {
    Begun begun(scene);
    begun.progress.effects[i] = effect;
    const auto impacted = begun.report(target);
    REQUIRE(impacted.size() == 1);
    CHECK(impacted.front().object == i);
    CHECK(impacted.front().speed == Approx(std::sqrt(2 * effect.energy)));
    return impacted.front().cases;
  };
  const ShotEffect moved{.moved = true, .energy = 2}, flips{.moved = true, .flips = true, .energy = 8},
      destroyed{.moved = true, .destroyed = true, .lost = true};
  const ShotEffect off{.moved = true, .lost = true}, flips_off{.moved = true, .lost = true, .flips = true},
      drops{.moved = true, .falls = true};
  CHECK(cases(1, 1, moved) == set_of({hit_and_slides, slides_and_stops}));
  CHECK(cases(1, 1, flips) == set_of({hit_and_flips, flips_and_stops}));
  CHECK(cases(1, 2, moved) == set_of({slides_and_stops}));
  CHECK(cases(1, 2, flips) == set_of({flips_and_stops}));
  CHECK(cases(1, 2, destroyed) == set_of({hit_and_destroyed}));
  CHECK(cases(1, 2, off) == set_of({slides_and_stops}));  // on the platform it falls nowhere
  CHECK(cases(3, 1, off) == set_of({slides_and_stops}));  // nor past the box below it
  CHECK(cases(2, 2, flips_off) == set_of({hit_and_flips, flips_and_stops}));  // it stands on the ground
  CHECK(cases(3, 1, drops) == set_of({falls_and_rotates}));
  CHECK(cases(3, 2, drops) == set_of({falls}));  // straight above the ground without the target
  Begun both(scene);
  both.progress.effects[2] = destroyed;
  both.progress.effects[3] = off;
  CHECK(both.report(2).at(1).cases == set_of({slides_and_falls}));
  both.progress.effects[3] = flips_off;
  CHECK(both.report(3).at(0).cases == set_of({hit_and_flips, flips_and_falls}));
}

TEST_CASE(
    "[impulse] shot report: an object drops to the highest that stays below it, the target is reported "
    "first") {
  Scene scene = empty_scene();
  for (int k = 0; k < 4; ++k) add_box(scene, 0, 1, ground + 1.0 * k, ground + 1 + 1.0 * k);
  add_box(scene, 1, 2, ground, ground + 2.5);  // beside
  Begun begun(scene);
  for (std::size_t i : {1, 2, 3}) begun.progress.effects[i] = {.moved = true, .falls = true};
  auto impacted = begun.report(2);
  REQUIRE(impacted.size() == 3);
  CHECK(impacted[0].object == 2);
  CHECK(impacted[1].object == 1);
  CHECK(impacted[2].object == 3);
  CHECK(impacted[1].drop == Approx(0).margin(1e-9));
  CHECK(impacted[0].drop == Approx(1));
  CHECK(impacted[2].drop == Approx(2));
  begun.progress.effects[0] = {.moved = true, .destroyed = true, .lost = true};
  impacted = begun.report(0);
  CHECK(impacted[3].drop == Approx(3));
}

TEST_CASE("[impulse] movement: the cases have Pinto et al.'s numbers and names") {
  using namespace movement;
  for (std::size_t k = 0; k < all.size(); ++k) CHECK(all[k] == k + 1);
  CHECK(std::string(movement::name(hit_and_destroyed)) == "directly hit and destroyed");
  CHECK(std::string(movement::name(falls_and_rotates)) == "falls while rotating");
  CHECK(std::string(movement::name(flips_and_falls)) == "flips and falls");
  CHECK(pushed(false, false) == slides_and_stops);
  CHECK(pushed(false, true) == slides_and_falls);
  CHECK(pushed(true, false) == flips_and_stops);
  CHECK(pushed(true, true) == flips_and_falls);
}

TEST_CASE("[impulse] shot progress: energy is that of the motion and of the spin") {
  // A unit box of 1 kg in the air, 1/6 kg m^2, hit 1/4 above its middle by 2 kg at 3 m/s: it gets 1.6 m/s and
  // 2.4 rad/s (the blow's test). Per kg: (1.6^2 + 2.4^2/6)/2 = 1.76.
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, 0, 1);
  Begun begun(scene);
  Striker striker{.inertia = {0.5, 0, {-1, 0.75}}, .motion = {{3, 0}, 0}};
  begun.progress.strike(striker, box, {0, 0.75}, {1, 0});
  CHECK(begun.progress.effects[box].energy == Approx(1.76));
  // It topples over its edge from g (sqrt(1/2) - 1/2) = 2.03 on: at 3.3 m/s, with 1.21 times the energy.
  CHECK_FALSE(begun.progress.effects[box].flips);
  striker.motion = {{3.3, 0}, 0};
  begun.progress.strike(striker, box, {0, 0.75}, {1, 0});
  CHECK(begun.progress.effects[box].energy == Approx(1.21 * 1.76));
  CHECK(begun.progress.effects[box].flips);
}

TEST_CASE(
    "[impulse] shot progress: in the way is what lives and is in its place, and not the object itself") {
  Scene scene = empty_scene();
  const auto object = add_box(scene, 0, 1, ground, ground + 1),
             other = add_box(scene, 2, 3, ground, ground + 1),
             dead = add_box(scene, 4, 5, ground, ground + 1);
  scene.objects[dead].alive = false;
  Begun begun(scene);
  ShotProgress& progress = begun.progress;
  CHECK(progress.in_the_way(other, object));
  CHECK_FALSE(progress.in_the_way(object, object));
  CHECK_FALSE(progress.in_the_way(dead, object));
  progress.gone[other] = 1;
  CHECK_FALSE(progress.in_the_way(other, object));
  progress.gone[other] = 0;
  progress.effects[other].falls = true;
  CHECK_FALSE(progress.in_the_way(other, object));
  progress.effects[other] = {.lost = true};
  CHECK_FALSE(progress.in_the_way(other, object));
}

TEST_CASE("[impulse] shot progress: an object rubs on what lies below it, in either order of the two") {
  for (bool upper_first : {false, true}) {
    Scene scene = empty_scene();
    std::size_t upper = 0, lower = 0;
    for (bool is_upper : {upper_first, !upper_first})
      if (is_upper)
        upper = add_box(scene, 0, 1, 1, 2);
      else
        lower = add_box(scene, 0, 1, 0, 1);
    const auto beside = add_box(scene, 1, 2, 1, 2);
    scene.objects[upper].parameters.friction = 0.5;
    scene.objects[lower].parameters.friction = 0.32;
    scene.objects[beside].parameters.friction = 0.9;
    Begun begun(scene);
    CHECK(begun.progress.friction_below(upper) == Approx(0.4));  // sqrt(0.5 x 0.32)
    CHECK(begun.progress.friction_below(lower) == 0);            // it hangs in the air
  }
}

TEST_CASE("[impulse] shot progress: what spins without going sideways goes over to the side of its spin") {
  // A unit box, of gyration 1/6, in the air: a blow up under one side of the box makes it spin.
  for (double side : {1.0, -1.0}) {
    for (double speed : {1.0, 9.0}) {
      Scene scene = empty_scene();
      const auto box = add_box(scene, -0.5, 0.5, 0, 1);
      Begun begun(scene);
      Striker striker{.inertia = {0.5, 0, {-side * 0.4, -1}}, .motion = {{0, speed}, 0}};
      begun.progress.strike(striker, box, {-side * 0.4, 0}, {0, 1});
      // J = speed/(1/2 + 1 + 0.16 x 6); up at J, spin -side 0.4 x 6 J: energy J^2 (1 + 0.96)/2 per kg.
      const double blow = speed / (1.5 + 0.96), energy = 0.5 * blow * blow * 1.96;
      const double least = scene.profile->gravity * (std::sqrt(0.5) - 0.5);
      const ShotEffect& effect = begun.progress.effects[box];
      CHECK(effect.energy == Approx(energy));
      CHECK(effect.flips == (energy > least));
      if (effect.flips) {
        CHECK(effect.direction == (side > 0 ? FallDirection::right : FallDirection::left));
        CHECK(begun.progress.debris.at(0).right == (side > 0));
        CHECK(std::string(effect.reason) == "toppled");
      }
    }
  }
}

TEST_CASE("[impulse] shot progress: what bounces when two objects meet is the greater restitution of both") {
  for (double of_a : {0.0, 0.5}) {
    for (double of_b : {0.0, 0.25}) {
      Scene scene = empty_scene();
      const auto a = add_box(scene, 0, 1, 0, 1, 3), b = add_box(scene, 1, 2, 0, 1);
      scene.objects[a].parameters.restitution = of_a;
      scene.objects[b].parameters.restitution = of_b;
      Begun begun(scene);
      begun.progress.strike_with_object(a, b, {.inertia = begun.network.bodies[a], .motion = {{8, 0}, 0}},
                                        {1, 0.5}, {1, 0});
      const double after = (1 + std::max(of_a, of_b)) * 8 * 3 / 4;
      CHECK(begun.progress.effects[b].energy == Approx(0.5 * after * after));
      CHECK(begun.progress.effects[a].energy == 0);
    }
  }
}

TEST_CASE(
    "[impulse] shot progress: an explosion spares what is gone, dead or static, and the exploding object") {
  Scene scene = empty_scene();
  const auto self = add_box(scene, 0, 1, 0, 1), dead = add_box(scene, 1.5, 2.5, 0, 1),
             shelf = add_box(scene, -2, -1, 0, 1, 1, Kind::platform),
             destroyed = add_box(scene, 0, 1, 1.5, 2.5), hit = add_box(scene, 0, 1, -2, -1);
  scene.objects[dead].alive = false;
  Begun begun(scene);
  begun.progress.effects[destroyed].destroyed = true;
  begun.progress.explode({.radius = 4, .power = 6, .damage = 10}, {0.5, 0.5}, self);
  for (std::size_t i : {self, dead, shelf, destroyed}) {
    CHECK(begun.progress.effects[i].energy == 0);
    CHECK(begun.progress.effects[i].life_lost == 0);
  }
  CHECK(begun.progress.effects[hit].life_lost > 0);
  CHECK(begun.progress.effects[hit].energy > 0);
}

TEST_CASE("[impulse] shot progress: an explosion reaches what its radius just touches") {
  for (double radius : {2.0, 1.9375}) {
    Scene scene = empty_scene();
    const auto box = add_box(scene, 2, 3, -0.5, 0.5);
    Begun begun(scene);
    begun.progress.explode({.radius = radius, .power = 6, .damage = 1000}, {0, 0}, ground_index);
    // Its centre, 2.5 away, is beyond the radius: the linear falloff leaves nothing there.
    CHECK(begun.progress.effects[box].life_lost == 0);
    Scene classic = scene;
    classic.profile = profile("classic");
    Begun other(classic);
    other.progress.explode({.radius = radius, .power = 6, .damage = 1000}, {0, 0}, ground_index);
    CHECK(other.progress.effects[box].life_lost == (radius == 2 ? Approx(1000 / 2.5) : Approx(0)));
  }
}

TEST_CASE("[impulse] shot report: what is dead stops no fall") {
  // An object above the world's origin, 4.5 above the ground; one below it, 1 high, lives or not.
  for (bool alive : {true, false}) {
    Scene scene = empty_scene();
    const auto object = add_box(scene, -0.5, 0.5, ground + 4.5, ground + 5.5),
               below = add_box(scene, -0.5, 0.5, ground, ground + 1);
    scene.objects[below].alive = alive;
    Begun begun(scene);
    begun.progress.effects[object] = {.moved = true, .falls = true};
    CHECK(begun.report(object).at(0).drop == Approx(alive ? 3.5 : 4.5));
  }
}

TEST_CASE("[impulse] shot progress: below is what presses upward by more than the least share") {
  Scene scene = empty_scene();
  const auto upper = add_box(scene, 0, 1, 1, 2);
  add_box(scene, 0, 1, 0, 1);
  for (SceneObject& object : scene.objects) object.parameters.friction = 0.5;
  Begun begun(scene);
  for (double up : {least_upward, least_upward + 0.01}) {
    // From the upper to the lower one, or the other way: the normal points from the first to the second.
    for (NetworkContact& touch : begun.network.touches) touch.normal.y = touch.second == upper ? up : -up;
    CHECK(begun.progress.friction_below(upper) == (up > least_upward ? Approx(0.5) : Approx(0)));
  }
}

TEST_CASE("[impulse] shot progress: however slowly it spins, what goes straight up turns to that side") {
  // A unit box of 1 kg, 1/6 kg m^2, struck from below 0.02 beside its middle: 2 m/s and 0.24 rad/s. Without
  // any spin it counts to the left.
  for (double side : {1.0, 0.0, -1.0}) {
    Scene scene = empty_scene();
    const auto box = add_box(scene, -0.5, 0.5, 0, 1);
    Begun begun(scene);
    const double arm = -side * 0.02, speed = 2 * (0.5 + 1 + 6 * arm * arm);
    Striker striker{.inertia = {0.5, 0, {arm, -1}}, .motion = {{0, speed}, 0}};
    begun.progress.strike(striker, box, {arm, 0}, {0, 1});
    const ShotEffect& effect = begun.progress.effects[box];
    CHECK(effect.energy == Approx(0.5 * 4 * (1 + 6 * arm * arm)));
    CHECK_FALSE(effect.flips);
    CHECK(effect.direction == (side > 0 ? FallDirection::right : FallDirection::left));
  }
}

TEST_CASE("[impulse] shot progress: spin against its way keeps a post from tripping") {
  // The post of above, 0.2 x 2 with friction 1/2, struck 0.3 below its middle. It goes at v and spins by
  // 0.3 v times its mass by its moment: the momentum about its edge is v (0.8 - 0.3).
  const double g = empty_scene().profile->gravity, square = (0.04 + 4) / 12, lift = std::sqrt(1.01) - 1;
  const double least = std::sqrt(2 * (square + 1.01) * g * lift) / (0.8 - 0.3);
  for (double side : {1.0, -1.0}) {
    for (double factor : {0.98, 1.02}) {
      Begun begun(one_box(0.2, 2));
      // Contacts straight below the centre, where the spin presses nothing.
      for (NetworkContact& touch : begun.network.touches) touch.point.x = 0.1;
      const Inertia& inertia = begun.network.bodies[0];
      const Vec2 point{side > 0 ? 0 : 0.2, inertia.centre.y - 0.3};
      const double v = factor * least, needed = v * (2 + 0.09 / square);
      Striker striker{.inertia = {inertia.inverse_mass, 0, point}, .motion = {{side * needed, 0}, 0}};
      begun.progress.strike(striker, 0, point, {side, 0});
      CHECK(begun.progress.effects[0].energy == Approx(0.5 * v * v * (1 + 0.09 / square)));
      CHECK(begun.progress.effects[0].flips == (factor > 1));
    }
  }
}

TEST_CASE("[impulse] shot report: what ends where the object begins is not below it, what it sinks into is") {
  // An object 4 above the ground; beside it, on either side, a pillar of 3. Exact in binary.
  Scene scene = empty_scene();
  const auto object = add_box(scene, 0, 1, ground + 4, ground + 5);
  add_box(scene, 1, 2, ground, ground + 3);
  add_box(scene, -1, 0, ground, ground + 3);
  const auto drop = [&] {
    Begun begun(scene);
    begun.progress.effects[object] = {.moved = true, .falls = true};
    return begun.report(object).at(0).drop;
  };
  CHECK(drop() == Approx(4));
  add_box(scene, 0.25, 0.75, ground, ground + 1);
  CHECK(drop() == Approx(3));
  add_box(scene, 0.25, 0.75, ground + 4.04, ground + 4.5);  // in its way, not below it
  CHECK(drop() == Approx(3));
  add_box(scene, 0.25, 0.75, ground + 1, ground + 4.02);
  CHECK(drop() == Approx(0).margin(1e-12));
}
