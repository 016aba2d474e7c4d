#include "reasoning/qualitative/support.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace startle {
namespace {

/// cos 45 degrees: contacts whose normal leans further from the vertical carry nothing. A little less, so
/// that the 45 degree slope of the triangle block counts on either side of rounding.
constexpr double least_normal_y = 0.7071;

/// All contacts of one shape's pieces by which it carries the other, taken together.
struct Bearing {
  double gap = math::infinity;
  Interval x{math::infinity, -math::infinity};
  void add(const Contact& c) {
    gap = std::min(gap, c.gap);
    x.start = std::min(x.start, c.x.start);
    x.end = std::max(x.end, c.x.end);
  }
};

/// x-interval of the part of the shape's border no higher than y.
Interval part_below(const Shape& shape, double y) {
  Interval x{math::infinity, -math::infinity};
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
  return supporter_class(era({contact.start - balance_tolerance, contact.end + balance_tolerance},
                             {centre - half, centre + half}));
}

}  // namespace

SupportGraph support_graph(const Scene& scene, double tolerance) {
  SupportGraph graph;
  const std::size_t n = scene.objects.size();
  graph.geometry = scene_shapes(scene, tolerance);
  graph.supporters.resize(n);
  graph.supportees.resize(n);
  graph.edges.reserve(2 * n);
  const std::vector<Shape>& shapes = graph.geometry.shapes;
  const std::vector<Bounds>& boxes = graph.geometry.bounds;

  const auto add = [&](std::size_t lower, std::size_t upper, const Interval& x) {
    graph.supporters[upper].push_back(graph.edges.size());
    if (lower != ground_index) graph.supportees[lower].push_back(graph.edges.size());
    graph.edges.push_back({lower, upper, x, class_of(x, shapes[upper], boxes[upper])});
  };

  auto next = graph.geometry.contacts.begin();
  const auto end = graph.geometry.contacts.end();
  for (std::size_t i = 0; i < n; ++i) {
    const SceneObject& oi = scene.objects[i];
    if (!oi.alive) continue;
    if (!oi.is_static() && boxes[i].ymin <= scene.profile->ground_y + tolerance)
      add(ground_index, i, part_below(shapes[i], boxes[i].ymin + 0.5 * tolerance));
    while (next != end && std::min(next->first, next->second) == i) {
      const std::size_t j = std::max(next->first, next->second);
      Bearing of_i, of_j;  // what i carries of j, and j of i
      for (; next != end && std::minmax(next->first, next->second) == std::minmax(i, j); ++next) {
        const double up = next->first == i ? next->contact.normal.y : -next->contact.normal.y;
        if (up >= least_normal_y) of_i.add(next->contact);
        if (up <= -least_normal_y) of_j.add(next->contact);
      }
      bool i_carries = of_i.gap < math::infinity && !scene.objects[j].is_static();
      bool j_carries = of_j.gap < math::infinity && !oi.is_static();
      if (i_carries && j_carries) {
        // One inside the other's hole, or hooked together: the nearer contact bears the weight.
        i_carries = of_i.gap < of_j.gap ||
                    (of_i.gap == of_j.gap && shapes[i].centroid.y <= shapes[j].centroid.y);
        j_carries = !i_carries;
      }
      if (i_carries) add(i, j, of_i.x);
      if (j_carries) add(j, i, of_j.x);
    }
  }
  return graph;
}

}  // namespace startle
