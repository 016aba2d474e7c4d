#include "reasoning/qualitative/targets.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "reasoning/qualitative/support.hpp"
#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

/// Targets by the definition, over `count` launch angles all around.
std::set<std::size_t> exhaustive_targets(const Scene& scene, const BirdType& bird, int count,
                                         const Relation& relation = left_of) {
  std::set<std::size_t> found;
  const SceneShapes geometry = scene_shapes(scene);
  std::vector<Obstacle> obstacles;
  for (const Shape& shape : geometry.shapes) obstacles.push_back(make_obstacle(shape));
  for (int k = 0; k < count; ++k) {
    const Trajectory path = flight(scene, bird,
                                   {.angle = -std::numbers::pi / 2 + 2 * std::numbers::pi * k / count});
    const double t_end = first_ground_contact(path, scene.profile->ground_y, 1e9).value();
    const SweptDisc disc(path);
    std::vector<std::pair<double, std::size_t>> hits;
    for (std::size_t i = 0; i < obstacles.size(); ++i)
      if (const double t = disc.first_contact(obstacles[i], t_end); t <= t_end) hits.push_back({t, i});
    for (const auto& [t, i] : hits) {
      if (scene.objects[i].is_static()) continue;
      bool blocked = false;
      for (const auto& [earlier, j] : hits)
        blocked |= j != i && earlier < t && relation(geometry.bounds[i], geometry.bounds[j]);
      if (!blocked) found.insert(i);
    }
  }
  return found;
}

std::set<std::size_t> objects_of(const std::vector<Target>& targets) {
  std::set<std::size_t> found;
  for (const Target& t : targets) found.insert(t.object);
  return found;
}

/// Agreement of find_targets with the exhaustive sweep over random scenes: F1 of all targets together.
double agreement(int scenes, int columns, int angles, std::uint64_t seed) {
  Random random(seed);
  double both = 0, one = 0;
  for (int k = 0; k < scenes; ++k) {
    const Scene scene = random_scene(random, columns);
    const BirdType& bird = scene.profile->bird(k % 2 ? "BirdRed" : "BirdWhite");
    const auto mine = objects_of(find_targets(scene, bird)), truth = exhaustive_targets(scene, bird, angles);
    for (std::size_t i : mine) (truth.count(i) ? both : one) += 1;
    for (std::size_t i : truth) one += mine.count(i) == 0;
  }
  return 2 * both / (2 * both + one);
}

}  // namespace

TEST_CASE(
    "[qualitative] targets: a wall hides what stands behind it, unless the upper parabola comes over it") {
  Scene scene = empty_scene();
  const auto wall = add_box(scene, 0, 0.5, ground, ground + 2);
  const auto near = add_box(scene, 0.7, 1.2, ground, ground + 0.5);
  const auto far = add_box(scene, 4, 4.5, ground, ground + 0.5);
  const auto targets = find_targets(scene, scene.profile->bird("BirdRed"));
  CHECK(objects_of(targets) == std::set<std::size_t>{wall, near, far});
  // With a roof from the wall on, the near box is out of reach.
  add_box(scene, 0.5, 3, ground + 2, ground + 2.3, 1, Kind::platform);
  CHECK(objects_of(find_targets(scene, scene.profile->bird("BirdRed"))) == std::set<std::size_t>{wall, far});
}

TEST_CASE("[qualitative] targets: a gap narrower than the bird lets nothing through") {
  // A box in a corridor between two platforms, open to the left only. The red bird's radius is 0.17.
  for (double gap : {0.3, 0.4}) {
    Scene scene = empty_scene();
    add_box(scene, 0, 6, -1, 4, 1, Kind::platform);
    add_box(scene, 0, 6, -3.4, -1 - gap, 1, Kind::platform);
    const auto inside = add_box(scene, 0.3, 0.5, -1 - gap, -1 - 0.1);
    const auto targets = objects_of(find_targets(scene, scene.profile->bird("BirdRed")));
    INFO("gap " << gap);
    CHECK((targets.count(inside) == 1) == (gap > 0.34));
  }
}

TEST_CASE("[qualitative] targets: dead objects and platforms are no targets, and dead objects hide nothing") {
  Scene scene = empty_scene();
  const auto wall = add_box(scene, 0, 0.5, ground, ground + 6);
  add_box(scene, -2, -1.5, ground, ground + 0.3, 1, Kind::platform);
  const auto behind = add_box(scene, 0.6, 1.1, ground, ground + 0.5);
  CHECK(objects_of(find_targets(scene, scene.profile->bird("BirdRed"))) == std::set<std::size_t>{wall});
  scene.objects[wall].alive = false;
  CHECK(objects_of(find_targets(scene, scene.profile->bird("BirdRed"))) == std::set<std::size_t>{behind});
}

TEST_CASE(
    "[qualitative] targets: an object right of the target does not block, by the published definition") {
  // The bird comes down between two posts: it brushes the right post's corner first and then the left one's
  // side. The right post is not left of the left post, so both are targets.
  Scene scene = empty_scene();
  const auto low = add_box(scene, 0, 0.5, ground, ground + 0.5);
  const auto high = add_box(scene, 0.8, 1.2, ground, ground + 3);
  const auto definition = exhaustive_targets(scene, scene.profile->bird("BirdRed"), 100000);
  CHECK(objects_of(find_targets(scene, scene.profile->bird("BirdRed"))) == definition);
  CHECK(definition == std::set<std::size_t>{low, high});
}

TEST_CASE(
    "[qualitative] targets: every trajectory given touches its object at its time, with nothing related in "
    "the "
    "way") {
  Random random(31);
  int seen = 0;
  for (int k = 0; k < 40; ++k) {
    const Scene scene = random_scene(random);
    const SceneShapes geometry = scene_shapes(scene);
    const BirdType& bird = scene.profile->bird("BirdRed");
    std::size_t last = 0;
    for (const Target& target : find_targets(scene, geometry, bird)) {
      REQUIRE((target.object > last || seen == 0 || last == 0));
      last = target.object;
      REQUIRE_FALSE(target.trajectories.empty());
      bool upper = false;
      for (const Trajectory& path : target.trajectories) {
        ++seen;
        REQUIRE(first_contact(path, geometry.shapes[target.object], path.time + 1e-6).value() ==
                Approx(path.time).margin(1e-9));
        REQUIRE(length(path.at(path.time) - path.aim) == Approx(path.radius).margin(1e-6));
        REQUIRE_FALSE(first_ground_contact(path, ground, path.time - 1e-6).has_value());
        for (std::size_t j = 0; j < scene.objects.size(); ++j) {
          if (j == target.object || !left_of(geometry.bounds[target.object], geometry.bounds[j])) continue;
          REQUIRE_FALSE(first_contact(path, geometry.shapes[j], path.time - 1e-6).has_value());
        }
        REQUIRE((path.upper || !upper));  // lower before upper
        upper = path.upper;
      }
    }
  }
  CHECK(seen > 200);
}

TEST_CASE(
    "[qualitative] targets: the slingshot on the right, with right-of, sees the mirrored scene's targets") {
  Random random(32);
  for (int k = 0; k < 25; ++k) {
    Scene scene = random_scene(random), image = mirrored(scene);
    // The rest position is 0.15 left of the slingshot in both; put it where the mirror image would have it.
    image.slingshot.x += 0.3;
    BirdType bird = scene.profile->bird("BirdRed"), turned = bird;
    turned.centre.x = -bird.centre.x;
    const auto there = objects_of(find_targets(scene, bird)),
               back = objects_of(find_targets(image, turned, right_of));
    // Windows at the limit of the sampling may be seen on one side only: float trigonometry is not mirrored
    // exactly.
    std::size_t different = 0;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) different += there.count(i) != back.count(i);
    REQUIRE(different <= 1);
  }
}

TEST_CASE("[qualitative] targets: agree with an exhaustive sweep of launch angles") {
  CHECK(agreement(12, 8, 36000, 33) >= 0.97);
}

TEST_CASE("[qualitative] targets: agree with a very fine sweep over many scenes", "[slow]") {
  CHECK(agreement(40, 14, 72000, 34) >= 0.97);
}

TEST_CASE("[qualitative] targets: a platform reached after an object that does not block it is no target") {
  // As above: the bird brushes the right post first. The left one is a platform.
  Scene scene = empty_scene();
  add_box(scene, 0, 0.5, ground, ground + 0.5, 1, Kind::platform);
  const auto high = add_box(scene, 0.8, 1.2, ground, ground + 3);
  CHECK(objects_of(find_targets(scene, scene.profile->bird("BirdRed"))) == std::set<std::size_t>{high});
}

TEST_CASE("[qualitative] targets: straight up through a chimney is a shot") {
  // The walls leave the bird's disc 0.01 of play on each side, up to 2 above the rest position.
  Scene scene = empty_scene();
  const BirdType& bird = scene.profile->bird("BirdRed");
  const Vec2 rest = scene.rest() + bird.centre;
  const double half = bird.radius + 0.01;
  for (double side : {-1.0, 1.0})
    add(scene, Kind::platform, box_shape(1, 1.5), {rest.x + side * (half + 0.5), rest.y + 1.25});
  const auto above = add(scene, Kind::block, box_shape(1, 1), {rest.x, rest.y + 3.5});
  const std::vector<Target> targets = find_targets(scene, bird);
  CHECK(objects_of(targets) == std::set<std::size_t>{above});
  REQUIRE_FALSE(targets.front().trajectories.empty());
  CHECK(std::abs(targets.front().trajectories.front().shot.angle - std::numbers::pi / 2) < 0.01);
}

TEST_CASE("[qualitative] targets: without gravity the angle given is that of the straight line to a disc") {
  for (double away : {3.0, 9.0}) {
    for (double angle : {-0.5, -0.45, -0.15, 0.0, 0.3, 0.8, 1.1, 1.4}) {
      for (double side : {1.0, -1.0}) {
        Scene scene = empty_scene();
        scene.slingshot = angle < 0 || away > 5 ? Vec2{7, 2.5} : Vec2{-5, -2.5};
        BirdType bird = scene.profile->bird("BirdRed");
        bird.parameters.gravity_scale = 0;
        bird.centre = {0.25, -0.5};
        const Vec2 along{side * std::cos(angle), std::sin(angle)};
        add(scene, Kind::block, disc_shape(0.05), scene.rest() + bird.centre + away * along);
        const std::vector<Target> targets = find_targets(scene, bird);
        REQUIRE(targets.size() == 1);
        REQUIRE(targets[0].trajectories.size() == 1);
        const Trajectory& path = targets[0].trajectories[0];
        INFO("angle " << angle << " side " << side << " away " << away);
        // Within the window of angles, samples are 1 degree apart: the nearest to its middle is 0.5 off.
        const double expected = side > 0 ? angle : std::numbers::pi - angle;
        CHECK(std::abs(path.shot.angle - expected) < radians(0.55));
        // The bird sets out 1 behind the rest position, at 10 m/s.
        CHECK(path.time == Approx((away + 1 - 0.05 - bird.radius) / 10).margin(1e-3));
        // It aims at the point of the disc's border that it touches.
        const Vec2 disc = scene.rest() + bird.centre + away * along;
        CHECK(length(path.aim - disc) == Approx(0.05));
        CHECK(length(path.aim - path.at(path.time)) == Approx(bird.radius));
      }
    }
  }
}

TEST_CASE("[qualitative] targets: lower trajectories come first, then they ascend in angle, on both sides") {
  Random random(35);
  int pairs = 0;
  for (int k = 0; k < 20; ++k) {
    const Scene scene = random_scene(random);
    for (const Scene& either : {scene, mirrored(scene)})
      for (const Target& target :
           find_targets(either, either.profile->bird("BirdRed"), blocking_relation(either)))
        for (std::size_t t = 1; t < target.trajectories.size(); ++t) {
          const Trajectory &a = target.trajectories[t - 1], &b = target.trajectories[t];
          REQUIRE((a.upper < b.upper || (a.upper == b.upper && a.shot.angle <= b.shot.angle)));
          ++pairs;
        }
  }
  CHECK(pairs > 100);
}

TEST_CASE("[qualitative] targets: of what is reached after others there is one trajectory for each window") {
  // By a relation in which nothing on the left blocks, a wall hides nothing. The box behind it is reached
  // over whole windows of lower and of upper parabolas, which are many samples each.
  Scene scene = empty_scene();
  add_box(scene, 0, 0.5, ground, ground + 2);
  const auto behind = add_box(scene, 0.7, 1.2, ground, ground + 1);
  for (const Target& target : find_targets(scene, scene.profile->bird("BirdRed"), right_of)) {
    CHECK(target.trajectories.size() <= 3);
    if (target.object != behind) continue;
    CHECK_FALSE(target.trajectories.front().upper);
    CHECK(target.trajectories.back().upper);
  }
}

TEST_CASE("[qualitative] targets: one sampled angle that reaches an object is enough, also after another") {
  // By straight paths, 15 away: a disc of 0.05 and a bird of 0.05 meet within 0.4 degrees, samples are 1
  // degree apart. All pass the wall first, which blocks nothing.
  for (double degrees : {4.0, 5.0, 10.0, 33.0}) {
    Scene scene = empty_scene();
    BirdType bird = scene.profile->bird("BirdRed");
    bird.parameters.gravity_scale = 0;
    bird.radius = 0.05;
    const double angle = radians(degrees);
    const auto wall = add_box(scene, 0, 0.5, -20, 20);
    const auto behind = add(scene, Kind::block, disc_shape(0.05),
                            scene.rest() + bird.centre + 15 * Vec2{std::cos(angle), std::sin(angle)});
    const auto targets = find_targets(scene, bird, [](const Bounds&, const Bounds&) { return false; });
    REQUIRE(objects_of(targets) == std::set<std::size_t>{wall, behind});
    REQUIRE(targets[1].trajectories.size() == 1);
    CHECK(targets[1].trajectories[0].shot.angle == Approx(angle));
  }
}

TEST_CASE("[qualitative] targets: the angle given lies in the middle of those that reach the object") {
  // By straight paths, 13.38 away, all past a wall that blocks nothing: a disc of 1 is met within 4.5 degrees
  // on either side, of which whole degrees are tried: nine, and the middle one is within half a degree.
  double sum = 0;
  int count = 0;
  for (int tenths = 41; tenths <= 400; tenths += 7) {
    Scene scene = empty_scene();
    BirdType bird = scene.profile->bird("BirdRed");
    bird.parameters.gravity_scale = 0;
    bird.radius = 0.05;
    const double angle = radians(0.1 * tenths);
    add_box(scene, 0, 0.5, -20, 20);
    const auto behind = add(scene, Kind::block, disc_shape(1),
                            scene.rest() + bird.centre + 13.38 * Vec2{std::cos(angle), std::sin(angle)});
    const auto targets = find_targets(scene, bird, [](const Bounds&, const Bounds&) { return false; });
    REQUIRE(targets.at(1).object == behind);
    REQUIRE(targets[1].trajectories.size() == 1);
    const double off = degrees(targets[1].trajectories[0].shot.angle - angle);
    CHECK(std::abs(off) < 0.51);
    sum += off;
    ++count;
  }
  CHECK(std::abs(sum / count) < 0.2);
}

TEST_CASE("[qualitative] targets: steep shots are found on either side, also behind a high wall") {
  // At 86 degrees the bird comes down 3 further on; a wall of 7 hides the box from all flatter shots.
  for (double side : {1.0, -1.0}) {
    Scene scene = empty_scene();
    const BirdType& bird = scene.profile->bird("BirdRed");
    const double x = scene.rest().x + bird.centre.x;
    const auto box = [&](double near, double far, double top, Kind kind) {
      return side > 0 ? add_box(scene, x + near, x + far, ground, top, 1, kind)
                      : add_box(scene, x - far, x - near, ground, top, 1, kind);
    };
    box(1.5, 1.7, ground + 7, Kind::platform);
    const auto hidden = box(2.4, 3.4, ground + 0.5, Kind::block);
    const auto targets = find_targets(scene, bird, side > 0 ? left_of : right_of);
    CHECK(objects_of(targets) == std::set<std::size_t>{hidden});
    CHECK(objects_of(targets) ==
          exhaustive_targets(scene, bird, 36000, side > 0 ? Relation(left_of) : Relation(right_of)));
  }
}

TEST_CASE("[qualitative] targets: of objects touched at once the first from the left is the target") {
  Scene scene = empty_scene();
  const auto first = add_box(scene, 2, 3, ground, ground + 1),
             same = add_box(scene, 2, 3, ground, ground + 1);
  CHECK(objects_of(find_targets(scene, scene.profile->bird("BirdRed"))) == std::set<std::size_t>{first});
  CHECK(same == first + 1);
}

TEST_CASE("[qualitative] targets: the relation follows the side on which more objects stand") {
  // An object straight above the slingshot counts to the right; dead and static ones do not count.
  const Bounds left{0, 1, 0, 1}, right{5, 6, 0, 1};
  const auto blocks_leftward = [&](const std::vector<double>& places) {
    Scene scene = empty_scene();
    for (double x : places) add_box(scene, x - 0.5, x + 0.5, ground, ground + 1);
    add_box(scene, -9.5, -8.5, ground, ground + 1, 1, Kind::platform);
    scene.objects[add_box(scene, -9.5, -8.5, ground, ground + 1)].alive = false;
    const Relation relation = blocking_relation(scene);
    CHECK(relation(right, left) != relation(left, right));
    return relation(left, right);  // right_of
  };
  CHECK_FALSE(blocks_leftward({}));
  CHECK(blocks_leftward({-7}));
  CHECK_FALSE(blocks_leftward({-7, 3}));
  CHECK_FALSE(blocks_leftward({-7, -5}));
  CHECK(blocks_leftward({-7, -6, 3}));
}

TEST_CASE("[targets] first touched: every target's trajectories touch it first, and others the ground") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Random random(seed);
    const Scene scene = random_scene(random);
    const SceneShapes geometry = scene_shapes(scene);
    for (const Target& target : find_targets(scene, geometry, scene.bird()))
      for (const Trajectory& trajectory : target.trajectories) {
        const auto touch = first_touched(scene, geometry, scene.bird(), trajectory.shot);
        REQUIRE(touch);
        // What does not stand in the way by the relation may be touched before.
        if (touch->object != target.object) {
          CHECK(touch->trajectory.time < trajectory.time);
          continue;
        }
        CHECK(touch->trajectory.time == trajectory.time);
        CHECK(touch->trajectory.aim == trajectory.aim);
        CHECK(touch->trajectory.upper == trajectory.upper);
      }
    const auto backwards = first_touched(scene, geometry, scene.bird(), {.angle = 3});
    REQUIRE(backwards);
    CHECK(backwards->object == ground_index);
    CHECK(backwards->trajectory.aim.y == scene.profile->ground_y);
    CHECK(backwards->trajectory.at(backwards->trajectory.time).y ==
          Approx(scene.profile->ground_y + backwards->trajectory.radius));
  }
}
