#include "reasoning/qualitative/trajectory.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "reasoning/qualitative/polynomial.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

/// First contact by conservative advancement: move on by the clearance over the highest speed until it is
/// used up.
std::optional<double> stepped_contact(const Trajectory& path, const Shape& shape, double t_end) {
  const double fastest = std::max(length(path.velocity), length(path.velocity_at(t_end)));
  for (double t = 0; t <= t_end;) {
    double clearance = std::numeric_limits<double>::infinity();
    for (const Polygon& part : shape.parts) clearance = std::min(clearance, distance(part, path.at(t)));
    for (const Disc& disc : shape.discs)
      clearance = std::min(clearance, length(disc.centre - path.at(t)) - disc.radius);
    clearance -= path.radius;
    if (clearance < 1e-8) return t;
    t += clearance / fastest;
  }
  return std::nullopt;
}

}  // namespace

TEST_CASE("[qualitative] polynomial: roots in an interval are those the polynomial was made of") {
  Random random(1);
  for (int k = 0; k < 3000; ++k) {
    // c (x - r1)(x - r2)(x - r3)(x - r4) with roots at least 0.05 apart
    double r[4];
    r[0] = random.uniform(-3, 0);
    for (int i = 1; i < 4; ++i) r[i] = r[i - 1] + random.uniform(0.05, 2);
    Quartic c{random.uniform(0.5, 3), 0, 0, 0, 0};
    const int degree = random.integer(1, 4);
    for (int i = 0; i < degree; ++i) {
      for (int j = i + 1; j > 0; --j)
        c[static_cast<std::size_t>(j)] = c[static_cast<std::size_t>(j - 1)] -
                                         r[i] * c[static_cast<std::size_t>(j)];
      c[0] *= -r[i];
    }
    const Roots roots = roots_in(c, -10, 1);
    int expected = 0;
    for (int i = 0; i < degree; ++i) {
      if (r[i] > 1) continue;
      REQUIRE(expected < roots.count);
      REQUIRE(roots.at[static_cast<std::size_t>(expected)] == Approx(r[i]).margin(1e-9));
      ++expected;
    }
    REQUIRE(roots.count == expected);
  }
}

TEST_CASE("[qualitative] polynomial: roots at the ends of the interval and at turns are counted once") {
  const auto roots = [](const Quartic& c, double low, double high) {
    const Roots found = roots_in(c, low, high);
    return std::vector<double>(found.at.begin(), found.at.begin() + found.count);
  };
  using List = std::vector<double>;
  CHECK(roots({0, -1, 1, 0, 0}, 0, 2) == List{0, 1});  // x (x - 1)
  CHECK(roots({0, 1, -1, 0, 0}, 0, 2) == List{0, 1});  // -x (x - 1)
  CHECK(roots({0, -1, 1, 0, 0}, 0, 1) == List{0, 1});
  CHECK(roots({1, -2, 1, 0, 0}, 0, 2) == List{1});     // (x - 1)^2
  CHECK(roots({0, 0, 1, -2, 1}, 0, 1) == List{0, 1});  // x^2 (x - 1)^2
  CHECK(roots({-1, 1, 0, 0, 0}, 1, 2) == List{1});
  CHECK(roots({-1, 1, 0, 0, 0}, 0, 1) == List{1});
  CHECK(roots({-1, 1, 0, 0, 0}, 1.5, 2).empty());
  CHECK(roots({1, 0, 0, 0, 0}, 0, 1).empty());
  CHECK(roots({1, 0, 1, 0, 0}, -9, 9).empty());
  CHECK(roots({0, 0, 0, 0, 0}, -9, 9).empty());
}

TEST_CASE("[qualitative] trajectory: a bird pulled back in part starts nearer, and slower") {
  Scene scene = empty_scene();
  Profile profile = *scene.profile;
  profile.max_stretch = 3;
  profile.launch_speed = 8;
  scene.profile = std::make_shared<Profile>(profile);
  const BirdType& bird = scene.profile->bird("BirdRed");
  const Trajectory path = flight(scene, bird, {.angle = 0, .stretch = 0.5});
  CHECK(path.start.x == Approx(scene.rest().x + bird.centre.x - 1.5));
  CHECK(path.start.y == Approx(scene.rest().y + bird.centre.y));
  CHECK(path.velocity.x == Approx(4));
}

TEST_CASE("[qualitative] trajectory: the parabola is the one of the engine's discrete steps") {
  // Symplectic Euler: v += g h, then x += v h. From the pulled-back position at 10 m/s.
  Random random(2);
  for (const char* name : {"BirdRed", "BirdBlue", "BirdWhite"}) {
    const Scene scene = empty_scene();
    const BirdType& bird = scene.profile->bird(name);
    const double g = 9.81 * bird.parameters.gravity_scale, h = scene.profile->step;
    for (int k = 0; k < 50; ++k) {
      const double angle = random.uniform(-1.5, 4.6);
      const Trajectory path = flight(scene, bird, {.angle = angle});
      Vec2 x = scene.slingshot + Vec2{-0.15, 0.8} + bird.centre - Vec2{std::cos(angle), std::sin(angle)};
      Vec2 v{10 * std::cos(angle), 10 * std::sin(angle)};
      for (int n = 1; n <= 200; ++n) {
        v.y -= g * h;
        x = x + h * v;
        REQUIRE(length(path.at(n * h) - x) < 1e-3);
      }
    }
  }
}

TEST_CASE("[qualitative] trajectory: the bird of the simulated world flies along the parabola") {
  Random random(3);
  for (const char* name : {"BirdRed", "BirdBlue", "BirdYellow", "BirdBlack", "BirdWhite"}) {
    Scene scene = empty_scene();
    scene.birds = {name};
    const auto pig = add_object(scene, Kind::pig, "BasicSmall", Material::none, {14, ground + 0.3});
    const BirdType& bird = scene.profile->bird(name);
    for (int k = 0; k < 6; ++k) {
      const Shot shot{.angle = random.uniform(0.1, 1.4)};
      const Trajectory path = flight(scene, bird, shot);
      World world(scene, {});
      world.launch(shot);
      int compared = 0;
      // Until shortly before it meets something: the engine's shapes have a skin.
      const double landing = first_ground_contact(path, ground, 100).value();
      const double contact = first_contact(path, scene.objects[pig].world_shape(), landing).value_or(landing);
      const int steps = static_cast<int>(contact / scene.profile->step) - 1;
      for (int n = 1; n <= steps; ++n) {
        world.step();
        const Frame frame = world.frame();
        for (const BodyState& body : frame.bodies) {
          if (body.id != static_cast<BodyId>(scene.objects.size())) continue;
          const Vec2 at = transformed(bird.centre, body.pose);
          INFO(name << " step " << n);
          REQUIRE(length(at - path.at(n * scene.profile->step)) < 0.002);
          ++compared;
        }
      }
      REQUIRE(steps > 20);
      CHECK(compared == steps);
    }
  }
}

TEST_CASE(
    "[qualitative] trajectory: the two parabolas through a point pass through it, the lower one first") {
  Random random(4);
  int pairs = 0, out_of_reach = 0;
  for (int k = 0; k < 2000; ++k) {
    Scene scene = empty_scene(k % 2 ? "classic" : "startle");
    if (k % 3 == 0) scene.slingshot = {8, -2.5};  // then many points lie to the left
    const BirdType& bird = scene.profile->bird(k % 5 ? "BirdRed" : "BirdBlue");
    const Vec2 aim{random.uniform(-15, 17), random.uniform(-3.4, 6)};
    const auto found = trajectories_through(scene, bird, aim);
    for (const Trajectory& path : found) {
      REQUIRE(length(path.at(path.time) - aim) < 1e-6);
      // and so does the shot itself, whose direction the engine rounds to float
      const Trajectory shot = flight(scene, bird, path.shot);
      REQUIRE(length(shot.at(path.time) - aim) < 2e-5);
      REQUIRE(path.upper == on_upper_parabola(scene, path, path.time));
    }
    if (found.size() == 2) {
      ++pairs;
      REQUIRE_FALSE(found[0].upper);
      REQUIRE(found[1].upper);
      REQUIRE(found[0].time < found[1].time);
      REQUIRE(found[0].shot.angle != found[1].shot.angle);
      if (aim.x > scene.slingshot.x + 1) REQUIRE(found[0].shot.angle < found[1].shot.angle);
    }
    if (found.empty()) ++out_of_reach;
    // The longest flat range is v^2/g = 21.2 plus what the release point adds.
    if (std::abs(aim.x - scene.slingshot.x) > 26) REQUIRE(found.empty());
    if (std::abs(aim.x - scene.slingshot.x) > 2 && std::abs(aim.x - scene.slingshot.x) < 12 && aim.y < -1)
      REQUIRE(found.size() == 2);
  }
  CHECK(pairs > 1000);
  CHECK(out_of_reach > 5);
}

TEST_CASE(
    "[qualitative] trajectory: first contact agrees with stepping along the path, for all shapes and "
    "rotations") {
  Random random(5);
  int touched = 0;
  for (int k = 0; k < 250; ++k) {
    Scene scene = random_scene(random, 3);
    add(scene, Kind::block, disc_shape(random.uniform(0.1, 0.6)),
        {random.uniform(-3, 4), random.uniform(-3, 1)});
    add(scene, Kind::block, box_shape(random.uniform(0.1, 2), random.uniform(0.1, 1)),
        {random.uniform(-3, 4), random.uniform(-3, 1)}, random.uniform(0, 6));
    const BirdType& bird = scene.profile->bird(k % 2 ? "BirdRed" : "BirdWhite");
    for (int shots = 0; shots < 6; ++shots) {
      const Trajectory path = flight(scene, bird, {.angle = random.uniform(-0.4, 1.56)});
      for (const SceneObject& object : scene.objects) {
        const Shape shape = object.world_shape();
        const auto exact = first_contact(path, shape, 4), stepped = stepped_contact(path, shape, 4);
        // A path that grazes within the stepping's accuracy may count either way; none of these does.
        REQUIRE(exact.has_value() == stepped.has_value());
        if (!exact) continue;
        REQUIRE(*exact == Approx(*stepped).margin(1e-6));
        ++touched;
      }
    }
  }
  CHECK(touched > 1000);
}

TEST_CASE("[qualitative] trajectory: a disc that starts in contact has its first contact at time zero") {
  Scene scene = empty_scene();
  const Trajectory path = flight(scene, scene.profile->bird("BirdRed"), {.angle = 0.3});
  const Shape around = transformed(box_shape(2, 2), {path.start, 0.2});
  const Shape beside = transformed(box_shape(1, 1), {path.start - Vec2{0.5 + path.radius - 0.01, 0}, 0});
  const Shape behind = transformed(box_shape(1, 1), {path.start - Vec2{0.5 + path.radius + 0.05, 0}, 0});
  CHECK(first_contact(path, around, 1).value() == 0);
  CHECK(first_contact(path, beside, 1).value() == 0);
  CHECK_FALSE(first_contact(path, behind, 1).has_value());
}

TEST_CASE("[qualitative] trajectory: nothing is touched after the end time") {
  Scene scene = empty_scene();
  const Trajectory path = flight(scene, scene.profile->bird("BirdRed"), {.angle = 0.0});
  const Shape wall = transformed(box_shape(1, 10), {{0, 0}, 0});
  const double t = first_contact(path, wall, 10).value();
  // The disc's right side meets x = -0.5: (-0.5 - radius - start) / 10.
  CHECK(t == Approx((-0.5 - path.radius - path.start.x) / 10));
  CHECK_FALSE(first_contact(path, wall, t - 1e-6).has_value());
  CHECK(first_contact(path, wall, t + 1e-6).has_value());
}

TEST_CASE("[qualitative] trajectory: the ground is met where the disc's lowest point comes down to it") {
  Random random(6);
  const Scene scene = empty_scene();
  for (int k = 0; k < 100; ++k) {
    const Trajectory path = flight(scene, scene.profile->bird("BirdRed"), {.angle = random.uniform(-1, 1.5)});
    const double t = first_ground_contact(path, ground, 100).value();
    REQUIRE(path.at(t).y - path.radius == Approx(ground).margin(1e-9));
    REQUIRE(path.velocity_at(t).y <= 0);
    REQUIRE_FALSE(first_ground_contact(path, ground, t - 1e-6).has_value());
  }
}

TEST_CASE("[qualitative] trajectory: without gravity the ground is met by what flies down alone") {
  Trajectory path{.shot = {}, .start = {0, 3}, .velocity = {1, -2}, .gravity = 0, .radius = 0.5, .aim = {}};
  CHECK(first_ground_contact(path, 0, 10) == Approx(1.25));
  CHECK(first_ground_contact(path, 0, 1.25) == 1.25);
  CHECK_FALSE(first_ground_contact(path, 0, 1.24));
  for (double up : {0.0, 0.5, 2.0}) {
    path.velocity.y = up;
    CHECK_FALSE(first_ground_contact(path, 0, 100));
    CHECK_FALSE(first_ground_contact(path, 0, std::numeric_limits<double>::infinity()));
  }
  path.start.y = 0.5;
  CHECK(first_ground_contact(path, 0, 10) == 0);
}

TEST_CASE("[qualitative] trajectory: without gravity one straight shot reaches a point, however slow") {
  for (double speed : {0.25, 10.0}) {
    Scene scene = empty_scene();
    Profile profile = *scene.profile;
    profile.launch_speed = speed;
    profile.gravity = 0;
    scene.profile = std::make_shared<Profile>(profile);
    const BirdType& bird = scene.profile->bird("BirdRed");
    const Vec2 rest = scene.rest() + bird.centre;
    for (double angle :
         {-1.0, 0.5, 2.0, 3.0, 0.0, 0.5 * std::numbers::pi, -0.5 * std::numbers::pi, std::numbers::pi}) {
      Vec2 along{std::cos(angle), std::sin(angle)};
      for (double* part : {&along.x, &along.y})
        if (std::abs(*part) < 1e-9) *part = 0;  // level and upright exactly
      const auto found = trajectories_through(scene, bird, rest + 3.0 * along);
      REQUIRE(found.size() == 1);
      CHECK_FALSE(found[0].upper);
      CHECK(found[0].shot.angle == Approx(angle).margin(1e-6));
      CHECK(found[0].time == Approx((3 + profile.max_stretch) / speed));
    }
  }
}

TEST_CASE("[qualitative] trajectory: a falling disc is on a box when its lowest point is") {
  const Shape box = transformed(box_shape(2, 1), {{0, 0.5}, 0});
  Trajectory path{.shot = {}, .start = {0, 2}, .velocity = {0, -1}, .gravity = 0, .radius = 0.3, .aim = {}};
  CHECK(first_contact(path, box, 10).value() == Approx(0.7));
  path.velocity = {0, 0};
  path.gravity = 10;
  CHECK(first_contact(path, box, 10).value() == Approx(std::sqrt(2 * 0.7 / 10)));
  path.velocity = {0, -10};  // 10 t + 5 t^2 = 0.7
  CHECK(first_contact(path, box, 10).value() == Approx(std::sqrt(1.14) - 1));
}

TEST_CASE("[qualitative] trajectory: slow flights touch large discs and corners at exactly their radius") {
  Random random(7);
  int touched = 0, missed = 0;
  for (int k = 0; k < 20000; ++k) {
    const double size = random.uniform(0.05, 4);
    const bool disc = k % 2 == 0;
    Shape shape = disc ? transformed(disc_shape(size), {{0, 0}, 0})
                       : transformed(box_shape(size, random.uniform(0.05, 4)), {{0, 0}, 0.7 * k});
    if (k % 3 == 0) shape.parts.insert(shape.parts.begin(), {{90, 90}, {91, 90}, {91, 91}});  // far away
    const Trajectory path{.shot = {},
                          .start = {random.uniform(-8, 8), random.uniform(-4, 8)},
                          .velocity = {random.uniform(-3, 3), random.uniform(-6, 6)},
                          .gravity = random.uniform(0, 10),
                          .radius = random.uniform(0.05, 1),
                          .aim = {}};
    const auto apart = [&](double t) {
      if (disc) return length(path.at(t)) - size - path.radius;
      return distance(shape.parts.back(), path.at(t)) - path.radius;
    };
    if (apart(0) <= 0) continue;
    const auto t = first_contact(path, shape, 5);
    const double end = t.value_or(5);
    if (t) {
      ++touched;
      REQUIRE(std::abs(apart(*t)) < 1e-9);
    } else {
      ++missed;
    }
    for (int i = 1; i < 100; ++i) REQUIRE(apart(0.01 * i * end) > -1e-9);
  }
  CHECK(touched > 3000);
  CHECK(missed > 3000);
}

TEST_CASE("[qualitative] trajectory: a disc thrown up from the height of a box's top is back on it in time") {
  // It sets out beside the box, its lowest point exactly on a level with the top: the height is
  // v t - 5 t^2, zero again after v / 5. However slow, it lands in the middle of the top.
  const Shape box = transformed(box_shape(4, 1), {{3, -0.5}, 0});
  for (double up : {0.01, 0.1, 0.5, 0.9, 1.0, 1.5, 5.0}) {
    const double time = up / 5;
    const Trajectory path{
        .shot = {}, .start = {0, 0.25}, .velocity = {3 / time, up}, .gravity = 10, .radius = 0.25, .aim = {}};
    const auto landing = first_contact(path, box, 10);
    REQUIRE(landing.has_value());
    CHECK(*landing == Approx(time));
  }
}

TEST_CASE(
    "[qualitative] trajectory: what touches a disc or a corner at its start is in contact, where it goes") {
  // Numbers exact in binary: apart by the sum of the radii.
  for (double away : {1.0, -1.0}) {
    const Trajectory path{
        .shot = {}, .start = {1.25, 0}, .velocity = {away, 0}, .gravity = 0, .radius = 0.25, .aim = {}};
    CHECK(first_contact(path, disc_shape(1), 1) == 0);
    const Shape box = transformed(box_shape(2, 2), {{0, 0}, 0});
    CHECK(first_contact(path, box, 1) == 0);
    const Shape diamond{.parts = {{{-1, 0}, {0, -1}, {1, 0}, {0, 1}}}};
    CHECK(first_contact(path, diamond, 1) == 0);
  }
}

TEST_CASE("[qualitative] trajectory: a point on the border of a piece is no point within it") {
  // The disc's centre is on the edge: in contact at once, from either side of the corner order.
  const Shape box = transformed(box_shape(2, 2), {{0, 0}, 0});
  for (Vec2 at : {Vec2{1, 0}, Vec2{-1, 0}, Vec2{0, 1}, Vec2{0, -1}, Vec2{1, 1}, Vec2{0, 0}}) {
    const Trajectory path{
        .shot = {}, .start = at, .velocity = {9, 9}, .gravity = 1, .radius = 0.25, .aim = {}};
    CHECK(first_contact(path, box, 1) == 0);
  }
  for (Vec2 at : {Vec2{1.5, 0}, Vec2{1.25, 1.25}}) {  // beside the edge's line, and beside the corner
    const Trajectory path{
        .shot = {}, .start = at, .velocity = {9, 9}, .gravity = 1, .radius = 0.25, .aim = {}};
    CHECK_FALSE(first_contact(path, box, 1).has_value());
  }
}

TEST_CASE("[qualitative] trajectory: a bird dropped straight down along a wall touches it or passes it") {
  // Its path has no width: at the distance of the radius it touches, beyond it does not.
  const Shape box = transformed(box_shape(2, 2), {{0, 0}, 0});
  for (double side : {1.0, -1.0}) {
    for (double x : {1.125, 1.25, 1.375}) {
      const Trajectory path{
          .shot = {}, .start = {side * x, 4}, .velocity = {0, -1}, .gravity = 2, .radius = 0.25, .aim = {}};
      const auto touched = first_contact(path, box, 10);
      CHECK(touched.has_value() == (x <= 1.25));
      CHECK(SweptDisc(path).may_touch(bounds(box), 10) == (x <= 1.25));
    }
  }
}

TEST_CASE("[qualitative] trajectory: weak gravity and low speeds leave the roots where they are") {
  // To a point level with the rest position at a distance d, without the engine's steps: the straight path
  // from `pull` behind takes (d + pull)/v, and the lower parabola under weak gravity hardly longer.
  for (double gravity : {1e-6, 1e-3}) {
    for (double distance : {0.5, 5.0, 15.0}) {
      for (double side : {1.0, -1.0}) {
        Scene scene = empty_scene();
        Profile profile = *scene.profile;
        profile.gravity = gravity;
        scene.profile = std::make_shared<Profile>(profile);
        const BirdType& bird = scene.profile->bird("BirdRed");
        const Vec2 aim = scene.rest() + bird.centre + Vec2{side * distance, 0};
        const auto found = trajectories_through(scene, bird, aim);
        REQUIRE(found.size() == 2);
        CHECK(found[0].time == Approx((distance + profile.max_stretch) / profile.launch_speed).epsilon(1e-2));
        // The upper one comes back after about 2 v/g.
        const double g = profile.flight_gravity(bird);
        CHECK(found[1].time == Approx(2 * profile.launch_speed / g).epsilon(1e-2));
      }
    }
  }
}

TEST_CASE(
    "[qualitative] trajectory: the highest point that is reached is reached by one parabola from below") {
  // Straight up the bird rises v^2/(2 g) above where it sets out; the upper parabola begins at that height.
  const Scene scene = empty_scene();
  const BirdType& bird = scene.profile->bird("BirdRed");
  const Trajectory up = flight(scene, bird, {.angle = 0.5 * std::numbers::pi});
  const double apex_time = up.velocity.y / up.gravity, apex = up.at(apex_time).y;
  CHECK(trajectories_through(scene, bird, {up.start.x, apex - 0.01}).size() == 2);
  CHECK(trajectories_through(scene, bird, {up.start.x, apex + 0.01}).empty());
  // While it rises it is on the lower parabola, while it falls on the upper one.
  CHECK_FALSE(on_upper_parabola(scene, up, 0.9 * apex_time));
  CHECK(on_upper_parabola(scene, up, 1.1 * apex_time));
}

TEST_CASE("[qualitative] trajectory: a ceiling that a disc just reaches at its highest is touched there") {
  // Exact in binary: 4 m/s up under 8 m/s^2 is 1 high after 1/2 s. Its face, not its ends, is 1/4
  // above.
  Trajectory path{.shot = {}, .start = {0, 0}, .velocity = {1, 4}, .gravity = 8, .radius = 0.25, .aim = {}};
  CHECK(first_contact(path, transformed(box_shape(16, 0.75), {{0, 1.625}, 0}), 10) == Approx(0.5));
  CHECK_FALSE(first_contact(path, transformed(box_shape(16, 0.75), {{0, 1.6251}, 0}), 10));
}

TEST_CASE("[qualitative] trajectory: what is touched at the very end of the time is touched") {
  Trajectory path{.shot = {}, .start = {0, 2}, .velocity = {0, -1}, .gravity = 0, .radius = 0.25, .aim = {}};
  const Shape box = transformed(box_shape(2, 1), {{0, 0.5}, 0}),
              disc = transformed(disc_shape(0.5), {{0, 0.5}, 0});
  for (const Shape& shape : {box, disc}) {
    CHECK(first_contact(path, shape, 0.75) == Approx(0.75));
    CHECK_FALSE(first_contact(path, shape, 0.7499));
  }
  CHECK(first_ground_contact(path, 0, 1.75) == Approx(1.75));
  CHECK_FALSE(first_ground_contact(path, 0, 1.7499));
  CHECK(first_ground_contact(path, 1.75, 1) == Approx(0));
}

TEST_CASE(
    "[qualitative] trajectory: without gravity the angle is that of the line to the point, in all "
    "directions") {
  // All numbers are exact in binary, so that slopes of just 0 and 1 occur, and straight lines up and down.
  Scene scene = empty_scene();
  Profile profile = *scene.profile;
  profile.rest_offset = {0, 0};
  scene.profile = std::make_shared<Profile>(profile);
  BirdType bird = scene.profile->bird("BirdRed");
  bird.parameters.gravity_scale = 0;
  bird.centre = {0.25, -0.5};
  for (Vec2 way : {Vec2{4, 0}, Vec2{4, 4}, Vec2{0, 4}, Vec2{-4, 4}, Vec2{-4, 0}, Vec2{-4, -4}, Vec2{0, -4},
                   Vec2{4, -4}, Vec2{4, 2}, Vec2{2, 4}, Vec2{-2, 4}, Vec2{-2, -4}}) {
    CAPTURE(way.x, way.y);
    const auto found = trajectories_through(scene, bird, scene.rest() + bird.centre + way);
    REQUIRE(found.size() == 1);
    CHECK(found[0].shot.angle == Approx(std::atan2(way.y, way.x)).margin(1e-12));
  }
}

TEST_CASE("[qualitative] trajectory: what touches at the start does so however short the time") {
  Trajectory path{.shot = {}, .start = {0, 2}, .velocity = {1, -1}, .gravity = 0, .radius = 0.25, .aim = {}};
  for (const Shape& shape :
       {transformed(box_shape(1, 1), {{0, 1.25}, 0}), transformed(disc_shape(0.5), {{0, 1.25}, 0})}) {
    CHECK(first_contact(path, shape, 0) == Approx(0));
    path.velocity.x = 0;
    CHECK(first_contact(path, shape, 0) == Approx(0));
  }
}

TEST_CASE(
    "[qualitative] trajectory: a swept disc knows no contact after the end of the time, of face, corner or "
    "disc") {
  // It falls at 1 m/s from 2. The face is met at 1/2 + 1/4, the corner 0.1 aside at 1/2 + sqrt(1/16 - 0.01).
  const Trajectory path{
      .shot = {}, .start = {0, 2}, .velocity = {0, -1}, .gravity = 0, .radius = 0.25, .aim = {}};
  const SweptDisc swept(path);
  const double corner = 1.5 - std::sqrt(0.0625 - 0.01);
  for (const auto& [shape, time] : {std::pair{transformed(box_shape(1, 1), {{0, 0}, 0}), 1.25},
                                    std::pair{transformed(box_shape(1, 1), {{0.6, 0}, 0}), corner},
                                    std::pair{transformed(disc_shape(0.5), {{0, 0}, 0}), 1.25}}) {
    const Obstacle obstacle = make_obstacle(shape);
    CHECK(swept.first_contact(obstacle, 1.3) == Approx(time));
    CHECK(swept.first_contact(obstacle, 1.2) == std::numeric_limits<double>::infinity());
  }
}

TEST_CASE("[qualitative] trajectory: a corner given twice changes no contact") {
  const Shape box = transformed(box_shape(2, 1), {{3, 0}, 0});
  Shape twice = box;
  twice.parts[0].insert(twice.parts[0].begin() + 1, twice.parts[0][1]);
  for (Vec2 start : {Vec2{0, 0.25}, Vec2{0, 0.625}, Vec2{0, 3}, Vec2{3, 0}, Vec2{0, 4}}) {
    Trajectory path{.shot = {}, .start = start, .velocity = {2, 0}, .gravity = 1, .radius = 0.25, .aim = {}};
    CHECK(first_contact(path, twice, 10) == first_contact(path, box, 10));
  }
}

TEST_CASE("[qualitative] trajectory: on the ground is on the ground, whichever way it goes from there") {
  Trajectory path{.shot = {}, .start = {0, 1}, .velocity = {1, 2}, .gravity = 0, .radius = 1, .aim = {}};
  for (double up : {2.0, 0.0, -2.0}) {
    path.velocity.y = up;
    CHECK(first_ground_contact(path, 0, 5) == Approx(0));
  }
  path.start.y = 1.5;
  path.velocity.y = 0;
  CHECK_FALSE(first_ground_contact(path, 0, 5));
}

TEST_CASE("[qualitative] trajectory: a point straight above is reached rising and falling") {
  Scene scene = empty_scene();
  Profile profile = *scene.profile;
  profile.rest_offset = {0, 0};
  scene.profile = std::make_shared<Profile>(profile);
  BirdType bird = scene.profile->bird("BirdRed");
  bird.centre = {0.25, -0.5};
  for (double height : {0.5, 1.0, 4.0, 8.0}) {
    const auto found = trajectories_through(scene, bird, scene.rest() + bird.centre + Vec2{0, height});
    REQUIRE(found.size() == 2);
    for (const Trajectory& path : found) CHECK(path.shot.angle == Approx(std::numbers::pi / 2));
  }
}

TEST_CASE(
    "[qualitative] trajectory: at the point that any shot passes beside the rest position nothing is aimed") {
  // Exact in binary: the bird is there 1/8 s after its release, and has dropped by 8/2 x 1/8 x (1/8 + 1/64).
  Scene scene = empty_scene();
  Profile profile = *scene.profile;
  profile.rest_offset = {0, 0};
  profile.gravity = 8;
  profile.launch_speed = 8;
  profile.max_stretch = 1;
  profile.step = 1.0 / 64;
  scene.profile = std::make_shared<Profile>(profile);
  BirdType bird = scene.profile->bird("BirdRed");
  bird.parameters.gravity_scale = 1;
  bird.centre = {0.25, -0.5};
  const double drop = 4 * (1.0 / 8) * (1.0 / 8 + 1.0 / 64);
  for (const Trajectory& path :
       trajectories_through(scene, bird, scene.rest() + bird.centre - Vec2{0, drop})) {
    CHECK(std::isfinite(path.shot.angle));
    CHECK(path.time > 1.0 / 8);
  }
}
