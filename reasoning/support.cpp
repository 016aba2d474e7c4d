#include "reasoning/support.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include "reasoning/contact.hpp"

namespace startle {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// cos 45 degrees: contacts whose normal leans further from the vertical carry nothing. A little less, so that
/// the 45 degree slope of the triangle block counts on either side of rounding.
constexpr double least_normal_y = 0.7071;

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
