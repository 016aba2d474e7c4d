#pragma once
/// \file  Plane geometry shared by physics, reasoning and pictures: points, poses, convex parts, discs.
///
/// Lengths are world units (metres), angles radians, counter-clockwise positive, y up. All functions
/// use only + - * / and sqrt in double, and float trigonometry, so results are equal on every machine.
#include <vector>

namespace startle {

struct Vec2 {
  double x = 0;
  double y = 0;

  friend constexpr Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Vec2 operator-(Vec2 a, Vec2 b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Vec2 operator*(double s, Vec2 a) { return {s * a.x, s * a.y}; }
  friend constexpr bool operator==(Vec2 a, Vec2 b) = default;
};

constexpr double dot(Vec2 a, Vec2 b) { return a.x * b.x + a.y * b.y; }
/// z-component of the cross product; positive when b is counter-clockwise of a.
constexpr double cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
double length(Vec2 a);

/// Unit vector at `angle` radians. Float trigonometry: the same bits with and without FMA.
Vec2 direction(double angle);
/// Degrees to radians and back.
double radians(double degrees);
double degrees(double radians);

/// Where a body is: its origin and its rotation.
struct Pose {
  Vec2 position;
  double angle = 0;  ///< radians, counter-clockwise
};

/// Axis-parallel bounding box.
struct Bounds {
  double xmin = 0, xmax = 0, ymin = 0, ymax = 0;

  double width() const { return xmax - xmin; }
  double height() const { return ymax - ymin; }
  Vec2 centre() const { return {0.5 * (xmin + xmax), 0.5 * (ymin + ymax)}; }
};

/// Vertices in counter-clockwise order, not closed (the last vertex is joined to the first).
using Polygon = std::vector<Vec2>;

struct Disc {
  Vec2 centre;
  double radius = 0;
};

/// A rigid shape: the union of convex polygons and discs, in the body's frame or in the world's.
struct Shape {
  std::vector<Polygon> parts;  ///< convex, counter-clockwise, at most 8 vertices each
  std::vector<Disc> discs;
  std::vector<Polygon> outlines;  ///< what to draw: outer border (counter-clockwise), then holes (clockwise)
  double area = 0;                ///< of the union, holes left out
  Vec2 centroid;                  ///< centre of mass at uniform density
};

/// Signed area, positive for counter-clockwise order.
double signed_area(const Polygon& polygon);

/// The shape moved by a pose (rotated about the body's origin, then translated).
Vec2 transformed(Vec2 point, const Pose& pose);
Polygon transformed(const Polygon& polygon, const Pose& pose);
Shape transformed(const Shape& shape, const Pose& pose);

/// Smallest axis-parallel box around a shape with at least one part or disc.
Bounds bounds(const Polygon& polygon);
Bounds bounds(const Shape& shape);

/// The point of the segment from a to b that is nearest to `point`; a where the two ends are one.
Vec2 nearest_point(Vec2 point, Vec2 a, Vec2 b);

/// Distance between two convex polygons, or a convex polygon and a point; 0 when they touch or overlap.
double distance(const Polygon& a, const Polygon& b);
double distance(const Polygon& polygon, Vec2 point);
/// Smallest distance between any two pieces of two shapes; 0 when they touch or overlap.
double distance(const Shape& a, const Shape& b);

/// Depth by which two shapes overlap: the largest over pairs of pieces of the shortest translation that
/// separates that pair; 0 when they do not overlap.
double overlap_depth(const Shape& a, const Shape& b);

}  // namespace startle
