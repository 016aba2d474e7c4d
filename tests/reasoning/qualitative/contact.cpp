#include "reasoning/qualitative/contact.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.hpp"
#include "sim/shape.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

const Polygon unit_box{{0, 0}, {1, 0}, {1, 1}, {0, 1}};

void check_point(Vec2 is, Vec2 expected) {
  CHECK(is.x == Approx(expected.x).margin(1e-12));
  CHECK(is.y == Approx(expected.y).margin(1e-12));
}

Polygon regular(Random& random) {
  Polygon corners;
  const int count = random.integer(3, 7);
  const double radius = random.uniform(0.3, 2), first = random.uniform(0, 6);
  for (int k = 0; k < count; ++k) {
    const double angle = first + 2 * std::numbers::pi * k / count;
    corners.push_back(radius * Vec2{std::cos(angle), std::sin(angle)});
  }
  return corners;
}

Polygon moved_by(Polygon polygon, Vec2 way) {
  for (Vec2& p : polygon) p = p + way;
  return polygon;
}

}  // namespace

TEST_CASE(
    "[qualitative] contact: a disc touches each side of a box from outside and from inside, and its corner") {
  // Gaps of 1/4 and distances of 1/8 from the side are exact in binary.
  struct Row {
    Vec2 centre, normal, point;
  };
  for (const Row& r : {Row{{0.5, 1.75}, {0, 1}, {0.5, 1}}, Row{{0.5, -0.75}, {0, -1}, {0.5, 0}},
                       Row{{1.75, 0.5}, {1, 0}, {1, 0.5}}, Row{{-0.75, 0.5}, {-1, 0}, {0, 0.5}}}) {
    const auto outside = contact(unit_box, Disc{r.centre, 0.5}, 0.25);
    REQUIRE(outside);  // at the tolerance itself
    CHECK(outside->gap == Approx(0.25));
    check_point(outside->normal, r.normal);
    check_point(outside->points[0], r.point);
    check_point(outside->points[1], r.point);
    CHECK(outside->x.start == Approx(r.point.x));
    CHECK(outside->x.end == Approx(r.point.x));
    CHECK_FALSE(contact(unit_box, Disc{r.centre, 0.5}, 0.249));
    const Disc within{r.point - 0.125 * r.normal, 0.5};
    const auto inside = contact(unit_box, within, 0.25);
    REQUIRE(inside);
    CHECK(inside->gap == Approx(-0.625));
    check_point(inside->normal, r.normal);
    check_point(inside->points[0], r.point);
  }
  const auto corner = contact(unit_box, Disc{{1.3, 1.4}, 0.5}, 0.01);
  REQUIRE(corner);
  CHECK(corner->gap == Approx(0).margin(1e-12));
  check_point(corner->normal, {0.6, 0.8});
  check_point(corner->points[0], {1, 1});
}

TEST_CASE("[qualitative] contact: two discs touch on the line through their centres, unless they share it") {
  // Centres (1, 2) and (4, 6) are 5 apart: radii 3 and 1.75 leave 0.25.
  const Disc a{{1, 2}, 3}, b{{4, 6}, 1.75};
  const auto c = contact(a, b, 0.25);
  REQUIRE(c);
  CHECK(c->gap == Approx(0.25));
  check_point(c->normal, {0.6, 0.8});
  check_point(c->points[0], {1 + 1.8, 2 + 2.4});
  check_point(c->points[1], c->points[0]);
  CHECK(c->x.start == Approx(2.8));
  CHECK(c->x.end == Approx(2.8));
  CHECK_FALSE(contact(a, b, 0.24));
  CHECK_FALSE(contact(a, Disc{a.centre, 1}, 0.1));
}

TEST_CASE(
    "[qualitative] contact: boxes side by side and one on the other touch along what they have in common") {
  const auto above = contact(unit_box, moved_by(unit_box, {0.25, 1.125}), 0.125);
  REQUIRE(above);
  CHECK(above->gap == Approx(0.125));
  check_point(above->normal, {0, 1});
  CHECK(above->x.start == Approx(0.25));
  CHECK(above->x.end == Approx(1));
  const auto beside = contact(unit_box, moved_by(unit_box, {1, -0.5}), 0.125);
  REQUIRE(beside);
  CHECK(beside->gap == Approx(0).margin(1e-12));
  check_point(beside->normal, {1, 0});
  CHECK(std::min(beside->points[0].y, beside->points[1].y) == Approx(0).margin(1e-12));
  CHECK(std::max(beside->points[0].y, beside->points[1].y) == Approx(0.5));
  CHECK_FALSE(contact(unit_box, moved_by(unit_box, {0.25, 1.126}), 0.125));
  CHECK_FALSE(contact(unit_box, moved_by(unit_box, {1.2, 1.2}), 0.125));
}

TEST_CASE(
    "[qualitative] contact: of random polygons pushed together until they touch, by the distance between "
    "them") {
  Random random(23);
  int corners = 0, faces = 0;
  for (int k = 0; k < 2000; ++k) {
    const double tolerance = 0.03;
    const Polygon a = regular(random);
    Polygon b = regular(random);
    const double towards = random.uniform(0, 2 * std::numbers::pi);
    const Vec2 way{std::cos(towards), std::sin(towards)};
    b = moved_by(b, 6.0 * way);
    // Along the way at least the distance lies between them: this ends where they are `gap` apart.
    const double gap = random.uniform(0, 2 * tolerance);
    for (int step = 0; step < 400; ++step) b = moved_by(b, -std::max(distance(a, b) - gap, 0.0) * way);
    const double apart = distance(a, b);
    const auto c = contact(a, b, tolerance), mirror = contact(b, a, tolerance);
    REQUIRE(c.has_value() == mirror.has_value());
    if (apart > tolerance * 1.5) REQUIRE_FALSE(c);
    if (!c) {
      REQUIRE(apart > 1e-6);
      ++corners;
      continue;
    }
    ++faces;
    REQUIRE(c->gap <= tolerance);
    REQUIRE(length(c->normal) == Approx(1));
    REQUIRE(c->gap == Approx(mirror->gap).margin(1e-9));
    REQUIRE(length(c->normal + mirror->normal) < 1e-6);
    REQUIRE(dot(c->normal, way) > 0);
    for (Vec2 p : c->points) {
      REQUIRE(distance(a, p) <= 1.5 * tolerance + 1e-6);
      REQUIRE(distance(b, p) <= 1.5 * tolerance + 1e-6);
      REQUIRE(p.x >= c->x.start - 1e-12);
      REQUIRE(p.x <= c->x.end + 1e-12);
    }
    REQUIRE(c->x.start == Approx(std::min(c->points[0].x, c->points[1].x)));
    REQUIRE(c->x.end == Approx(std::max(c->points[0].x, c->points[1].x)));
  }
  CHECK(corners > 100);
  CHECK(faces > 500);
}

TEST_CASE(
    "[qualitative] contact: the nearest point of a border, of sides, corners, discs and the centre of a "
    "disc") {
  const Shape box = transformed(box_shape(2, 2), {{3, 1}, 0});  // [2, 4] x [0, 2]
  check_point(nearest_border_point({3.25, 5}, box), {3.25, 2});
  check_point(nearest_border_point({3.25, 1.5}, box), {3.25, 2});  // from inside
  check_point(nearest_border_point({1, 0.5}, box), {2, 0.5});
  check_point(nearest_border_point({5, -1}, box), {4, 0});
  const Shape disc = transformed(disc_shape(0.5), {{7, 2}, 0});
  check_point(nearest_border_point({10, 6}, disc), {7.3, 2.4});
  check_point(nearest_border_point({7.3, 2.4}, disc), {7.3, 2.4});
  check_point(nearest_border_point({7, 2}, disc), {7, 2.5});  // from the centre the highest
}

TEST_CASE("[qualitative] contact: a disc of radius 1 lies on a box, and discs on each other") {
  const auto on_box = contact(unit_box, Disc{{0.5, 2}, 1}, 0.25);
  REQUIRE(on_box);
  CHECK(on_box->gap == Approx(0).margin(1e-12));
  check_point(on_box->points[0], {0.5, 1});
  const auto discs = contact(Disc{{0, 0}, 1}, Disc{{0, 3}, 2}, 0);
  REQUIRE(discs);
  CHECK(discs->gap == 0);
  check_point(discs->points[1], {0, 1});
  CHECK_FALSE(contact(Disc{{0, 0}, 1}, Disc{{0, 3.5}, 2}, 0.25));
  CHECK(contact(Disc{{0, 0}, 1}, Disc{{0, 3.25}, 2}, 0.25));  // at the tolerance itself
}

TEST_CASE(
    "[qualitative] contact: boxes that meet at their corners touch in a point, those beside not at all") {
  // The upper box is 1/64 above; it begins or ends where the lower one ends or begins.
  const double gap = 0.015625;
  for (double left : {-1.0, 1.0}) {
    const Polygon upper{{left, 1 + gap}, {left + 1, 1 + gap}, {left + 1, 2}, {left, 2}};
    const double corner = left < 0 ? 0 : 1;
    for (const auto& c : {contact(unit_box, upper, 0.03), contact(upper, unit_box, 0.03)}) {
      REQUIRE(c);
      CHECK(c->gap == Approx(gap));
      CHECK(std::abs(c->normal.y) == Approx(1));
      CHECK(c->x.start == Approx(corner).margin(1e-12));
      CHECK(c->x.end == Approx(corner).margin(1e-12));
    }
    Polygon aside = upper;
    for (Vec2& p : aside) p.x += left < 0 ? -0.01 : 0.01;
    CHECK_FALSE(contact(unit_box, aside, 0.03));
  }
}

TEST_CASE("[qualitative] contact: what leans away from the face touches as far as half the tolerance") {
  // A wedge over the top of the box rises by 1/8 over its length of 1: from a gap of 0 it is half the
  // tolerance of 1/16 away after 1/4.
  const Polygon wedge{{0, 1}, {1, 1.125}, {0, 2}};
  const auto c = contact(unit_box, wedge, 0.0625);
  REQUIRE(c);
  CHECK(c->gap == Approx(0).margin(1e-12));
  CHECK(c->x.start == Approx(0).margin(1e-12));
  CHECK(c->x.end == Approx(0.25));
}

TEST_CASE(
    "[qualitative] contact: a corner given twice changes no contact of a disc, from outside or inside") {
  Polygon twice = unit_box;
  twice.insert(twice.begin() + 1, twice[1]);
  for (Vec2 centre : {Vec2{0.5, 1.25}, Vec2{1.25, 0.5}, Vec2{0.5, 0.875}, Vec2{0.875, 0.5}}) {
    const auto c = contact(unit_box, Disc{centre, 0.5}, 0.01), d = contact(twice, Disc{centre, 0.5}, 0.01);
    REQUIRE(c);
    REQUIRE(d);
    CHECK(d->gap == c->gap);
    check_point(d->normal, c->normal);
    check_point(d->points[0], c->points[0]);
  }
}
