#include "reasoning/support.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace startle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// cos 45 degrees: contacts whose normal leans further from the vertical carry nothing. A little less, so that
/// the 45 degree slope of the triangle block counts on either side of rounding.
constexpr double least_normal_y = 0.7071;

/// How two convex pieces touch.
struct Contact {
  Vec2 normal;        ///< unit, from the first to the second piece
  double gap = 0;     ///< negative when they overlap
  Interval x;         ///< of the touching parts
};

struct Separation {
  double gap = -infinity;
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
    double gap = infinity;
    for (Vec2 p : b) gap = std::min(gap, dot(normal, p - a[i]));
    if (gap > best.gap) best = {gap, i, normal};
  }
  return best;
}

/// The part of b's facing edge that lies over a's dividing edge and is, but for `slack`, as near to it as any.
std::optional<Contact> face_contact(const Polygon& a, const Separation& face, const Polygon& b, double slack) {
  std::size_t facing = 0;
  double least = infinity;
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
    if (ep > 0) p = p + (ep / (ep - eq)) * (q - p);
    else if (eq > 0) q = q + (eq / (eq - ep)) * (p - q);
    return true;
  };
  if (!clip([&](Vec2 v) { return -dot(along, v - from); })) return std::nullopt;
  if (!clip([&](Vec2 v) { return dot(along, v - from) - extent; })) return std::nullopt;
  // Away from the face.
  const double gap = std::min(dot(face.normal, p - from), dot(face.normal, q - from));
  clip([&](Vec2 v) { return dot(face.normal, v - from) - gap - slack; });
  return Contact{face.normal, gap, {std::min(p.x, q.x), std::max(p.x, q.x)}};
}

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
  double gap = infinity;
  bool inside = true;
  Vec2 nearest;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vec2 from = a[i], edge = a[i + 1 < a.size() ? i + 1 : 0] - from;
    const Vec2 point = from + std::clamp(dot(disc.centre - from, edge) / dot(edge, edge), 0.0, 1.0) * edge;
    if (cross(edge, disc.centre - from) < 0) inside = false;
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
  return Contact{out, gap - disc.radius, {nearest.x, nearest.x}};
}

std::optional<Contact> contact(const Disc& a, const Disc& b, double tolerance) {
  const Vec2 d = b.centre - a.centre;
  const double apart = length(d);
  if (apart == 0 || apart - a.radius - b.radius > tolerance) return std::nullopt;
  const Vec2 normal = (1 / apart) * d;
  const double x = a.centre.x + a.radius * normal.x;
  return Contact{normal, apart - a.radius - b.radius, {x, x}};
}

/// All contacts of one shape's pieces by which it carries the other, taken together.
struct Bearing {
  double gap = infinity;
  Interval x{infinity, -infinity};
  void add(const Contact& c) {
    gap = std::min(gap, c.gap);
    x.start = std::min(x.start, c.x.start);
    x.end = std::max(x.end, c.x.end);
  }
};

/// What a carries of b, and b of a.
struct Bearings {
  Bearing of_a, of_b;
  void add(const std::optional<Contact>& c) {
    if (!c) return;
    if (c->normal.y >= least_normal_y) of_a.add(*c);
    if (c->normal.y <= -least_normal_y) of_b.add(*c);
  }
};

Bearings bearings(const Shape& a, const Shape& b, double tolerance) {
  Bearings result;
  const auto turned = [](std::optional<Contact> c) {
    if (c) c->normal = {-c->normal.x, -c->normal.y};
    return c;
  };
  for (const Polygon& p : a.parts) {
    for (const Polygon& q : b.parts) result.add(contact(p, q, tolerance));
    for (const Disc& d : b.discs) result.add(contact(p, d, tolerance));
  }
  for (const Disc& d : a.discs) {
    for (const Polygon& q : b.parts) result.add(turned(contact(q, d, tolerance)));
    for (const Disc& e : b.discs) result.add(contact(d, e, tolerance));
  }
  return result;
}

/// x-interval of the part of the shape's border no higher than y.
Interval part_below(const Shape& shape, double y) {
  Interval x{infinity, -infinity};
  const auto add = [&](double at) {
    x.start = std::min(x.start, at);
    x.end = std::max(x.end, at);
  };
  for (const Polygon& part : shape.parts) {
    for (std::size_t i = 0, j = part.size() - 1; i < part.size(); j = i++) {
      const Vec2 p = part[j], q = part[i];
      if (p.y <= y) add(p.x);
      if ((p.y <= y) != (q.y <= y)) add(p.x + (y - p.y) / (q.y - p.y) * (q.x - p.x));
    }
  }
  for (const Disc& d : shape.discs)
    if (d.centre.y - d.radius <= y) add(d.centre.x);
  return x;
}

SupporterClass class_of(const Interval& contact, const Shape& shape, const Bounds& box) {
  const double centre = shape.centroid.x, half = std::max(centre - box.xmin, box.xmax - centre);
  // Widened by the balance tolerance: a round object touches in a point right under its centre.
  return supporter_class(era({contact.start - balance_tolerance, contact.end + balance_tolerance}, {centre - half, centre + half}));
}

bool near(const Bounds& a, const Bounds& b, double gap) {
  return a.xmin <= b.xmax + gap && b.xmin <= a.xmax + gap && a.ymin <= b.ymax + gap && b.ymin <= a.ymax + gap;
}

}  // namespace

SupportGraph support_graph(const Scene& scene, double tolerance) {
  SupportGraph graph;
  const std::size_t n = scene.objects.size();
  graph.geometry = scene_shapes(scene);
  graph.supporters.resize(n);
  graph.supportees.resize(n);
  const std::vector<Shape>& shapes = graph.geometry.shapes;
  const std::vector<Bounds>& boxes = graph.geometry.bounds;

  const auto add = [&](std::size_t lower, std::size_t upper, const Interval& x) {
    graph.supporters[upper].push_back(graph.edges.size());
    if (lower != ground_index) graph.supportees[lower].push_back(graph.edges.size());
    graph.edges.push_back({lower, upper, x, class_of(x, shapes[upper], boxes[upper])});
  };

  const double ground = scene.profile->ground_y;
  for (std::size_t i = 0; i < n; ++i) {
    const SceneObject& oi = scene.objects[i];
    if (!oi.alive) continue;
    if (!oi.is_static() && boxes[i].ymin <= ground + tolerance)
      add(ground_index, i, part_below(shapes[i], boxes[i].ymin + 0.5 * tolerance));
    for (std::size_t j = i + 1; j < n; ++j) {
      const SceneObject& oj = scene.objects[j];
      if (!oj.alive || (oi.is_static() && oj.is_static()) || !near(boxes[i], boxes[j], tolerance)) continue;
      const Bearings b = bearings(shapes[i], shapes[j], tolerance);
      bool i_carries = b.of_a.gap < infinity && !oj.is_static();
      bool j_carries = b.of_b.gap < infinity && !oi.is_static();
      if (i_carries && j_carries) {
        // One inside the other's hole, or hooked together: the nearer contact bears the weight.
        i_carries = b.of_a.gap < b.of_b.gap || (b.of_a.gap == b.of_b.gap && shapes[i].centroid.y <= shapes[j].centroid.y);
        j_carries = !i_carries;
      }
      if (i_carries) add(i, j, b.of_a.x);
      if (j_carries) add(j, i, b.of_b.x);
    }
  }
  return graph;
}

}  // namespace startle
