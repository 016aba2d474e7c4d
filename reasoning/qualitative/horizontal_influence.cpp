#include "reasoning/qualitative/horizontal_influence.hpp"

#include <algorithm>
#include <cmath>

#include "core/math.hpp"

namespace startle {
namespace {

Bounds mirrored(const Bounds& b) { return {-b.xmax, -b.xmin, b.ymin, b.ymax}; }

/// The object's bounds and another's, seen with the push towards +x.
Bounds along_push(const Bounds& b, bool right) { return right ? b : mirrored(b); }

/// The part of a convex polygon with dot(normal, p) >= offset.
Polygon clipped(const Polygon& polygon, Vec2 normal, double offset) {
  Polygon kept;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
    const double from = dot(normal, polygon[j]) - offset, to = dot(normal, polygon[i]) - offset;
    if ((from >= 0) != (to >= 0))
      kept.push_back(polygon[j] + (from / (from - to)) * (polygon[i] - polygon[j]));
    if (to >= 0) kept.push_back(polygon[i]);
  }
  return kept;
}

/// Distance of a point from the border of a polygon of any number of vertices; infinity for none.
double distance_to_border(const Polygon& polygon, Vec2 point) {
  double nearest = math::infinity;
  for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++)
    nearest = std::min(nearest, length(point - nearest_point(point, polygon[j], polygon[i])));
  return nearest;
}

/// What reaches no deeper than this into the falling arc only touches it: what lies on top of the object, and
/// the floor it stands on. World units.
constexpr double arc_margin = contact_tolerance;

/// Whether the shape reaches more than arc_margin into the quarter disc of that centre and radius, on the
/// side of the push.
bool meets_quarter_disc(const Shape& shape, Vec2 centre, double radius, bool right) {
  const Vec2 side{right ? 1.0 : -1.0, 0};
  const double within = radius - arc_margin;
  if (within * within <= 2 * arc_margin * arc_margin) return false;
  for (const Polygon& part : shape.parts) {
    const Polygon beside = clipped(part, side, side.x * centre.x + arc_margin);
    // The centre lies outside of what is left, by the margin.
    if (distance_to_border(clipped(beside, {0, 1}, centre.y + arc_margin), centre) < within) return true;
  }
  for (const Disc& disc : shape.discs) {
    // The point nearest to the disc of the quarter less its margin, in coordinates about `centre` with the
    // push towards +x.
    const Vec2 p{side.x * (disc.centre.x - centre.x), disc.centre.y - centre.y};
    Vec2 nearest{std::max(p.x, arc_margin), std::max(p.y, arc_margin)};
    if (length(nearest) > within) {
      nearest = (within / length(nearest)) * nearest;
      const double far = std::sqrt(within * within - arc_margin * arc_margin);
      if (nearest.y < arc_margin) nearest = {far, arc_margin};
      if (nearest.x < arc_margin) nearest = {arc_margin, far};
    }
    if (length(p - nearest) < disc.radius) return true;
  }
  return false;
}

}  // namespace

const char* name(HitResult result) {
  switch (result) {
    case HitResult::destroyed:
      return "destroyed";
    case HitResult::flips:
      return "flips";
    case HitResult::slides:
      return "slides";
  }
  return "";
}

double speed_at_height(const Scene& scene, const BirdType& bird, double y) {
  const Profile& p = *scene.profile;
  const double k1 = 2 * p.flight_gravity(bird), k2 = p.launch_speed * p.launch_speed;
  return std::sqrt(std::max(k2 + k1 * (scene.rest().y - y), 0.0));
}

double bird_damage(const Scene& scene, const SceneObject& object, const BirdType& bird, double speed) {
  const Profile& p = *scene.profile;
  const bool momentum = p.damage_rule == DamageRule::momentum;
  double factor = momentum ? p.generic_factor : 1;
  if (object.kind == Kind::block) {
    const auto found = bird.damage_multiplier.find(object.material);
    factor = found != bird.damage_multiplier.end() ? found->second : 1;
  }
  const double damage = momentum ? speed * bird.mass() * p.damage_k * factor : speed * factor;
  return std::max(damage - object.parameters.defence, 0.0);
}

bool object_destroy(const Scene& scene, std::size_t object, const BirdType& bird) {
  const SceneObject& o = scene.objects[object];
  if (o.is_static()) return false;
  const double y = transformed(o.shape->centroid, o.pose).y;
  return o.life - bird_damage(scene, o, bird, speed_at_height(scene, bird, y)) < 0;
}

bool object_flip(const Bounds& o, const ReasoningConstants& constants) {
  return o.height() > constants.k_flip * o.width();
}

bool pushed_right(const Scene& scene, const SceneShapes& geometry, std::size_t object) {
  return geometry.shapes[object].centroid.x >= scene.slingshot.x;
}

std::vector<std::size_t> falling_arc(const Scene& scene, const SceneShapes& geometry, std::size_t object) {
  const bool right = pushed_right(scene, geometry, object);
  const Bounds& o = geometry.bounds[object];
  const Vec2 centre{right ? o.xmax : o.xmin, o.ymin};
  const double radius = o.height();
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < scene.objects.size(); ++j) {
    const Bounds& b = geometry.bounds[j];
    if (b.ymax < centre.y || b.ymin > centre.y + radius) continue;
    if (right ? (b.xmax < centre.x || b.xmin > centre.x + radius)
              : (b.xmin > centre.x || b.xmax < centre.x - radius))
      continue;
    if (j == object || !scene.objects[j].alive) continue;
    if (meets_quarter_disc(geometry.shapes[j], centre, radius, right)) found.push_back(j);
  }
  return found;
}

std::vector<std::size_t> sliding_path(const Scene& scene, const SceneShapes& geometry, std::size_t object,
                                      const ReasoningConstants& constants) {
  const bool right = pushed_right(scene, geometry, object);
  const Bounds o = along_push(geometry.bounds[object], right);
  std::vector<std::size_t> found;
  for (std::size_t j = 0; j < scene.objects.size(); ++j) {
    const Bounds b = along_push(geometry.bounds[j], right);
    if (b.xmin <= o.xmax - contact_tolerance || b.xmin >= o.xmax + constants.k_slide) continue;
    if (b.ymin >= o.ymax - contact_tolerance || b.ymax <= o.ymin + contact_tolerance) continue;
    if (j != object && scene.objects[j].alive) found.push_back(j);
  }
  return found;
}

HorizontalInfluence horizontal_influence(const Scene& scene, const SupportGraph& graph, std::size_t object,
                                         const BirdType& bird, const ReasoningConstants& constants) {
  VerticalImpact vertical(scene, graph);
  return horizontal_influence(vertical, object, bird, constants);
}

HorizontalInfluence horizontal_influence(VerticalImpact& vertical, std::size_t object, const BirdType& bird,
                                         const ReasoningConstants& constants) {
  const Scene& scene = vertical.scene();
  const SceneShapes& geometry = vertical.graph().geometry;
  HorizontalInfluence result;
  if (object_destroy(scene, object, bird)) {
    result.hit = HitResult::destroyed;
    return result;
  }
  if (object_flip(geometry.bounds[object], constants)) {
    result.hit = HitResult::flips;
    result.candidates = falling_arc(scene, geometry, object);
  } else {
    result.candidates = sliding_path(scene, geometry, object, constants);
  }
  const bool right = pushed_right(scene, geometry, object);
  double nearest = math::infinity;
  for (std::size_t j : result.candidates) {
    const double gap = along_push(geometry.bounds[j], right).xmin -
                       along_push(geometry.bounds[object], right).xmax;
    if (gap < nearest) {
      nearest = gap;
      result.closest = j;
    }
  }
  if (result.closest) result.falls = vertical.falls_without(*result.closest);
  return result;
}

}  // namespace startle
