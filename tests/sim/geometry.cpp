#include "sim/geometry.hpp"

#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "sim/shape.hpp"
#include "sim/world_change.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[sim] geometry: distance and depth of discs and boxes away from the origin") {
  // Centres (10, 20) and (13, 24) are 5 apart.
  const auto disc = [](double radius, Vec2 at) { return transformed(disc_shape(radius), {at, 0}); };
  CHECK(distance(disc(1, {10, 20}), disc(2, {13, 24})) == Approx(2));
  CHECK(overlap_depth(disc(1, {10, 20}), disc(2, {13, 24})) == 0);
  CHECK(distance(disc(3, {10, 20}), disc(2.5, {13, 24})) == 0);
  CHECK(overlap_depth(disc(3, {10, 20}), disc(2.5, {13, 24})) == Approx(0.5));
  const Shape box = transformed(box_shape(2, 4), {{10, 20}, 0});  // [9, 11] x [18, 22]
  CHECK(distance(box, disc(1, {13, 19})) == Approx(1));
  CHECK(distance(disc(1, {13, 19}), box) == Approx(1));
  CHECK(distance(box, disc(1, {14, 26})) == Approx(4));
  CHECK(overlap_depth(box, disc(1, {11.75, 19})) == Approx(0.25));
  CHECK(overlap_depth(disc(1, {11.75, 19}), box) == Approx(0.25));
  const Shape other = transformed(box_shape(2, 2), {{11.5, 22.75}, 0});  // [10.5, 12.5] x [21.75, 23.75]
  CHECK(overlap_depth(box, other) == Approx(0.25));
  CHECK(distance(box, other) == 0);
  CHECK(distance(box, transformed(box_shape(2, 2), {{15, 26}, 0})) == Approx(std::hypot(3, 3)));
}

TEST_CASE(
    "[sim] geometry: distance and depth do not change when both are moved and turned together, or "
    "exchanged") {
  Random random(31);
  for (int k = 0; k < 500; ++k) {
    const auto shape = [&] {
      return random.chance(0.5) ? box_shape(random.uniform(0.2, 2), random.uniform(0.2, 2))
                                : disc_shape(random.uniform(0.1, 1));
    };
    const auto pose = [&] {
      return Pose{{random.uniform(-1.5, 1.5), random.uniform(-1.5, 1.5)}, random.uniform(-3, 3)};
    };
    const Shape a = transformed(shape(), pose()), b = transformed(shape(), pose());
    const Pose way{{random.uniform(-50, 50), random.uniform(-50, 50)}, random.uniform(-3, 3)};
    const Shape c = transformed(a, way), d = transformed(b, way);
    REQUIRE(distance(c, d) == Approx(distance(a, b)).margin(1e-5));
    REQUIRE(overlap_depth(c, d) == Approx(overlap_depth(a, b)).margin(1e-5));
    REQUIRE(distance(b, a) == Approx(distance(a, b)).margin(1e-9));
    REQUIRE(overlap_depth(b, a) == Approx(overlap_depth(a, b)).margin(1e-9));
    REQUIRE((distance(a, b) == 0 || overlap_depth(a, b) == 0));
    REQUIRE((distance(a, b) > 1e-9 || overlap_depth(a, b) >= 0));
  }
}

TEST_CASE("[sim] geometry: a box about discs and polygons reaches to the outermost points of both") {
  const auto check = [](const Bounds& box, const Bounds& expected) {
    CHECK(box.xmin == Approx(expected.xmin));
    CHECK(box.xmax == Approx(expected.xmax));
    CHECK(box.ymin == Approx(expected.ymin));
    CHECK(box.ymax == Approx(expected.ymax));
  };
  Shape shape;
  shape.discs = {{{3, -2}, 0.5}};
  check(bounds(shape), {2.5, 3.5, -2.5, -1.5});
  shape.discs.push_back({{-3, 2}, 1});
  check(bounds(shape), {-4, 3.5, -2.5, 3});
  shape.parts = {{{0, -7}, {1, 9}, {-6, 0}}};
  check(bounds(shape), {-6, 3.5, -7, 9});
}

TEST_CASE("[sim] geometry: an empty box, and a box about points") {
  CHECK(Bounds{}.width() == 0);
  CHECK(Bounds{}.height() == 0);
  CHECK(Bounds{}.centre() == Vec2{});
  const Bounds b = bounds(Polygon{{1, 5}, {-2, 3}, {4, 4}});
  CHECK(b.xmin == -2);
  CHECK(b.xmax == 4);
  CHECK(b.ymin == 3);
  CHECK(b.ymax == 5);
}

TEST_CASE("[sim] shapes: the drawn outline of a disc lies on its border, and scaling multiplies areas") {
  const Shape disc = disc_shape(0.5, {3, -2});
  REQUIRE(disc.outlines.size() == 1);
  for (Vec2 p : disc.outlines[0]) CHECK(length(p - Vec2{3, -2}) == Approx(0.5).epsilon(1e-6));
  CHECK(disc.outlines[0].front().x == Approx(3.5));  // from the right, counter-clockwise
  CHECK(disc.outlines[0][8].y == Approx(-1.5));
  CHECK(signed_area(disc.outlines[0]) == Approx(16 * 0.25 * std::sin(std::numbers::pi / 16)));
  const Shape wide = scaled(box_shape(2, 3), 4, 0.5);
  CHECK(wide.area == Approx(12));
  CHECK(bounds(wide).width() == Approx(8));
  CHECK(bounds(wide).height() == Approx(1.5));
  CHECK(scaled(disc, 3, 3).area == Approx(9 * disc.area));
  CHECK(scaled(disc, 3, 3).centroid == Vec2{9, -6});
  CHECK(scaled(disc, 3, 3).discs[0].radius == Approx(1.5));
}

TEST_CASE("[sim] shapes: outlines with several holes are cut into parts that cover all but the holes") {
  Random random(37);
  for (int run = 0; run < 100; ++run) {
    // Four cells of a square of 4 x 4, away from the origin, each with a hole or none.
    const Vec2 corner{random.uniform(-20, 20), random.uniform(-20, 20)};
    std::vector<Polygon> holes;
    double area = 16;
    for (double x : {0.0, 2.0}) {
      for (double y : {0.0, 2.0}) {
        if (random.chance(0.3)) continue;
        const int sides = random.integer(3, 7);
        const double first = random.uniform(0, 6);
        Polygon hole;
        for (int k = 0; k < sides; ++k)
          hole.push_back(corner + Vec2{x + 1, y + 1} +
                         random.uniform(0.3, 0.8) * direction(first + 2 * std::numbers::pi * k / sides));
        area -= std::abs(signed_area(hole));
        holes.push_back(hole);
      }
    }
    const Shape shape = polygon_shape({corner, corner + Vec2{4, 0}, corner + Vec2{4, 4}, corner + Vec2{0, 4}},
                                      holes, 0);
    REQUIRE(shape.area == Approx(area));
    double covered = 0;
    for (const Polygon& part : shape.parts) {
      REQUIRE(part.size() <= 8);
      covered += signed_area(part);
    }
    REQUIRE(covered == Approx(area).epsilon(1e-9));
    // No part reaches into a hole: its middle is at least as far from every part as from the hole's border.
    for (const Polygon& hole : holes) {
      Vec2 middle;
      for (Vec2 p : hole) middle = middle + (1.0 / static_cast<double>(hole.size())) * p;
      double border = 100;
      for (std::size_t i = 0, j = hole.size() - 1; i < hole.size(); j = i++)
        border = std::min(border, length(middle - nearest_point(middle, hole[j], hole[i])));
      if (hole.size() == 3)
        for (const Polygon& part : shape.parts) REQUIRE(distance(part, middle) >= border - 1e-9);
    }
  }
}

TEST_CASE("[sim] random: shuffling reaches every order about equally often") {
  Random random(41);
  std::vector<int> counts(27, 0);
  for (int k = 0; k < 6000; ++k) {
    std::vector<int> items{0, 1, 2};
    random.shuffle(items);
    ++counts[static_cast<std::size_t>(9 * items[0] + 3 * items[1] + items[2])];
  }
  // Six orders of 1000 each, standard deviation 29: 5 sigma.
  int orders = 0;
  for (int count : counts) {
    if (count == 0) continue;
    ++orders;
    CHECK(std::abs(count - 1000) < 145);
  }
  CHECK(orders == 6);
}

TEST_CASE(
    "[sim] world change: a region is the whole world only where no side is given, and holds its own border") {
  CHECK(Region{}.whole());
  CHECK(Region{}.holds({1e9, -1e9}));
  CHECK_FALSE(Region{.left = 0}.whole());
  CHECK_FALSE(Region{.right = 0}.whole());
  CHECK_FALSE(Region{.bottom = 0}.whole());
  CHECK_FALSE(Region{.top = 0}.whole());
  const Region r{1, 3, 2, 5};
  for (Vec2 p : {Vec2{1, 2}, Vec2{3, 5}, Vec2{2, 3}}) CHECK(r.holds(p));
  for (Vec2 p : {Vec2{0.9, 3}, Vec2{3.1, 3}, Vec2{2, 1.9}, Vec2{2, 5.1}}) CHECK_FALSE(r.holds(p));
  CHECK_FALSE(WorldChange{}.any());
  CHECK(WorldChange{.ground_friction = 0.5}.any());
  CHECK_FALSE(WorldChange{.ground_friction = 0.5}.moves_all());
  for (const WorldChange& change :
       {WorldChange{.gravity = 0.5}, WorldChange{.tilt = 0.1}, WorldChange{.air_drag = 0.1}}) {
    CHECK(change.any());
    CHECK(change.moves_all());
  }
}

TEST_CASE("[sim] geometry: a corner given twice changes neither distance nor depth") {
  const Shape box = box_shape(1, 1);
  Shape twice = box;
  twice.parts[0].insert(twice.parts[0].begin() + 1, twice.parts[0][1]);
  for (double x : {0.3, 0.9, 1.5}) {
    const Shape other = transformed(box_shape(1, 2), {{x, 0.2}, 0.1});
    CHECK(distance(twice, other) == distance(box, other));
    CHECK(overlap_depth(twice, other) == overlap_depth(box, other));
    CHECK(overlap_depth(other, twice) == overlap_depth(other, box));
  }
}

TEST_CASE("[sim] geometry: the centre of a box lies half way between its sides") {
  const Bounds box{.xmin = 1, .xmax = 4, .ymin = -2, .ymax = 8};
  CHECK(box.centre() == Vec2{2.5, 3});
  CHECK(box.width() == 3);
  CHECK(box.height() == 10);
}
