#include "sim/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/math.hpp"

namespace startle {

double length(Vec2 a) { return std::sqrt(dot(a, a)); }

Vec2 direction(double angle) {
  float sine = 0, cosine = 0;
  math::sincos(static_cast<float>(angle), sine, cosine);
  return {cosine, sine};
}

double radians(double degrees) { return degrees * (std::numbers::pi / 180); }
double degrees(double radians) { return radians * (180 / std::numbers::pi); }

double signed_area(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++)
    twice += cross(polygon[j], polygon[i]);
  return 0.5 * twice;
}

Vec2 transformed(Vec2 p, const Pose& pose) {
  const Vec2 d = direction(pose.angle);
  return {pose.position.x + d.x * p.x - d.y * p.y, pose.position.y + d.y * p.x + d.x * p.y};
}

Polygon transformed(const Polygon& polygon, const Pose& pose) {
  const Vec2 d = direction(pose.angle);
  Polygon moved(polygon.size());
  std::transform(polygon.begin(), polygon.end(), moved.begin(), [&](Vec2 p) {
    return Vec2{pose.position.x + d.x * p.x - d.y * p.y, pose.position.y + d.y * p.x + d.x * p.y};
  });
  return moved;
}

Shape transformed(const Shape& shape, const Pose& pose) {
  Shape moved;
  moved.parts.reserve(shape.parts.size());
  for (const Polygon& part : shape.parts) moved.parts.push_back(transformed(part, pose));
  for (const Disc& disc : shape.discs) moved.discs.push_back({transformed(disc.centre, pose), disc.radius});
  for (const Polygon& outline : shape.outlines) moved.outlines.push_back(transformed(outline, pose));
  moved.area = shape.area;
  moved.centroid = transformed(shape.centroid, pose);
  return moved;
}

namespace {

void include(Bounds& box, double xmin, double xmax, double ymin, double ymax) {
  box.xmin = std::min(box.xmin, xmin);
  box.xmax = std::max(box.xmax, xmax);
  box.ymin = std::min(box.ymin, ymin);
  box.ymax = std::max(box.ymax, ymax);
}

bool contains(const Polygon& polygon, Vec2 p) {
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++)
    if (cross(polygon[i] - polygon[j], p - polygon[j]) < 0) return false;
  return true;
}

/// Largest separation of b from a along a's edge normals; positive when some edge line divides them.
double separation_along_edges(const Polygon& a, const Polygon& b) {
  double best = -math::infinity;
  for (std::size_t i = 0, j = a.size() - 1; i < a.size(); j = i++) {
    const Vec2 edge = a[i] - a[j];
    const double norm = length(edge);
    if (norm == 0) continue;
    double nearest = math::infinity;
    for (Vec2 p : b) nearest = std::min(nearest, -cross(edge, p - a[j]) / norm);
    best = std::max(best, nearest);
  }
  return best;
}

double separation(const Polygon& a, const Polygon& b) {
  return std::max(separation_along_edges(a, b), separation_along_edges(b, a));
}

/// Signed distance of a point from a convex polygon: negative inside.
double signed_distance(const Polygon& polygon, Vec2 p) {
  double nearest = math::infinity;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++)
    nearest = std::min(nearest, length(p - nearest_point(p, polygon[j], polygon[i])));
  return contains(polygon, p) ? -nearest : nearest;
}

}  // namespace

Bounds bounds(const Polygon& polygon) {
  Bounds box{math::infinity, -math::infinity, math::infinity, -math::infinity};
  for (Vec2 p : polygon) include(box, p.x, p.x, p.y, p.y);
  return box;
}

Bounds bounds(const Shape& shape) {
  Bounds box{math::infinity, -math::infinity, math::infinity, -math::infinity};
  for (const Polygon& part : shape.parts)
    for (Vec2 p : part) include(box, p.x, p.x, p.y, p.y);
  for (const Disc& d : shape.discs)
    include(box, d.centre.x - d.radius, d.centre.x + d.radius, d.centre.y - d.radius, d.centre.y + d.radius);
  return box;
}

Vec2 nearest_point(Vec2 point, Vec2 a, Vec2 b) {
  const Vec2 along = b - a;
  const double squared = dot(along, along);
  const double t = squared > 0 ? std::clamp(dot(point - a, along) / squared, 0.0, 1.0) : 0.0;
  return a + t * along;
}

double distance(const Polygon& polygon, Vec2 point) { return std::max(signed_distance(polygon, point), 0.0); }

double distance(const Polygon& a, const Polygon& b) {
  if (separation(a, b) <= 0) return 0;
  // The nearest points of two convex polygons apart from each other include a vertex of one of them.
  double nearest = math::infinity;
  for (Vec2 p : a) nearest = std::min(nearest, distance(b, p));
  for (Vec2 p : b) nearest = std::min(nearest, distance(a, p));
  return nearest;
}

double distance(const Shape& a, const Shape& b) {
  double nearest = math::infinity;
  for (const Polygon& p : a.parts) {
    for (const Polygon& q : b.parts) nearest = std::min(nearest, distance(p, q));
    for (const Disc& d : b.discs)
      nearest = std::min(nearest, std::max(distance(p, d.centre) - d.radius, 0.0));
  }
  for (const Disc& c : a.discs) {
    for (const Polygon& q : b.parts)
      nearest = std::min(nearest, std::max(distance(q, c.centre) - c.radius, 0.0));
    for (const Disc& d : b.discs)
      nearest = std::min(nearest, std::max(length(c.centre - d.centre) - c.radius - d.radius, 0.0));
  }
  return nearest;
}

double overlap_depth(const Shape& a, const Shape& b) {
  double deepest = 0;
  for (const Polygon& p : a.parts) {
    for (const Polygon& q : b.parts) deepest = std::max(deepest, -separation(p, q));
    for (const Disc& d : b.discs) deepest = std::max(deepest, d.radius - signed_distance(p, d.centre));
  }
  for (const Disc& c : a.discs) {
    for (const Polygon& q : b.parts) deepest = std::max(deepest, c.radius - signed_distance(q, c.centre));
    for (const Disc& d : b.discs)
      deepest = std::max(deepest, c.radius + d.radius - length(c.centre - d.centre));
  }
  return deepest;
}

}  // namespace startle
