#include "reasoning/impulse/bracing.hpp"

#include <algorithm>
#include <cmath>

#include "sim/shape.hpp"
#include "sim/world.hpp"
#include "tests/catch.hpp"
#include "tests/reasoning/scenes.hpp"

using namespace startle;

namespace {

std::vector<Fall> published(const Scene& scene, std::size_t object) {
  return vertical_impact(scene, support_graph(scene), object);
}

std::vector<Fall> unbraced(const Scene& scene, std::size_t object) {
  const SupportGraph graph = support_graph(scene);
  return unbraced_falls(scene, graph, contact_network(scene, graph.geometry), {object});
}

bool lists(const std::vector<Fall>& list, std::size_t object) {
  return std::any_of(list.begin(), list.end(), [&](const Fall& f) { return f.object == object; });
}

}  // namespace

TEST_CASE(
    "[impulse] bracing: a wedge in a tapering gap stays without its prop, a box in a straight gap falls") {
  // Walls that lean by 10 degrees to the upright: their contacts are no supports. At the bottom the gap is 1,
  // at height 2 it is 1.7.
  for (bool tapering : {true, false}) {
    const double top = tapering ? 0.85 : 0.5;
    Scene scene = empty_scene();
    const auto prop = add_box(scene, -0.1, 0.1, ground, 0);
    add(scene, Kind::platform, polygon_shape({{-2, 0}, {-0.5, 0}, {-top, 2}, {-2, 2}}), {});
    add(scene, Kind::platform, polygon_shape({{0.5, 0}, {2, 0}, {2, 2}, {top, 2}}), {});
    const auto wedge = add(scene, Kind::block, polygon_shape({{-0.5, 0}, {0.5, 0}, {top, 2}, {-top, 2}}), {});
    for (SceneObject& object : scene.objects) object.parameters.friction = 0;
    CHECK(published(scene, prop) == std::vector<Fall>{Fall{wedge, FallDirection::down}});
    CHECK(lists(unbraced(scene, prop), wedge) == !tapering);
  }
}

TEST_CASE(
    "[impulse] bracing: a plank that would tip against a wall is held by friction, and by nothing else") {
  // Width 2, height 0.5, mass centre at 1; support up to 0.9, wall at 2. Weight W: about the edge of the
  // support the moment is 0.1 W. The wall presses with N and rubs upwards with at most mu N, 1.1 away; N
  // itself, at most at the plank's top, turns it by 0.5 N the other way, and the support's friction must bear
  // N. With mu = 1: N = 0.1 W/(1.1 + 0.25), both are met. With mu = 0 N is 0, and the plank tips.
  for (double mu : {0.0, 1.0}) {
    Scene scene = empty_scene();
    const auto prop = add_box(scene, 1.5, 1.7, ground, 0);
    add_box(scene, -1, 0.9, ground, 0, 1, Kind::platform);
    add_box(scene, 2, 3, -1, 2, 1, Kind::platform);
    const auto plank = add_box(scene, 0, 2, 0, 0.5);
    for (SceneObject& object : scene.objects) object.parameters.friction = mu;
    CHECK(published(scene, prop) == std::vector<Fall>{Fall{plank, FallDirection::right}});
    CHECK(lists(unbraced(scene, prop), plank) == (mu == 0));
  }
}

TEST_CASE("[impulse] bracing: only what vertical impact lists can fall, and what touches nothing does") {
  Random random(31);
  int listed = 0, held = 0;
  for (int k = 0; k < 60; ++k) {
    const Scene scene = random_scene(random);
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      if (scene.objects[i].is_static()) continue;
      const auto all = published(scene, i), some = unbraced(scene, i);
      REQUIRE(std::includes(all.begin(), all.end(), some.begin(), some.end(),
                            [](const Fall& a, const Fall& b) { return a.object < b.object; }));
      for (const Fall& fall : some) REQUIRE(std::find(all.begin(), all.end(), fall) != all.end());
      listed += static_cast<int>(all.size());
      held += static_cast<int>(all.size() - some.size());
      // With all else gone too there is nothing left that could hold it.
      for (const Fall& fall : all) {
        std::vector<std::size_t> others;
        for (std::size_t j = 0; j < scene.objects.size(); ++j)
          if (j != fall.object) others.push_back(j);
        const SupportGraph graph = support_graph(scene);
        if (graph.supporters[fall.object].size() == 1 &&
            scene.objects[fall.object].world_bounds().ymin > ground + contact_tolerance)
          REQUIRE(lists(unbraced_falls(scene, graph, contact_network(scene, graph.geometry), others),
                        fall.object));
      }
    }
  }
  CHECK(listed > 300);
  CHECK(held > 5);
  CHECK(held < listed / 2);
}

TEST_CASE("[impulse] bracing: bricks in bond, taken away one by one, fall as they do in simulation") {
  int pairs = 0, right = 0, right_published = 0;
  for (const char* type : {"RectFat", "SquareSmall"}) {
    Scene scene = empty_scene();
    const Bounds brick = bounds(*scene.profile->find(Kind::block, type, Material::wood)->shape);
    const double step = brick.width() + 0.03;
    for (int row = 0; row < 4; ++row)
      for (int k = 0; k < 5 - row; ++k)
        stand(scene, Kind::block, type, Material::wood, (k + 0.5 * row) * step,
              ground + row * brick.height());
    scene = settle(scene);
    for (std::size_t taken = 0; taken < scene.objects.size(); ++taken) {
      Scene without = scene;
      without.objects[taken].alive = false;
      for (SceneObject& object : without.objects) object.life = 1e9;
      const Scene after = settle(without);
      const auto held = unbraced(scene, taken), all = published(scene, taken);
      for (std::size_t i = 0; i < scene.objects.size(); ++i) {
        if (i == taken) continue;
        const Pose &was = scene.objects[i].pose, &is = after.objects[i].pose;
        const bool fell = was.position.y - is.position.y > 0.05 || std::abs(is.angle - was.angle) > 0.2;
        ++pairs;
        right += lists(held, i) == fell;
        right_published += lists(all, i) == fell;
      }
    }
  }
  CHECK(pairs > 300);
  CHECK(right > 0.97 * pairs);
  CHECK(right > right_published);
}

TEST_CASE("[impulse] bracing: what holds is weight, not mass") {
  // A plank on a pillar, a prop under either end, a weight over each prop. The left one has an eighth of the
  // right one's mass, and one or sixteen times its gravity. Without the right prop the plank tips only in the
  // first case.
  for (double gravity_scale : {1.0, 16.0}) {
    Scene scene = empty_scene();
    add_box(scene, 1.95, 2.05, ground, 0, 1, Kind::platform);
    add_box(scene, 0, 0.2, ground, 0, 1, Kind::platform);
    const auto prop = add_box(scene, 3.8, 4, ground, 0);
    const auto plank = add_box(scene, 0, 4, 0, 0.2);
    const auto light = add_box(scene, 0, 0.4, 0.2, 0.6, 0.5);
    add_box(scene, 3.6, 4, 0.2, 0.6, 4);
    scene.objects[light].parameters.gravity_scale = gravity_scale;
    CHECK(lists(published(scene, prop), plank));
    CHECK(lists(unbraced(scene, prop), plank) == (gravity_scale == 1));
    for (SceneObject& object : scene.objects) object.parameters.friction = 0;
    CHECK(lists(unbraced(scene, prop), plank) == (gravity_scale == 1));
  }
}

TEST_CASE("[impulse] bracing: a plank that would tip is held by a heavy post, and pushes over a light one") {
  // The plank of the wall's test with 50 times the density: W = 50 g presses the post with 0.1 W/1.35 = 3.7 g
  // at a height of 3.5 or more. A post of width 0.2 and mass m tips where 13 g exceeds 0.1 m g and the
  // friction's share, at most 0.2 times 3.7 g: at 1.1 kg it tips, at 1100 kg it stands.
  for (double density : {1.0, 1000.0}) {
    Scene scene = empty_scene();
    const auto prop = add_box(scene, 1.5, 1.7, ground, 0);
    add_box(scene, -1, 0.9, ground, 0, 1, Kind::platform);
    add_box(scene, 2, 2.2, ground, 2, density);
    const auto plank = add_box(scene, 0, 2, 0, 0.5, 50);
    for (SceneObject& object : scene.objects) object.parameters.friction = 1;
    CHECK(published(scene, prop) == std::vector<Fall>{Fall{plank, FallDirection::right}});
    CHECK(lists(unbraced(scene, prop), plank) == (density == 1));
  }
}

TEST_CASE(
    "[impulse] bracing: one pass over its contacts nearly holds a disc in a groove, none lets it fall") {
  // Walls whose normals lean by 50 degrees from the vertical are no supports. With s and c its sine and
  // cosine, the first contact leaves g (s c, -s^2) of the fall, the second
  // (s c - 2 s^3 c, -s^2 + 2 s^2 c^2): 0.13 g.
  for (int passes : {0, 1}) {
    Scene scene = empty_scene();
    const auto prop = add_box(scene, -0.05, 0.05, ground, -0.5);
    const auto disc = add(scene, Kind::block, disc_shape(0.5), {0, 0});
    for (double side : {1.0, -1.0}) {
      const Vec2 normal{side * std::sin(radians(50)), std::cos(radians(50))}, along{-normal.y, normal.x};
      const Vec2 foot = -0.5 * normal, high = foot + side * along, low = foot - side * 0.3 * along;
      add(scene, Kind::platform, polygon_shape({high, high - normal, low - normal, low}), {});
    }
    for (SceneObject& object : scene.objects) object.parameters.friction = 0;
    REQUIRE(lists(published(scene, prop), disc));
    const SupportGraph graph = support_graph(scene);
    const auto left = unbraced_falls(scene, graph, contact_network(scene, graph.geometry), {prop},
                                     {.least_acceleration = 0.5, .passes = passes});
    CHECK(lists(left, disc) == (passes == 0));
  }
}
