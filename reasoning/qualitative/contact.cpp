#include "reasoning/qualitative/contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/math.hpp"

namespace startle {
namespace {

struct Separation {
  double gap = -math::infinity;
  std::size_t edge = 0;
  Vec2 normal;
};

Vec2 outward_normal(const Polygon& polygon, std::size_t edge) {
  const Vec2 along = polygon[edge + 1 < polygon.size() ? edge + 1 : 0] - polygon[edge];
  return (1 / length(along)) * Vec2{along.y, -along.x};
}

/// The edge of a that divides it best from b.
Separation best_edge(const Polygon& a, const Polygon& b) {
  Separation best;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec2 normal = outward_normal(a, i);
    double gap = math::infinity;
    for (Vec2 p : b) gap = std::min(gap, dot(normal, p - a[i]));
    if (gap > best.gap) best = {gap, i, normal};
  }
  return best;
}

/// The part of b's facing edge that lies over a's dividing edge and is, but for `slack`, as near to it as
/// any.
std::optional<Contact> face_contact(const Polygon& a, const Separation& face, const Polygon& b,
                                    double slack) {
  std::size_t facing = 0;
  double least = math::infinity;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double d = dot(outward_normal(b, i), face.normal);
    if (d < least) {
      least = d;
      facing = i;
    }
  }
  const Vec2 from = a[face.edge], to = a[face.edge + 1 < a.size() ? face.edge + 1 : 0];
  const double extent = length(to - from);
  const Vec2 along = (1 / extent) * (to - from);
  Vec2 p = b[facing], q = b[facing + 1 < b.size() ? facing + 1 : 0];

  // Along the face.
  const auto clip = [&](auto&& excess) {
    const double ep = excess(p), eq = excess(q);
    if (ep > 0 && eq > 0) return false;
    if (ep > 0)
      p = p + (ep / (ep - eq)) * (q - p);
    else if (eq > 0)
      q = q + (eq / (eq - ep)) * (p - q);
    return true;
  };
  if (!clip([&](Vec2 v) { return -dot(along, v - from); })) return std::nullopt;
  if (!clip([&](Vec2 v) { return dot(along, v - from) - extent; })) return std::nullopt;
  // Away from the face.
  const double gap = std::min(dot(face.normal, p - from), dot(face.normal, q - from));
  clip([&](Vec2 v) { return dot(face.normal, v - from) - gap - slack; });
  return Contact{face.normal, gap, {std::min(p.x, q.x), std::max(p.x, q.x)}, {p, q}};
}

}  // namespace

std::optional<Contact> contact(const Polygon& a, const Polygon& b, double tolerance) {
  const Separation of_a = best_edge(a, b);
  if (of_a.gap > tolerance) return std::nullopt;
  const Separation of_b = best_edge(b, a);
  if (of_b.gap > tolerance) return std::nullopt;
  std::optional<Contact> found;
  if (of_a.gap >= of_b.gap) {
    found = face_contact(a, of_a, b, 0.5 * tolerance);
  } else {
    found = face_contact(b, of_b, a, 0.5 * tolerance);
    if (found) found->normal = {-found->normal.x, -found->normal.y};
  }
  if (found && found->gap > tolerance) return std::nullopt;
  return found;
}

std::optional<Contact> contact(const Polygon& a, const Disc& disc, double tolerance) {
  // Nearest border point; when the centre lies inside, the edge it is nearest to.
  double gap = math::infinity;
  bool inside = true;
  Vec2 nearest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec2 from = a[i], to = a[i + 1 < a.size() ? i + 1 : 0];
    const Vec2 point = nearest_point(disc.centre, from, to);
    if (cross(to - from, disc.centre - from) < 0) inside = false;
    const double d = length(disc.centre - point);
    if (d < gap) {
      gap = d;
      nearest = point;
    }
  }
  if (gap == 0) return std::nullopt;
  const Vec2 out = (inside ? -1 / gap : 1 / gap) * (disc.centre - nearest);
  if (inside) gap = -gap;
  if (gap - disc.radius > tolerance) return std::nullopt;
  return Contact{out, gap - disc.radius, {nearest.x, nearest.x}, {nearest, nearest}};
}

std::optional<Contact> contact(const Disc& a, const Disc& b, double tolerance) {
  const Vec2 d = b.centre - a.centre;
  const double apart = length(d);
  if (apart == 0 || apart - a.radius - b.radius > tolerance) return std::nullopt;
  const Vec2 normal = (1 / apart) * d;
  const Vec2 point = a.centre + a.radius * normal;
  return Contact{normal, apart - a.radius - b.radius, {point.x, point.x}, {point, point}};
}

Vec2 nearest_border_point(Vec2 point, const Shape& shape) {
  Vec2 nearest;
  double least = std::numeric_limits<double>::infinity();
  const auto offer = [&](Vec2 p) {
    const double d = length(p - point);
    if (d < least) {
      least = d;
      nearest = p;
    }
  };
  for (const Polygon& part : shape.parts) {
    for (std::size_t i = 0, j = part.size() - 1; i < part.size(); j = i++)
      offer(nearest_point(point, part[j], part[i]));
  }
  for (const Disc& disc : shape.discs) {
    const double d = length(point - disc.centre);
    offer(d > 0 ? disc.centre + (disc.radius / d) * (point - disc.centre)
                : disc.centre + Vec2{0, disc.radius});
  }
  return nearest;
}

}  // namespace startle
