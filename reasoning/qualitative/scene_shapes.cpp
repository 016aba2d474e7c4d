#include "reasoning/qualitative/scene_shapes.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace startle {
namespace {

/// The shape where the object is, without the outlines, which only pictures need.
Shape solid_shape(const Shape& shape, const Pose& pose) {
  const Vec2 d = direction(pose.angle);
  const auto place = [&](Vec2 p) {
    return Vec2{pose.position.x + d.x * p.x - d.y * p.y, pose.position.y + d.y * p.x + d.x * p.y};
  };
  Shape placed;
  placed.parts.reserve(shape.parts.size());
  for (const Polygon& part : shape.parts) {
    Polygon& polygon = placed.parts.emplace_back(part.size());
    std::transform(part.begin(), part.end(), polygon.begin(), place);
  }
  placed.discs.reserve(shape.discs.size());
  for (const Disc& disc : shape.discs) placed.discs.push_back({place(disc.centre), disc.radius});
  placed.area = shape.area;
  placed.centroid = place(shape.centroid);
  return placed;
}

/// Pairs (i, j), i < j, of living objects, not both static, whose boxes are no further apart than `gap`; in
/// order.
std::vector<std::pair<std::size_t, std::size_t>> near_pairs(const Scene& scene,
                                                            const std::vector<Bounds>& boxes, double gap) {
  std::vector<std::pair<double, std::size_t>> from_left;
  from_left.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    if (scene.objects[i].alive) from_left.push_back({boxes[i].xmin, i});
  std::sort(from_left.begin(), from_left.end());
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  pairs.reserve(4 * boxes.size());
  std::vector<std::size_t> open;  // boxes that the sweep has not left behind
  for (const auto& [x, i] : from_left) {
    const Bounds& box = boxes[i];
    std::size_t kept = 0;
    for (std::size_t j : open) {
      const Bounds& other = boxes[j];
      if (x > other.xmax + gap) continue;
      open[kept++] = j;
      if (box.ymin > other.ymax + gap || other.ymin > box.ymax + gap) continue;
      if (!scene.objects[i].is_static() || !scene.objects[j].is_static()) pairs.push_back(std::minmax(i, j));
    }
    open.resize(kept);
    open.push_back(i);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

void add_contacts(std::vector<PieceContact>& contacts, std::size_t i, std::size_t j, const Shape& a,
                  const Shape& b, double tolerance) {
  const auto add = [&](std::size_t first, std::size_t second, const std::optional<Contact>& c) {
    if (c) contacts.push_back({first, second, *c});
  };
  for (const Polygon& p : a.parts) {
    for (const Polygon& q : b.parts) add(i, j, contact(p, q, tolerance));
    for (const Disc& d : b.discs) add(i, j, contact(p, d, tolerance));
  }
  for (const Disc& d : a.discs) {
    for (const Polygon& q : b.parts) add(j, i, contact(q, d, tolerance));
    for (const Disc& e : b.discs) add(i, j, contact(d, e, tolerance));
  }
}

}  // namespace

SceneShapes scene_shapes(const Scene& scene, double tolerance) {
  SceneShapes result;
  const std::size_t n = scene.objects.size();
  result.shapes.resize(n);
  result.bounds.resize(n);
  result.obstacles.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const SceneObject& object = scene.objects[i];
    if (!object.alive) continue;
    result.shapes[i] = solid_shape(*object.shape, object.pose);
    result.obstacles[i] = make_obstacle(result.shapes[i]);
    result.bounds[i] = result.obstacles[i].box;
  }
  result.contacts.reserve(3 * n);
  for (const auto& [i, j] : near_pairs(scene, result.bounds, tolerance))
    add_contacts(result.contacts, i, j, result.shapes[i], result.shapes[j], tolerance);
  return result;
}

}  // namespace startle
