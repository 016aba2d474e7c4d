#include "reasoning/impulse/knock_on.hpp"

#include <algorithm>
#include <cmath>

#include "reasoning/impulse/shot_progress.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

bool moves(const std::vector<ImpactedObject>& list, std::size_t object) {
  return std::any_of(list.begin(), list.end(), [&](const ImpactedObject& i) { return i.object == object; });
}

bool destroyed(const std::vector<ImpactedObject>& list, std::size_t object) {
  return std::any_of(list.begin(), list.end(), [&](const ImpactedObject& i) {
    return i.object == object && i.cases[movement::hit_and_destroyed];
  });
}

/// A red bird that comes in level at that speed, its disc touching the object's side at the given point.
std::vector<ImpactedObject> struck(const Scene& scene, std::size_t target, Vec2 point, double speed,
                                   bool from_left = true) {
  const BirdType& bird = scene.profile->bird("BirdRed");
  const double side = from_left ? 1 : -1;
  const Trajectory trajectory{.shot = {},
                              .start = {point.x - side * bird.radius, point.y},
                              .velocity = {side * speed, 0},
                              .gravity = scene.profile->flight_gravity(bird),
                              .radius = bird.radius,
                              .aim = point};
  const SupportGraph graph = support_graph(scene);
  return knocked_on(scene, graph, contact_network(scene, graph.geometry), target, bird, trajectory);
}

/// As struck(), from above.
std::vector<ImpactedObject> struck_from_above(const Scene& scene, std::size_t target, Vec2 point,
                                              double speed) {
  const BirdType& bird = scene.profile->bird("BirdRed");
  const Trajectory trajectory{.shot = {},
                              .start = {point.x, point.y + bird.radius},
                              .velocity = {0, -speed},
                              .gravity = scene.profile->flight_gravity(bird),
                              .radius = bird.radius,
                              .aim = point};
  const SupportGraph graph = support_graph(scene);
  return knocked_on(scene, graph, contact_network(scene, graph.geometry), target, bird, trajectory);
}

/// Velocities of all objects just after a blow.
std::vector<BodyVelocity> after_blow(const ContactNetwork& network, Striker& striker, std::size_t struck,
                                     Vec2 point, Vec2 normal) {
  std::vector<BodyVelocity> after(network.bodies.size());
  BlowSpreader blows(network);
  for (const Reached& reached :
       blows.spread(std::vector<char>(network.bodies.size(), 0), striker, struck, point, normal))
    after[reached.object] = reached.motion;
  return after;
}

/// Total momentum of the bodies of a network.
Vec2 momentum(const ContactNetwork& network, const std::vector<BodyVelocity>& motions) {
  Vec2 sum;
  for (std::size_t i = 0; i < motions.size(); ++i)
    if (network.bodies[i].inverse_mass > 0)
      sum = sum + (1 / network.bodies[i].inverse_mass) * motions[i].velocity;
  return sum;
}

}  // namespace

TEST_CASE("[impulse] blow: inertia of a box and of a disc is that of the textbook") {
  // Box 2 x 1 of density 3: m = 6, I = m (2^2 + 1^2)/12 = 2.5. Disc of radius 2, density 1: m = 4 pi, I = m
  // r^2/2.
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 2, 0, 1, 3);
  const auto disc = add(scene, Kind::block, disc_shape(2), {6, 0});
  const Inertia of_box = inertia_of(scene.objects[box], scene.objects[box].world_shape());
  CHECK(1 / of_box.inverse_mass == Approx(6));
  CHECK(1 / of_box.inverse_moment == Approx(2.5));
  const Inertia of_disc = inertia_of(scene.objects[disc], scene.objects[disc].world_shape());
  CHECK(of_disc.inverse_mass / of_disc.inverse_moment == Approx(2));
}

TEST_CASE("[impulse] blow: inertia of pieces away from the centre of mass has their distance squared") {
  // Two equal pieces at -2 and 2: discs of radius 1 have 1/2 + 4 a kg, unit squares 1/6 + 4.
  Shape discs, boxes;
  discs.discs = {{{-2, 0}, 1}, {{2, 0}, 1}};
  for (double x : {-2.0, 2.0})
    boxes.parts.push_back({{x - 0.5, -0.5}, {x + 0.5, -0.5}, {x + 0.5, 0.5}, {x - 0.5, 0.5}});
  discs.area = 6.283185307179586;
  boxes.area = 2;
  Scene scene = empty_scene();
  const auto a = add(scene, Kind::block, discs, {3, 1}), b = add(scene, Kind::block, boxes, {-3, 1}, 0.5);
  const Inertia of_discs = inertia_of(scene.objects[a], scene.objects[a].world_shape()),
                of_boxes = inertia_of(scene.objects[b], scene.objects[b].world_shape());
  CHECK(of_discs.inverse_mass / of_discs.inverse_moment == Approx(4.5));
  CHECK(of_boxes.inverse_mass / of_boxes.inverse_moment == Approx(1.0 / 6 + 4));
  const auto fixed = add_box(scene, 8, 9, 0, 1, 1, Kind::platform);
  CHECK(inertia_of(scene.objects[fixed], scene.objects[fixed].world_shape()).inverse_mass == 0);
}

TEST_CASE("[impulse] blow: inertia of discs and polygons together counts each by its area") {
  // A disc of radius 1 at -2 and a unit square at 2, about the middle between them.
  Shape both;
  both.discs = {{{-2, 0}, 1}};
  both.parts.push_back({{1.5, -0.5}, {2.5, -0.5}, {2.5, 0.5}, {1.5, 0.5}});
  both.area = 3.141592653589793 + 1;
  Scene scene = empty_scene();
  const auto i = add(scene, Kind::block, both, {3, 1}, 0.3, 2);
  const Inertia inertia = inertia_of(scene.objects[i], scene.objects[i].world_shape());
  CHECK(inertia.inverse_mass / inertia.inverse_moment ==
        Approx((3.141592653589793 * (0.5 + 4) + 1.0 / 6 + 4) / (3.141592653589793 + 1)));
  CHECK(1 / inertia.inverse_mass == Approx(2 * both.area));
}

TEST_CASE(
    "[impulse] blow: hit above its middle a box turns, rubbed it is dragged along, at 1 m/s it does not "
    "bounce") {
  Scene scene = empty_scene();
  add_box(scene, 0, 1, 0, 1);  // 1 kg, 1/6 kg m^2
  const ContactNetwork network = contact_network(scene, scene_shapes(scene));
  // 2 kg at 3 m/s, 1/4 above the middle: J = 3/(1/2 + 1 + 6/16) = 1.6.
  Striker high{.inertia = {0.5, 0, {-1, 0.75}}, .motion = {{3, 0}, 0}};
  const BodyVelocity turned = after_blow(network, high, 0, {0, 0.75}, {1, 0})[0];
  CHECK(turned.velocity.x == Approx(1.6));
  CHECK(turned.spin == Approx(-1.6 * 0.25 * 6));
  CHECK(high.motion.velocity.x == Approx(3 - 0.8));
  // At the middle, J = 2, with mu = 0.1 it is rubbed down by 0.2, at an arm of 1/2.
  Striker rubbing{.inertia = {0.5, 0, {-1, 0.5}}, .motion = {{3, -1}, 0}, .friction = 0.1};
  const BodyVelocity dragged = after_blow(network, rubbing, 0, {0, 0.5}, {1, 0})[0];
  CHECK(dragged.velocity.x == Approx(2));
  CHECK(dragged.velocity.y == Approx(-0.2));
  CHECK(dragged.spin == Approx(0.2 * 0.5 * 6));
  CHECK(rubbing.motion.velocity.y == Approx(-1 + 0.1));
  for (double speed : {1.0, 1.001}) {
    Striker slow{.inertia = {0.5, 0, {-1, 0.5}}, .motion = {{speed, 0}, 0}, .restitution = 1};
    const double factor = speed > 1 ? 2 : 1;
    CHECK(after_blow(network, slow, 0, {0, 0.5}, {1, 0})[0].velocity.x == Approx(factor * speed / 1.5));
  }
}

TEST_CASE(
    "[impulse] contact network: a box on the ground touches it at its corners, a disc at its lowest "
    "point") {
  Scene scene = empty_scene();
  scene.objects.reserve(3);
  const auto box = add_box(scene, 1, 3, ground, ground + 1),
             disc = add(scene, Kind::block, disc_shape(0.5), {7, ground + 0.5});
  add_box(scene, 10, 11, ground + 0.1, ground + 1);  // above it
  scene.objects[box].parameters.friction = 0.25;
  const ContactNetwork network = contact_network(scene, scene_shapes(scene));
  REQUIRE(network.touches.size() == 3);
  double left = 100, right = -100;
  for (const NetworkContact& touch : network.touches) {
    CHECK(touch.first == ground_index);
    CHECK(touch.normal.x == Approx(0).margin(1e-12));
    CHECK(touch.normal.y == Approx(1));
    if (touch.second == disc) CHECK(touch.point.x == Approx(7));
    if (touch.second != box) continue;
    CHECK(touch.friction == Approx(std::sqrt(0.25 * scene.profile->default_friction)));
    left = std::min(left, touch.point.x);
    right = std::max(right, touch.point.x);
  }
  CHECK(left == Approx(1));
  CHECK(right == Approx(3));
  CHECK(network.of_body(box).size() == 2);
  CHECK(network.of_body(disc).size() == 1);
}

TEST_CASE("[impulse] contact network: contacts come object by object, those with the ground first") {
  Scene scene = empty_scene();
  for (int k = 0; k < 3; ++k) add_box(scene, k, k + 1, ground, ground + 1);
  add_box(scene, 0, 1, ground + 1, ground + 2);
  const ContactNetwork network = contact_network(scene, scene_shapes(scene));
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const NetworkContact& touch : network.touches)
    if (pairs.empty() || pairs.back() != std::pair(touch.first, touch.second))
      pairs.push_back({touch.first, touch.second});
  using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(pairs ==
        Pairs{{ground_index, 0}, {0, 1}, {0, 3}, {ground_index, 1}, {1, 2}, {1, 3}, {ground_index, 2}});
}

TEST_CASE("[impulse] contact network: what is static has no contact with the ground") {
  Scene scene = empty_scene();
  const auto shelf = add_box(scene, 0, 1, ground, ground + 1, 1, Kind::platform);
  CHECK(contact_network(scene, scene_shapes(scene)).of_body(shelf).empty());
}

TEST_CASE("[impulse] contact network: a post sunk deep into the ground is carried by its surface") {
  Scene scene = empty_scene();
  add_box(scene, 0, 0.2, ground - 0.8, ground + 0.2);
  const ContactNetwork network = contact_network(scene, scene_shapes(scene));
  REQUIRE(network.touches.size() == 2);
  for (const NetworkContact& touch : network.touches) {
    CHECK(touch.normal.x == Approx(0).margin(1e-12));
    CHECK(touch.normal.y == Approx(1));
  }
}

TEST_CASE("[impulse] blow: a central hit in the air follows the dynamics model of impact") {
  // 2 kg at 3 m/s on a resting 1 kg box, no bounce: both go on at 2 m/s. With restitution 1: striker 1 m/s,
  // box 4 m/s.
  Scene scene = empty_scene();
  add_box(scene, 0, 1, 0, 1);
  const ContactNetwork network = contact_network(scene, scene_shapes(scene));
  for (double e : {0.0, 1.0}) {
    Striker striker{.inertia = {0.5, 0, {-1, 0.5}}, .motion = {{3, 0}, 0}, .friction = 0, .restitution = e};
    const std::vector<BodyVelocity> after = after_blow(network, striker, 0, {0, 0.5}, {1, 0});
    CHECK(striker.motion.velocity.x == Approx(e == 0 ? 2 : 1));
    CHECK(after[0].velocity.x == Approx(e == 0 ? 2 : 4));
    CHECK(after[0].spin == Approx(0).margin(1e-12));
  }
}

TEST_CASE("[impulse] blow: what is gone neither takes part nor is moved") {
  // 2 kg at 3 m/s on two boxes of 1 kg in a row: all go on at 1.5 m/s, and without the second at 2 m/s.
  Scene scene = empty_scene();
  const auto near = add_box(scene, 0, 1, 0, 1), next = add_box(scene, 1, 2, 0, 1);
  const ContactNetwork network = contact_network(scene, scene_shapes(scene));
  BlowSpreader blows(network);
  for (char gone : {0, 1, 0}) {  // and nothing is remembered
    Striker striker{.inertia = {0.5, 0, {-1, 0.5}}, .motion = {{3, 0}, 0}};
    const std::vector<Reached>& reached = blows.spread({0, gone}, striker, near, {0, 0.5}, {1, 0});
    REQUIRE(reached.size() == (gone ? 1 : 2));
    CHECK(reached[0].object == near);
    CHECK(reached[0].motion.velocity.x == Approx(gone ? 2 : 1.5).margin(0.05));
    if (!gone) CHECK(reached[1].object == next);
  }
}

TEST_CASE("[impulse] blow: a row struck at either end goes on as one, and the striker with it") {
  // 2 kg at 3 m/s on two boxes of 2 kg, without a bounce: all go on at 1 m/s.
  Scene scene = empty_scene();
  add_box(scene, 0, 1, 0, 1, 2);
  add_box(scene, 1, 2, 0, 1, 2);
  const ContactNetwork network = contact_network(scene, scene_shapes(scene));
  for (double side : {1.0, -1.0}) {
    const double x = side > 0 ? 0 : 2;
    Striker striker{.inertia = {0.5, 0, {x - side, 0.5}}, .motion = {{3 * side, 0}, 0}};
    const std::vector<BodyVelocity> after = after_blow(network, striker, side > 0 ? 0 : 1, {x, 0.5},
                                                       {side, 0});
    CHECK(side * striker.motion.velocity.x == Approx(1).margin(0.05));
    for (const BodyVelocity& body : after) CHECK(side * body.velocity.x == Approx(1).margin(0.05));
  }
}

TEST_CASE("[impulse] blow: momentum is neither made nor lost in the air, energy never made") {
  Random random(7);
  int all_move = 0;
  for (int k = 0; k < 300; ++k) {
    Scene scene = empty_scene();
    const int boxes = random.integer(1, 5);
    for (int b = 0; b < boxes; ++b)
      add_box(scene, b, b + 1, 0, random.uniform(0.5, 2), random.uniform(0.1, 0.5));
    const ContactNetwork network = contact_network(scene, scene_shapes(scene));
    const Vec2 before{random.uniform(3, 9), random.uniform(-5, 5)}, centre{-0.5, 0.3};
    const double mass = random.uniform(0.5, 3), moment = random.uniform(0.5, 2);
    Striker striker{.inertia = {1 / mass, 1 / moment, centre},
                    .motion = {before, 0},
                    .friction = 0.5,
                    .restitution = random.uniform(0, 0.5)};
    const std::vector<BodyVelocity> after = after_blow(network, striker, 0, {0, 0.3}, {1, 0});
    // A body slower than 0.1 m/s counts as at rest: what it carries is at most 0.1 times its mass.
    double at_rest = 0;
    for (std::size_t i = 0; i < after.size(); ++i)
      if (after[i].velocity == Vec2{}) at_rest += 1 / network.bodies[i].inverse_mass;
    const Vec2 now = momentum(network, after) + mass * striker.motion.velocity, was = mass * before;
    REQUIRE(length(now - was) <= 0.1 * at_rest + 1e-9);
    REQUIRE(0.1 * at_rest < 0.5 * length(was));
    if (at_rest > 0) continue;
    ++all_move;
    // About the origin: m (c x v) + I w of each.
    double turning = mass * cross(centre, striker.motion.velocity) + moment * striker.motion.spin;
    double energy = 0.5 * (mass * dot(striker.motion.velocity, striker.motion.velocity) +
                           moment * striker.motion.spin * striker.motion.spin);
    for (std::size_t i = 0; i < after.size(); ++i) {
      const Inertia& body = network.bodies[i];
      turning += cross(body.centre, after[i].velocity) / body.inverse_mass +
                 after[i].spin / body.inverse_moment;
      energy += 0.5 * (dot(after[i].velocity, after[i].velocity) / body.inverse_mass +
                       after[i].spin * after[i].spin / body.inverse_moment);
    }
    REQUIRE(turning == Approx(mass * cross(centre, before)).margin(1e-9));
    REQUIRE(energy <= 0.5 * mass * dot(before, before) * 1.05);
  }
  CHECK(all_move > 50);
}

TEST_CASE("[impulse] knock-on: a light block alone moves, a heavy one does not") {
  // A red bird has 0.54 kg. At 8 m/s its 4.4 N s, 6.2 with the bounce, give 1 kg up to 6 m/s and 400 kg 0.02
  // m/s.
  for (double density : {1.0, 400.0}) {
    Scene scene = empty_scene();
    const auto box = add_box(scene, 0, 1, ground, ground + 1, density);
    CHECK(moves(struck(scene, box, {0, ground + 0.5}, 8), box) == (density == 1.0));
  }
}

TEST_CASE("[impulse] knock-on: a blow has a direction from the least distance on that gives one") {
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, ground, ground + 1);
  const BirdType& bird = scene.profile->bird("BirdRed");
  const SupportGraph graph = support_graph(scene);
  const ContactNetwork network = contact_network(scene, graph.geometry);
  for (double apart : {0.0, 0.5 * coincident, coincident, 2 * coincident}) {
    const Trajectory trajectory{.shot = {},
                                .start = {-apart, ground + 0.5},
                                .velocity = {8, 0},
                                .gravity = scene.profile->flight_gravity(bird),
                                .radius = bird.radius,
                                .aim = {0, ground + 0.5}};
    CHECK(moves(knocked_on(scene, graph, network, box, bird, trajectory), box) == (apart >= coincident));
  }
}

TEST_CASE("[impulse] knock-on: a block braced by a heavy neighbour stays, and moves with nothing behind it") {
  Scene free = empty_scene();
  const auto box = add_box(free, 0, 1, ground, ground + 1);
  Scene braced = free;
  const auto wall = add_box(braced, 1, 6, ground, ground + 1, 100);
  CHECK(moves(struck(free, box, {0, ground + 0.3}, 4), box));
  const auto impacted = struck(braced, box, {0, ground + 0.3}, 4);
  CHECK_FALSE(moves(impacted, box));
  CHECK_FALSE(moves(impacted, wall));
}

TEST_CASE(
    "[impulse] knock-on: a shot from above presses a block down, the same shot from the side moves it") {
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, ground, ground + 1);
  CHECK_FALSE(moves(struck_from_above(scene, box, {0.5, ground + 1}, 8), box));
  CHECK(moves(struck(scene, box, {0, ground + 0.5}, 8), box));
}

TEST_CASE("[impulse] knock-on: a post that topples knocks over the post beside it, and that the next") {
  // Posts 0.2 x 2 at distances of 1: each falls to a quarter disc of radius 2.
  Scene scene = empty_scene();
  std::vector<std::size_t> posts;
  for (int k = 0; k < 4; ++k) posts.push_back(add_box(scene, k, k + 0.2, ground, ground + 2));
  const auto far_off = add_box(scene, 9, 9.2, ground, ground + 2);
  const auto impacted = struck(scene, posts[0], {0, ground + 1.9}, 3);
  for (std::size_t post : posts) CHECK(moves(impacted, post));
  CHECK_FALSE(moves(impacted, far_off));
}

TEST_CASE("[impulse] knock-on: a row of posts struck hard and low goes over to its end, as in simulation") {
  // The bird breaks the first post and strikes the second below its middle: that one is pushed along, trips
  // and falls on the third.
  for (double gap : {1.0, 1.5}) {
    Scene scene = empty_scene();
    scene.birds = {"BirdYellow"};
    for (int k = 0; k < 5; ++k)
      stand(scene, Kind::block, "RectBig", Material::wood, 1 + k * gap, ground, radians(90));
    scene = settle(scene);
    const BirdType& bird = scene.profile->bird("BirdYellow");
    const SupportGraph graph = support_graph(scene);
    const std::vector<Target> targets = find_targets(scene, graph.geometry, bird);
    REQUIRE(targets.front().object == 0);
    const Trajectory& shot = targets.front().trajectories.front();
    REQUIRE_FALSE(shot.upper);
    const auto impacted = knocked_on(scene, graph, contact_network(scene, graph.geometry), 0, bird, shot);
    const Scene after = run_shot(scene, shot.shot).scene;
    for (std::size_t post = 0; post < 5; ++post) {
      const SceneObject &was = scene.objects[post], &is = after.objects[post];
      REQUIRE((!is.alive || std::abs(is.pose.angle - was.pose.angle) > 0.7));
      CHECK(moves(impacted, post));
    }
  }
}

TEST_CASE(
    "[impulse] knock-on: the bird goes on through a block that it destroys, and not through one that "
    "holds") {
  // Thin ice of 0.04 kg: the bird of 0.54 kg loses about a tenth of its speed. The post is 2 behind it.
  for (double life : {1.0, 1e6}) {
    Scene scene = empty_scene();
    const auto ice = add_box(scene, 0, 0.1, ground, ground + 1, life == 1.0 ? 0.4 : 400);
    const auto post = add_box(scene, 2, 2.2, ground, ground + 2);
    scene.objects[ice].life = life;
    const auto impacted = struck(scene, ice, {0, ground + 0.8}, 9);
    CHECK(destroyed(impacted, ice) == (life == 1.0));
    CHECK(moves(impacted, post) == (life == 1.0));
  }
}

TEST_CASE("[impulse] knock-on: what stood on a destroyed block falls") {
  Scene scene = empty_scene();
  const auto base = add_box(scene, 0, 1, ground, ground + 1, 4);
  const auto top = add_box(scene, 0, 1, ground + 1, ground + 2, 4);
  scene.objects[base].life = 1;
  const auto impacted = struck(scene, base, {0, ground + 0.1}, 9);
  CHECK(destroyed(impacted, base));
  REQUIRE(moves(impacted, top));
  for (const ImpactedObject& i : impacted)
    if (i.object == top) CHECK(i.drop == Approx(1));
}

TEST_CASE(
    "[impulse] knock-on: destroyed TNT moves and hurts what stands within its radius, and nothing beyond") {
  // Profile startle: radius 2.5, power 4 N s, damage 100, both fading with the distance of the centres.
  Scene scene = empty_scene();
  const auto tnt = stand(scene, Kind::tnt, "TNT", Material::none, 0, ground);
  const auto near = add_box(scene, -1.5, -1, ground, ground + 0.5);
  add_box(scene, -0.5, 0.5, 0, 0.3, 1, Kind::platform);
  const auto far_off = add_box(scene, -0.2, 0.2, 0.3, 0.7);  // 3.5 above; what the explosion throws flies
                                                             // past
  const auto frail = add_box(scene, 1, 1.5, ground, ground + 0.5);
  scene.objects[frail].life = 10;
  const double side = scene.objects[tnt].world_bounds().xmin;
  const auto impacted = struck(scene, tnt, {side, ground + 0.3}, 8);
  CHECK(destroyed(impacted, tnt));
  CHECK(moves(impacted, near));
  CHECK(destroyed(impacted, frail));
  CHECK_FALSE(moves(impacted, far_off));
}

TEST_CASE("[impulse] knock-on: an explosion at the very centre of a disc hurts it, wherever it is") {
  // The disc lies far from the world's origin, with the TNT in its middle: it takes nearly all of the damage
  // of 100.
  Scene scene = empty_scene();
  const auto tnt = stand(scene, Kind::tnt, "TNT", Material::none, 12, ground);
  scene.objects[tnt].life = 0.1;
  const Vec2 middle = scene.objects[tnt].world_shape().centroid;
  const auto disc = add(scene, Kind::block, disc_shape(0.1), middle);
  scene.objects[disc].life = 90;
  const auto impacted = struck(scene, tnt, {scene.objects[tnt].world_bounds().xmin, middle.y}, 8);
  CHECK(destroyed(impacted, tnt));
  CHECK(destroyed(impacted, disc));
}

TEST_CASE("[impulse] knock-on: what a shot moves is the mirror image in the mirrored scene") {
  Random random(11);
  int compared = 0, differing = 0;
  for (int k = 0; k < 40; ++k) {
    const Scene scene = random_scene(random), other = mirrored(scene);
    const BirdType& bird = scene.profile->bird("BirdRed");
    const SupportGraph graph = support_graph(scene), graph_other = support_graph(other);
    const ContactNetwork network = contact_network(scene, graph.geometry),
                         network_other = contact_network(other, graph_other.geometry);
    for (const Target& target : find_targets(scene, graph.geometry, bird)) {
      for (const Trajectory& trajectory : target.trajectories) {
        Trajectory mirror = trajectory;
        mirror.start.x = -mirror.start.x;
        mirror.velocity.x = -mirror.velocity.x;
        const auto a = knocked_on(scene, graph, network, target.object, bird, trajectory);
        const auto b = knocked_on(other, graph_other, network_other, target.object, bird, mirror);
        for (std::size_t i = 0; i < scene.objects.size(); ++i) {
          if (scene.objects[i].is_static()) continue;
          ++compared;
          differing += moves(a, i) != moves(b, i);
        }
      }
    }
  }
  // Impulses are found contact by contact, and the order of an object's contacts is not mirrored.
  REQUIRE(compared > 1000);
  CHECK(differing < 0.05 * compared);
}

TEST_CASE("[impulse] knock-on: a shot is predicted alike alone and after others") {
  Random random(13);
  int compared = 0;
  for (int k = 0; k < 20; ++k) {
    const Scene scene = random_scene(random);
    const SupportGraph graph = support_graph(scene);
    const ContactNetwork network = contact_network(scene, graph.geometry);
    const BirdType& bird = scene.profile->bird("BirdRed");
    KnockOn shots(scene, graph, network);
    for (const Target& target : find_targets(scene, graph.geometry, bird)) {
      for (const Trajectory& trajectory : target.trajectories) {
        const auto alone = knocked_on(scene, graph, network, target.object, bird, trajectory);
        const auto& again = shots.follow(target.object, bird, trajectory);
        REQUIRE(std::equal(alone.begin(), alone.end(), again.begin(), again.end(),
                           [](const ImpactedObject& i, const ImpactedObject& j) {
                             return i.object == j.object && i.cases == j.cases && i.speed == j.speed &&
                                    i.drop == j.drop && i.falls == j.falls;
                           }));
        ++compared;
      }
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("[impulse] knock-on: the chance to move grows with the blow, and is r/(r + k)") {
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, ground, ground + 1),
             far_off = add_box(scene, 30, 31, ground, ground + 1);
  const BirdType& bird = scene.profile->bird("BirdRed");
  const SupportGraph graph = support_graph(scene);
  const ContactNetwork network = contact_network(scene, graph.geometry);
  KnockOn shots(scene, graph, network);
  const ChanceConstants c;
  double before = 0;
  for (double speed : {0.5, 2.0, 8.0}) {
    const Trajectory trajectory{.shot = {},
                                .start = {-bird.radius, ground + 0.5},
                                .velocity = {speed, 0},
                                .gravity = scene.profile->flight_gravity(bird),
                                .radius = bird.radius,
                                .aim = {0, ground + 0.5}};
    shots.follow(box, bird, trajectory);
    CHECK(shots.prediction(box).moves > before);
    before = shots.prediction(box).moves;
    // No blow reaches it: r = 0.003^(1/4).
    CHECK(shots.prediction(far_off).moves ==
          Approx(std::pow(c.unseen, 0.25) / (std::pow(c.unseen, 0.25) + c.stays)));
    CHECK_FALSE(shots.prediction(far_off).destroyed);
    CHECK(shots.prediction(far_off).hits == 0);
  }
  CHECK(before > 0.5);
  CHECK(before < 1);
}

TEST_CASE("[impulse] knock-on: the chance to move follows from the energy of the blow") {
  // A box of 1 kg in the air, struck level in its middle, gets (1 + e) m/(m + 1) of the bird's speed. It
  // leaves its place. With its energy in units of g times the least lift: r = (energy + unseen)^(1/4).
  Scene scene = empty_scene();
  const auto box = add_box(scene, 0, 1, 0, 1);
  const BirdType& bird = scene.profile->bird("BirdRed");
  const SupportGraph graph = support_graph(scene);
  const ContactNetwork network = contact_network(scene, graph.geometry);
  KnockOn shots(scene, graph, network);
  for (double speed : {2.0, 8.0}) {
    shots.follow(box, bird,
                 {.shot = {},
                  .start = {-bird.radius, 0.5},
                  .velocity = {speed, 0},
                  .gravity = scene.profile->flight_gravity(bird),
                  .radius = bird.radius,
                  .aim = {0, 0.5}});
    const double v = (1 + bird.parameters.restitution) * bird.mass() / (bird.mass() + 1) * speed;
    const double energy = 0.5 * v * v / (scene.profile->gravity * KnockOnConstants{}.least_lift);
    const ChanceConstants c;
    const double r = std::pow(energy + c.unseen, 0.25);
    const MotionPrediction prediction = shots.prediction(box);
    REQUIRE(prediction.predicted_motion == (speed == 8 ? PredictedMotion::leaves : PredictedMotion::stays));
    CHECK(prediction.moves == Approx(r / (r + (speed == 8 ? c.leaves : c.stays))));
  }
}

TEST_CASE("[impulse] contact network: one made from that of other parameters is the one made anew") {
  Random random(17);
  for (int k = 0; k < 20; ++k) {
    const Scene scene = random_scene(random);
    Scene other = scene;
    for (SceneObject& object : other.objects) {
      object.parameters.density *= random.uniform(0.5, 2);
      object.parameters.friction *= random.uniform(0.5, 2);
    }
    const SceneShapes geometry = scene_shapes(scene);
    const ContactNetwork anew = contact_network(other, geometry),
                         made = contact_network(other, geometry, contact_network(scene, geometry));
    REQUIRE(anew.touches.size() == made.touches.size());
    for (std::size_t t = 0; t < anew.touches.size(); ++t)
      REQUIRE(anew.touches[t].friction == made.touches[t].friction);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      REQUIRE(anew.bodies[i].inverse_mass == made.bodies[i].inverse_mass);
      REQUIRE(anew.bodies[i].inverse_moment == made.bodies[i].inverse_moment);
    }
  }
}

TEST_CASE("[impulse] knock-on: what is destroyed counts as falling, and what it carried as well") {
  Scene scene = empty_scene();
  const auto base = add_box(scene, 0, 1, ground, ground + 1, 4),
             top = add_box(scene, 0, 1, ground + 1, ground + 2, 4);
  scene.objects[base].life = 1;
  const BirdType& bird = scene.profile->bird("BirdRed");
  const SupportGraph graph = support_graph(scene);
  const ContactNetwork network = contact_network(scene, graph.geometry);
  KnockOn shots(scene, graph, network);
  shots.follow(base, bird,
               {.shot = {},
                .start = {-bird.radius, ground + 0.1},
                .velocity = {9, 0},
                .gravity = scene.profile->flight_gravity(bird),
                .radius = bird.radius,
                .aim = {0, ground + 0.1}});
  CHECK(shots.prediction(base).destroyed);
  CHECK(shots.prediction(base).predicted_motion == PredictedMotion::falls);
  CHECK_FALSE(shots.prediction(top).destroyed);
  CHECK(shots.prediction(top).predicted_motion == PredictedMotion::falls);
}
