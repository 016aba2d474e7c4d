#include "sim/shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/random.hpp"
#include "sim/profile.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

double parts_area(const Shape& shape) {
  double area = 0;
  for (const Polygon& part : shape.parts) area += signed_area(part);
  for (const Disc& disc : shape.discs) area += std::numbers::pi * disc.radius * disc.radius;
  return area;
}

/// Star-shaped polygon about the origin: simple by construction, usually concave.
Polygon random_star(Random& random, int vertices) {
  Polygon star;
  for (int i = 0; i < vertices; ++i)
    star.push_back(random.uniform(0.3, 1.0) * direction(2 * std::numbers::pi * i / vertices));
  return star;
}

bool is_convex(const Polygon& p) {
  for (std::size_t i = 0; i < p.size(); ++i)
    if (cross(p[(i + 1) % p.size()] - p[i], p[(i + 2) % p.size()] - p[(i + 1) % p.size()]) < -1e-12)
      return false;
  return true;
}

void check_parts(const Shape& shape) {
  for (std::size_t i = 0; i < shape.parts.size(); ++i) {
    const Polygon& part = shape.parts[i];
    REQUIRE(part.size() >= 3);
    REQUIRE(part.size() <= 8);
    REQUIRE(is_convex(part));
    REQUIRE(signed_area(part) > 0);
  }
}

}  // namespace

TEST_CASE("[sim] shapes: a random outline is cut into convex parts that cover it exactly once") {
  Random random(7);
  for (int run = 0; run < 300; ++run) {
    const Polygon outline = random_star(random, random.integer(3, 24));
    const Shape shape = polygon_shape(outline, {}, 0);
    check_parts(shape);
    REQUIRE(shape.area == Approx(signed_area(outline)));
    // Parts inside the outline whose areas add up to it can neither overlap nor leave a gap.
    REQUIRE(parts_area(shape) == Approx(shape.area).epsilon(1e-9));
  }
}

TEST_CASE("[sim] shapes: a hole stays empty") {
  // Square of side 2 with a square hole of side 1: area 4 - 1, centroid at the centre.
  const Polygon outer{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const Polygon hole{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const Shape shape = polygon_shape(outer, {hole});
  check_parts(shape);
  CHECK(shape.area == Approx(3));
  CHECK(parts_area(shape) == Approx(3));
  CHECK(shape.centroid.x == Approx(0).margin(1e-12));
  for (const Polygon& part : shape.parts) CHECK(distance(part, Vec2{0, 0}) >= 0.5 - 1e-12);
}

TEST_CASE("[sim] shapes: an outline with a hole off centre has the centroid of the remainder") {
  // Square 2 x 2 (area 4, centroid 0) less a unit square about (0.4, 0): x = (0 - 1 * 0.4) / 3.
  const Polygon outer{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const Polygon hole{{-0.1, -0.5}, {0.9, -0.5}, {0.9, 0.5}, {-0.1, 0.5}};
  CHECK(polygon_shape(outer, {hole}).centroid.x == Approx(-0.4 / 3));
}

TEST_CASE("[sim] shapes: clockwise outlines are accepted, crossing ones and too short ones are refused") {
  CHECK(polygon_shape({{0, 0}, {0, 1}, {1, 1}, {1, 0}}).area == Approx(1));
  CHECK_THROWS_AS(polygon_shape({{0, 0}, {1, 0}}), Error);
  CHECK_THROWS_AS(polygon_shape({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, {{{5, 5}, {6, 5}, {6, 6}}}), Error);
}

TEST_CASE("[sim] shapes: every shape of every profile is sound for the engine") {
  for (const std::string& name : profile_names()) {
    const auto p = profile(name);
    const auto check = [&](const std::string& type, const Shape& shape) {
      CAPTURE(name, type);
      check_parts(shape);
      // Leaving out vertices within 0.005 of the border changes the area by less than 0.005 x perimeter
      // (< 4.5).
      CHECK(std::fabs(parts_area(shape) - shape.area) < 0.0225);
      // Box2D welds vertices nearer than 0.0025; every edge must be clearly longer.
      for (const Polygon& part : shape.parts)
        for (std::size_t i = 0; i < part.size(); ++i)
          CHECK(length(part[i] - part[(i + 1) % part.size()]) > 0.004);
    };
    for (const ObjectType& object : p->object_types) check(object.type, *object.shape);
    for (const BirdType& bird : p->bird_types) check(bird.type, *bird.shape);
    check("slingshot", *p->slingshot_shape);
  }
}

TEST_CASE("[sim] geometry: distance and overlap of boxes against arithmetic") {
  const Shape unit = box_shape(1, 1);
  const auto at = [&](double x, double y, double angle = 0) { return transformed(unit, {{x, y}, angle}); };
  CHECK(distance(at(0, 0), at(3, 0)) == Approx(2));
  // Corner to corner: (0.5, 0.5) to (2.5, 1.5).
  CHECK(distance(at(0, 0), at(3, 2)) == Approx(std::sqrt(5)));
  CHECK(distance(at(0, 0), at(0.9, 0)) == 0);
  CHECK(overlap_depth(at(0, 0), at(0.9, 0.2)) == Approx(0.1));
  CHECK(overlap_depth(at(0, 0), at(1.5, 0)) == 0);
  // A square turned by 45 degrees reaches sqrt(2)/2 to the side.
  CHECK(distance(at(0, 0), at(2, 0, std::numbers::pi / 4)) == Approx(2 - 0.5 - std::sqrt(0.5)).epsilon(1e-6));
  const Shape disc = transformed(disc_shape(0.5), {{2, 0}, 0});
  CHECK(distance(at(0, 0), disc) == Approx(1));
  CHECK(overlap_depth(transformed(disc_shape(0.5), {{0.9, 0}, 0}), at(0, 0)) == Approx(0.1));
}

TEST_CASE("[sim] geometry: distance agrees with a dense sampling of both borders") {
  Random random(3);
  for (int run = 0; run < 200; ++run) {
    const Polygon a = transformed(box_shape(random.uniform(0.1, 2), random.uniform(0.1, 2)).parts[0],
                                  {{random.uniform(-2, 2), random.uniform(-2, 2)}, random.uniform(0, 6)});
    const Polygon b = transformed(box_shape(random.uniform(0.1, 2), random.uniform(0.1, 2)).parts[0],
                                  {{random.uniform(-2, 2), random.uniform(-2, 2)}, random.uniform(0, 6)});
    double nearest = distance(a, b[0]) == 0 ? 0 : 1e9;  // b inside a: a's border says nothing
    for (std::size_t i = 0; i < a.size(); ++i)
      for (int k = 0; k <= 100; ++k)
        nearest = std::min(nearest, distance(b, a[i] + (k / 100.0) * (a[(i + 1) % a.size()] - a[i])));
    const double exact = distance(a, b);
    REQUIRE(exact <= nearest + 1e-9);
    REQUIRE(exact >= nearest - 0.01);  // half a sampling step of the longest side (2/100)
  }
}

TEST_CASE("[sim] geometry: the nearest point of a segment") {
  // Off its side: t = ((3,4)-(1,0)).(4,0)/16 = 8/16. Beyond its ends: the end. A segment of no length: that
  // point.
  CHECK(nearest_point({3, 4}, {1, 0}, {5, 0}) == Vec2{3, 0});
  CHECK(nearest_point({0, 1}, {1, 0}, {5, 0}) == Vec2{1, 0});
  CHECK(nearest_point({9, -1}, {1, 0}, {5, 0}) == Vec2{5, 0});
  CHECK(nearest_point({7, 7}, {2, 3}, {2, 3}) == Vec2{2, 3});
  Random random(5);
  const auto drawn = [&] { return Vec2{random.uniform(-2, 2), random.uniform(-2, 2)}; };
  for (int run = 0; run < 200; ++run) {
    const Vec2 a = drawn(), b = drawn(), p = drawn();
    const double least = length(p - nearest_point(p, a, b));
    for (int i = 0; i <= 20; ++i) REQUIRE(least <= length(p - (a + (i / 20.0) * (b - a))) + 1e-12);
    // The same from the other end.
    REQUIRE(least == Approx(length(p - nearest_point(p, b, a))).margin(1e-12));
  }
}

namespace {

/// The polygon given from another of its vertices on.
Polygon from_vertex(const Polygon& polygon, std::size_t first) {
  Polygon result;
  for (std::size_t i = 0; i < polygon.size(); ++i) result.push_back(polygon[(first + i) % polygon.size()]);
  return result;
}

/// Turned by quarters, seen in a mirror or not, and moved.
Polygon placed(Polygon polygon, int quarters, bool mirror, Vec2 way) {
  for (Vec2& p : polygon) {
    if (mirror) p.x = -p.x;
    for (int k = 0; k < quarters; ++k) p = {-p.y, p.x};
    p = p + way;
  }
  return polygon;
}

}  // namespace

TEST_CASE(
    "[sim] shapes: bumps up to the tolerance are left out, whatever their sides' length and the first "
    "vertex") {
  // A square with a bump in the middle of each side: eight corners, or four.
  struct Row {
    double size, bump, tolerance;
    std::size_t left;
  };
  for (const Row& r : {Row{0.25, 0.004, 0.005, 4}, Row{0.25, 0.006, 0.005, 8}, Row{1, 0.004, 0.005, 4},
                       Row{1, 0.006, 0.005, 8}, Row{4, 0.004, 0.005, 4}, Row{4, 0.006, 0.005, 8},
                       Row{2, 0.125, 0.125, 4}, Row{2, 0.126, 0.125, 8}}) {
    const double s = r.size, b = r.bump;
    const Polygon outline = placed(
        {{0, 0}, {s / 2, -b}, {s, 0}, {s + b, s / 2}, {s, s}, {s / 2, s + b}, {0, s}, {-b, s / 2}}, 0, false,
        {8, -4});
    for (std::size_t first = 0; first < outline.size(); ++first) {
      const Shape shape = polygon_shape(from_vertex(outline, first), {}, r.tolerance);
      CAPTURE(r.size, r.bump, first);
      REQUIRE(shape.parts.size() == 1);
      CHECK(shape.parts[0].size() == r.left);
      CHECK(shape.area == Approx(s * s + 2 * s * b));  // of the outline as it was given
    }
  }
}

TEST_CASE("[sim] shapes: convex outlines stay whole up to eight vertices, an angle is cut into two") {
  for (int n = 3; n <= 12; ++n) {
    Polygon regular;
    for (int k = 0; k < n; ++k)
      regular.push_back(Vec2{5, 3} + 2.0 * direction(0.3 + 2 * std::numbers::pi * k / n));
    const Shape shape = polygon_shape(regular, {}, 0);
    check_parts(shape);
    CHECK(shape.parts.size() == (n <= 8 ? 1 : 2));
  }
  const Shape angle = polygon_shape({{1, 1}, {4, 1}, {4, 2}, {2, 2}, {2, 5}, {1, 5}}, {}, 0);
  CHECK(angle.parts.size() == 2);
  CHECK(angle.area == Approx(6));
  // A piece of 3 x 1 about (2.5, 1.5) and one of 1 x 3 about (1.5, 3.5).
  CHECK(angle.centroid.x == Approx(2));
  CHECK(angle.centroid.y == Approx(2.5));
}

TEST_CASE(
    "[sim] shapes: the way into a hole crosses neither the outline nor the hole, however near it leads") {
  struct Row {
    Polygon outline, hole;
    double area;
    std::vector<Vec2> outside;
  };
  const std::vector<Row> rows{
      // Two arms with a slot of 0.3 between them. The right one's tooth is nearest to the left one's hole.
      {{{0, 0},
        {4.3, 0},
        {4.3, 6},
        {2.3, 6},
        {2.3, 3.7},
        {2.1, 3.5},
        {2.3, 3.3},
        {2.3, 1},
        {2, 1},
        {2, 6},
        {0, 6}},
       {{1.9, 3.5}, {1.6, 3.8}, {1.3, 3.5}, {1.6, 3.2}},
       24.3 + 0.04 - 0.18,
       {{1.6, 3.5}, {2.15, 5}, {2.15, 2}}},
      // A notch comes up to 0.5 below the long side of a flat triangle: the corner behind it is the nearest.
      {{{-4, -4}, {-1, -4}, {0, 0.5}, {1, -4}, {4, -4}, {4, 4}, {-4, 4}},
       {{-2, 1}, {2, 1}, {0, 1.2}},
       64 - 4.5 - 0.4,
       {{0, 1.1}, {0, 0}, {1, 1.05}}}};
  for (const Row& row : rows)
    for (int quarters = 0; quarters < 4; ++quarters)
      for (bool mirror : {false, true})
        for (Vec2 way : {Vec2{0, 0}, Vec2{20, 30}, Vec2{-25, 10}})
          for (std::size_t first = 0; first < row.outline.size(); ++first) {
            CAPTURE(quarters, mirror, way.x, first);
            const Shape shape = polygon_shape(
                placed(from_vertex(row.outline, first), quarters, mirror, way),
                {placed(from_vertex(row.hole, first % row.hole.size()), quarters, mirror, way)});
            check_parts(shape);
            REQUIRE(shape.area == Approx(row.area));
            REQUIRE(parts_area(shape) == Approx(row.area));
            for (Vec2 p : placed(row.outside, quarters, mirror, way))
              for (const Polygon& part : shape.parts) REQUIRE(distance(part, p) > 0.005);
          }
}

TEST_CASE("[sim] shapes: sides that would cross the way into a hole if they were longer do not bar it") {
  // Four arms around a middle of 0.2 x 0.2, each wider to one side: the line along some side parts each
  // corner of the outline from the hole.
  const double c = 0.1, d = 0.16, l = 0.4, h = 0.05;
  const Polygon outline{{l, -c}, {l, d},   {c, d},   {c, l},   {-d, l}, {-d, c},
                        {-l, c}, {-l, -d}, {-c, -d}, {-c, -l}, {d, -l}, {d, -c}};
  // The square between the four inner corners, and four trapezoids.
  const double area = 2 * (c * c + d * d) + 2 * (c + d) * (2 * l - c - d) - 4 * h * h;
  for (Vec2 way : {Vec2{0, 0}, Vec2{3, -7}}) {
    const Shape shape = polygon_shape(placed(outline, 0, false, way),
                                      {placed({{-h, -h}, {h, -h}, {h, h}, {-h, h}}, 0, false, way)});
    check_parts(shape);
    CHECK(shape.area == Approx(area));
    CHECK(parts_area(shape) == Approx(area));
  }
}

TEST_CASE("[sim] shapes: a star with a hole is cut into parts that cover it once, wherever it is") {
  Random random(43);
  for (int run = 0; run < 200; ++run) {
    Polygon outline, hole;
    const int n = random.integer(4, 16), m = random.integer(3, 9);
    const Vec2 way{random.uniform(-9, 9), random.uniform(-9, 9)};
    for (int k = 0; k < n; ++k) {
      const double reach = random.uniform(0.7, 2);
      outline.push_back(way + reach * direction(0.1 + 2 * std::numbers::pi * k / n));
    }
    for (int k = 0; k < m; ++k) {
      const double reach = random.uniform(0.1, 0.4);
      hole.push_back(way + reach * direction(2 * std::numbers::pi * k / m));
    }
    const Shape shape = polygon_shape(outline, {hole}, 0);
    check_parts(shape);
    REQUIRE(shape.area == Approx(signed_area(outline) - signed_area(hole)));
    REQUIRE(parts_area(shape) == Approx(shape.area).epsilon(1e-9));
  }
}

TEST_CASE("[sim] shapes: vertices in one line are no corners to cut at, and leave no piece without area") {
  const Polygon square{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
  CHECK(polygon_shape(square, {}, 0).parts.size() == 1);
  CHECK(polygon_shape(square, {}, 0.005).parts.at(0).size() == 4);
  // Skylines of whole heights, with a square hole in the ground floor or none.
  Random random(47);
  for (int run = 0; run < 200; ++run) {
    const int columns = random.integer(2, 7);
    Polygon outline{{0, -2}, {1.0 * columns, -2}};
    double area = 2 * columns;
    for (int k = columns - 1; k >= 0; --k) {
      const double height = random.integer(0, 3);
      area += height;
      outline.push_back({k + 1.0, height});
      outline.push_back({1.0 * k, height});
    }
    std::vector<Polygon> holes;
    if (random.chance(0.5)) {
      holes.push_back({{0.5, -1.5}, {1.5, -1.5}, {1.5, -0.5}, {0.5, -0.5}});
      --area;
    }
    // Where neighbours are as high, a vertex comes twice.
    outline.erase(std::unique(outline.begin(), outline.end()), outline.end());
    const Shape shape = polygon_shape(outline, holes, 0);
    check_parts(shape);
    REQUIRE(shape.area == Approx(area));
    REQUIRE(parts_area(shape) == Approx(area));
  }
}
