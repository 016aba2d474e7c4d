#include "surprise/dynamics/contact_point.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace startle {
namespace {

/// Corners so much further than the foremost one touch with it, world units: a face that lies flat touches
/// with both its ends.
constexpr double flat = 0.03;

/// Part of a polygon that is foremost against `direction`, as an interval along `across`.
struct Front {
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity(),
         depth = 0;
};
Front front_of(const Polygon& polygon, Vec2 direction, Vec2 across) {
  Front front{.depth = std::numeric_limits<double>::infinity()};
  for (const Vec2 point : polygon) front.depth = std::min(front.depth, dot(point, direction));
  for (const Vec2 point : polygon) {
    if (dot(point, direction) > front.depth + flat) continue;
    front.low = std::min(front.low, dot(point, across));
    front.high = std::max(front.high, dot(point, across));
  }
  return front;
}

/// The face of `faces` from which `points` is furthest away.
ContactPoint furthest_face(const Polygon& faces, const Polygon& points) {
  ContactPoint best{.gap = -std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < faces.size(); ++i) {
    const Vec2 edge = faces[(i + 1) % faces.size()] - faces[i];
    const double size = length(edge);
    if (!(size > 0)) continue;
    const Vec2 out{edge.y / size, -edge.x / size};
    double nearest = std::numeric_limits<double>::infinity();
    for (const Vec2 point : points) nearest = std::min(nearest, dot(point - faces[i], out));
    if (nearest > best.gap) best = {.gap = nearest, .normal = out};
  }
  return best;
}

ContactPoint polygons(const Polygon& self, const Polygon& other) {
  ContactPoint best = furthest_face(other, self);
  ContactPoint mine = furthest_face(self, other);
  mine.normal = -1 * mine.normal;
  if (mine.gap > best.gap + 1e-6)
    best = mine;  // as near as equal: the face of `other`, so that rounding does not choose
  const Vec2 across{-best.normal.y, best.normal.x};
  const Front a = front_of(self, best.normal, across), b = front_of(other, -1 * best.normal, across);
  const double along = 0.5 * (std::max(a.low, b.low) + std::min(a.high, b.high)),
               up = 0.5 * (a.depth - b.depth);
  best.place = up * best.normal + along * across;
  return best;
}

ContactPoint disc_on_polygon(const Disc& disc, const Polygon& polygon) {
  ContactPoint best = furthest_face(polygon, {disc.centre});
  if (best.gap > 0) {
    Vec2 nearest = polygon.front();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 point = nearest_point(disc.centre, polygon[i], polygon[(i + 1) % polygon.size()]);
      if (length(disc.centre - point) < length(disc.centre - nearest)) nearest = point;
    }
    const double away = length(disc.centre - nearest);
    if (away > 1e-9) best = {.gap = away, .normal = (1 / away) * (disc.centre - nearest)};
  }
  best.place = disc.centre - best.gap * best.normal;
  best.gap -= disc.radius;
  return best;
}

ContactPoint discs(const Disc& self, const Disc& other) {
  const Vec2 apart = self.centre - other.centre;
  const double size = length(apart);
  const Vec2 normal = size > 1e-9 ? (1 / size) * apart : Vec2{0, 1};
  return {.gap = size - self.radius - other.radius,
          .normal = normal,
          .place = other.centre + other.radius * normal};
}

}  // namespace

ContactPoint touch(const Shape& self, const Shape& other) {
  ContactPoint best{.gap = std::numeric_limits<double>::infinity()};
  const auto keep = [&](const ContactPoint& one) {
    if (one.gap < best.gap) best = one;
  };
  for (const Polygon& a : self.parts) {
    for (const Polygon& b : other.parts) keep(polygons(a, b));
    for (const Disc& b : other.discs) {
      ContactPoint turned = disc_on_polygon(b, a);
      turned.normal = -1 * turned.normal;
      keep(turned);
    }
  }
  for (const Disc& a : self.discs) {
    for (const Polygon& b : other.parts) keep(disc_on_polygon(a, b));
    for (const Disc& b : other.discs) keep(discs(a, b));
  }
  return best;
}

}  // namespace startle
