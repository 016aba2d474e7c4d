#include "sim/shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"

namespace startle {
namespace {

constexpr std::size_t max_vertices = 8;  // Box2D's b2_maxPolygonVertices

double distance_to_line(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 ab = b - a;
  const double norm = length(ab);
  return norm > 0 ? std::fabs(cross(ab, p - a)) / norm : length(p - a);
}

/// Douglas-Peucker on the open chain [first, last] of `polygon`: appends the vertices kept, without `last`.
void simplify_chain(const Polygon& polygon, std::size_t first, std::size_t last, double tolerance,
                    Polygon& kept) {
  std::size_t furthest = first;
  double deviation = tolerance;
  for (std::size_t i = first + 1; i < last; ++i) {
    const double d = distance_to_line(polygon[i % polygon.size()], polygon[first % polygon.size()],
                                      polygon[last % polygon.size()]);
    if (d > deviation) {
      deviation = d;
      furthest = i;
    }
  }
  if (furthest == first) {
    kept.push_back(polygon[first % polygon.size()]);
    return;
  }
  simplify_chain(polygon, first, furthest, tolerance, kept);
  simplify_chain(polygon, furthest, last, tolerance, kept);
}

/// The closed outline with vertices nearer than `tolerance` to it left out. The chain is opened at its two
/// mutually far vertices, which stay.
Polygon simplified(const Polygon& polygon, double tolerance) {
  std::size_t a = 0, b = 0;
  for (std::size_t i = 1; i < polygon.size(); ++i)
    if (length(polygon[i] - polygon[0]) > length(polygon[a] - polygon[0])) a = i;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    if (length(polygon[i] - polygon[a]) > length(polygon[b] - polygon[a])) b = i;
  const std::size_t first = std::min(a, b), middle = std::max(a, b);
  Polygon kept;
  simplify_chain(polygon, first, middle, tolerance, kept);
  simplify_chain(polygon, middle, first + polygon.size(), tolerance, kept);
  return kept;
}

Polygon oriented(Polygon polygon, bool counter_clockwise) {
  if ((signed_area(polygon) > 0) != counter_clockwise) std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

bool segments_cross(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  return cross(b - a, c - a) * cross(b - a, d - a) < 0 && cross(d - c, a - c) * cross(d - c, b - c) < 0;
}

/// Joins a hole (clockwise) to the border (counter-clockwise) by the shortest bridge that crosses neither.
Polygon with_hole(const Polygon& border, const Polygon& hole) {
  std::size_t best_b = border.size(), best_h = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < border.size(); ++b) {
    for (std::size_t h = 0; h < hole.size(); ++h) {
      const double bridge = length(hole[h] - border[b]);
      if (bridge >= shortest) continue;
      bool crosses = false;
      for (const Polygon* ring : {&border, &hole})
        for (std::size_t i = 0, j = ring->size() - 1; i < ring->size(); j = i++)
          crosses = crosses || segments_cross(border[b], hole[h], (*ring)[j], (*ring)[i]);
      if (crosses) continue;
      shortest = bridge;
      best_b = b;
      best_h = h;
    }
  }
  if (best_b == border.size()) throw Error("shape: a hole lies outside its outline");
  Polygon joined(border.begin(), border.begin() + static_cast<std::ptrdiff_t>(best_b) + 1);
  for (std::size_t i = 0; i <= hole.size(); ++i) joined.push_back(hole[(best_h + i) % hole.size()]);
  joined.insert(joined.end(), border.begin() + static_cast<std::ptrdiff_t>(best_b), border.end());
  return joined;
}

/// Ear clipping (Meisters 1975). The polygon is counter-clockwise and may touch itself along bridges.
std::vector<Polygon> triangles(Polygon polygon) {
  std::vector<Polygon> cut;
  while (polygon.size() > 3) {
    const std::size_t n = polygon.size();
    // Among the ears the one with the largest smallest height, so that no sliver is left for Box2D to reject.
    std::size_t best = n;
    double best_height = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Vec2 a = polygon[(i + n - 1) % n], b = polygon[i], c = polygon[(i + 1) % n];
      const double twice_area = cross(b - a, c - a);
      if (twice_area <= 0) continue;
      bool empty = true;
      for (std::size_t k = 0; k < n && empty; ++k) {
        const Vec2 p = polygon[k];
        if (p == a || p == b || p == c) continue;
        empty = !(cross(b - a, p - a) >= 0 && cross(c - b, p - b) >= 0 && cross(a - c, p - c) >= 0);
      }
      if (!empty) continue;
      const double height = twice_area / std::max({length(b - a), length(c - b), length(a - c)});
      if (height > best_height) {
        best_height = height;
        best = i;
      }
    }
    if (best == n) throw Error("shape: the outline crosses itself");
    cut.push_back({polygon[(best + n - 1) % n], polygon[best], polygon[(best + 1) % n]});
    polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(best));
  }
  cut.push_back(polygon);
  return cut;
}

bool convex(const Polygon& polygon) {
  const std::size_t n = polygon.size();
  for (std::size_t i = 0; i < n; ++i)
    if (cross(polygon[(i + 1) % n] - polygon[i], polygon[(i + 2) % n] - polygon[(i + 1) % n]) < 0)
      return false;
  return true;
}

/// Union of two polygons along a common edge, or empty when they share none.
Polygon merged(const Polygon& p, const Polygon& q) {
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (std::size_t j = 0; j < q.size(); ++j) {
      if (!(p[i] == q[(j + 1) % q.size()] && p[(i + 1) % p.size()] == q[j])) continue;
      Polygon both;
      for (std::size_t k = 0; k < p.size(); ++k) both.push_back(p[(i + 1 + k) % p.size()]);
      for (std::size_t k = 2; k < q.size(); ++k) both.push_back(q[(j + k) % q.size()]);
      return both;
    }
  }
  return {};
}

/// Hertel and Mehlhorn 1983: removes diagonals while the union stays convex and small enough.
std::vector<Polygon> merge_convex(std::vector<Polygon> parts) {
  for (bool again = true; again;) {
    again = false;
    for (std::size_t a = 0; a < parts.size() && !again; ++a) {
      for (std::size_t b = a + 1; b < parts.size() && !again; ++b) {
        Polygon both = merged(parts[a], parts[b]);
        if (both.empty() || both.size() > max_vertices || !convex(both)) continue;
        parts[a] = std::move(both);
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(b));
        again = true;
      }
    }
  }
  return parts;
}

/// Adds `sign` times area and first moment of a polygon.
void add_moments(const Polygon& polygon, double& area, Vec2& moment) {
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const double c = cross(polygon[j], polygon[i]);
    area += c / 2;
    moment = moment + (c / 6) * (polygon[j] + polygon[i]);
  }
}

}  // namespace

Shape box_shape(double width, double height) {
  const double x = width / 2, y = height / 2;
  Shape shape;
  shape.parts = {{{-x, -y}, {x, -y}, {x, y}, {-x, y}}};
  shape.outlines = shape.parts;
  shape.area = width * height;
  return shape;
}

Shape disc_shape(double radius, Vec2 centre) {
  Shape shape;
  shape.discs = {{centre, radius}};
  Polygon circle;
  for (int i = 0; i < 32; ++i) circle.push_back(centre + radius * direction(2 * std::numbers::pi * i / 32));
  shape.outlines = {circle};
  shape.area = std::numbers::pi * radius * radius;
  shape.centroid = centre;
  return shape;
}

Shape polygon_shape(const Polygon& outline, const std::vector<Polygon>& holes, double tolerance) {
  if (outline.size() < 3)
    throw Error("shape: an outline needs at least 3 vertices, found " + std::to_string(outline.size()));
  Shape shape;
  shape.outlines.push_back(oriented(outline, true));
  for (const Polygon& hole : holes) shape.outlines.push_back(oriented(hole, false));
  Vec2 moment;
  for (const Polygon& ring : shape.outlines) add_moments(ring, shape.area, moment);
  shape.centroid = (1 / shape.area) * moment;

  Polygon border = simplified(shape.outlines[0], tolerance);
  for (std::size_t i = 1; i < shape.outlines.size(); ++i)
    border = with_hole(border, simplified(shape.outlines[i], tolerance));
  shape.parts = merge_convex(triangles(border));
  return shape;
}

Shape scaled(const Shape& shape, double sx, double sy) {
  const auto scale = [&](Vec2 p) { return Vec2{sx * p.x, sy * p.y}; };
  Shape result = shape;
  for (auto* polygons : {&result.parts, &result.outlines})
    for (Polygon& polygon : *polygons)
      for (Vec2& p : polygon) p = scale(p);
  for (Disc& disc : result.discs) disc = {scale(disc.centre), sx * disc.radius};
  result.area = shape.area * sx * sy;
  result.centroid = scale(shape.centroid);
  return result;
}

}  // namespace startle
