#include "reasoning/impulse/debris.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace startle {
namespace {

/// Free falls are followed for so long, s.
constexpr double flight_time = 3;
/// Slides are followed so far, world units.
constexpr double longest_slide = 5;
/// What topples strikes no lower than this above its base, world units: at the base itself it would not move.
constexpr double least_strike_height = 0.1;

void slide(ShotProgress& progress, const Debris& debris) {
  const std::size_t i = debris.object;
  const std::vector<Bounds>& bounds = progress.graph.geometry.bounds;
  const Bounds& o = bounds[i];
  const bool right = debris.motion.velocity.x > 0;
  const double sign = right ? 1 : -1, g = progress.gravity_of(i), friction = progress.friction_below(i);
  const double v2 = debris.motion.velocity.x * debris.motion.velocity.x;
  const double way = friction > 0 ? std::min(v2 / (2 * friction * g), longest_slide) : longest_slide;
  std::size_t first = ground_index;
  double gap = way;
  for (std::size_t j = 0; j < bounds.size(); ++j) {
    const Bounds& b = bounds[j];
    const double d = right ? b.xmin - o.xmax : o.xmin - b.xmax;
    if (d <= contact_tolerance || d >= gap) continue;
    if (b.ymin >= o.ymax - contact_tolerance || b.ymax <= o.ymin + contact_tolerance ||
        !progress.in_the_way(j, i))
      continue;
    gap = d;
    first = j;
  }
  if (first == ground_index) return;
  const Bounds& b = bounds[first];
  Striker striker{.inertia = progress.network.bodies[i],
                  .motion = {{sign * std::sqrt(std::max(v2 - 2 * friction * g * gap, 0.0)), 0}, 0}};
  const Vec2 point{right ? b.xmin : b.xmax, 0.5 * (std::max(o.ymin, b.ymin) + std::min(o.ymax, b.ymax))};
  striker.inertia.centre = {striker.inertia.centre.x, point.y};
  progress.strike_with_object(i, first, striker, point, {sign, 0});
}

void topple(ShotProgress& progress, const Debris& debris) {
  const std::size_t i = debris.object;
  const std::vector<Bounds>& bounds = progress.graph.geometry.bounds;
  const Bounds& o = bounds[i];
  const bool right = debris.right;
  const double sign = right ? 1 : -1, g = progress.gravity_of(i);
  const Vec2 pivot{right ? o.xmax : o.xmin, o.ymin};
  const double radius = o.height();
  std::size_t first = ground_index;
  double gap = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < bounds.size(); ++j) {
    const Bounds& b = bounds[j];
    const double d = right ? b.xmin - pivot.x : pivot.x - b.xmax;
    if (d < -contact_tolerance || d >= gap) continue;
    const double dy = std::max(b.ymin - pivot.y, 0.0);
    if (d * d + dy * dy > radius * radius) continue;
    if (b.ymax <= o.ymin + contact_tolerance || b.ymin >= o.ymin + radius || !progress.in_the_way(j, i))
      continue;
    gap = d;
    first = j;
  }
  if (first == ground_index) return;
  const Bounds& b = bounds[first];
  gap = std::max(gap, 0.0);
  // The top comes down along the arc until it is `gap` aside; a rod about its end.
  const double height = std::min(std::sqrt(radius * radius - gap * gap), b.ymax - pivot.y);
  const Vec2 velocity = debris.motion.velocity;
  const double energy = 0.5 * dot(velocity, velocity) +
                        g * 0.5 * (radius - std::sqrt(radius * radius - gap * gap));
  const double speed = std::sqrt(std::max(3 * energy, 0.0)) * std::max(height, least_strike_height) / radius;
  Striker striker{.inertia = progress.network.bodies[i], .motion = {{sign * speed, 0}, 0}};
  striker.inertia.inverse_mass *= 3;
  const Vec2 point{right ? b.xmin : b.xmax, std::max(pivot.y + height, b.ymin)};
  striker.inertia.centre = point;
  progress.strike_with_object(i, first, striker, point, {sign, 0});
}

bool touching(const ContactNetwork& network, std::size_t i, std::size_t j) {
  return std::any_of(network.of_body(i).begin(), network.of_body(i).end(), [&](std::size_t t) {
    return network.touches[t].first == j || network.touches[t].second == j;
  });
}

/// Free fall, as a disc of the size of the object's narrow side.
void fly(ShotProgress& progress, const Debris& debris) {
  const std::size_t i = debris.object;
  const SceneShapes& geometry = progress.graph.geometry;
  const Bounds& o = geometry.bounds[i];
  const Trajectory flight{.shot = {},
                          .start = progress.network.bodies[i].centre,
                          .velocity = debris.motion.velocity,
                          .gravity = progress.gravity_of(i),
                          .radius = 0.5 * std::min(o.width(), o.height()),
                          .aim = {}};
  const SweptDisc path(flight);
  double first = flight_time;
  if (const auto t = first_ground_contact(flight, progress.scene.profile->ground_y, first)) first = *t;
  std::size_t struck = ground_index;
  for (std::size_t j = 0; j < geometry.bounds.size(); ++j) {
    if (!path.may_touch(geometry.bounds[j], first) || !progress.in_the_way(j, i) ||
        touching(progress.network, i, j))
      continue;
    const double t = path.first_contact(geometry.obstacles[j], first);
    if (t < first) {
      first = t;
      struck = j;
    }
  }
  if (struck == ground_index) return;
  Striker striker{.inertia = progress.network.bodies[i], .motion = {flight.velocity_at(first), 0}};
  striker.inertia.centre = flight.at(first);
  const Vec2 point = nearest_border_point(striker.inertia.centre, geometry.shapes[struck]);
  const double apart = length(point - striker.inertia.centre);
  if (apart < coincident) return;
  const Vec2 normal = (1 / apart) * (point - striker.inertia.centre);
  if (dot(striker.motion.velocity, normal) > 0)
    progress.strike_with_object(i, struck, striker, point, normal);
}

}  // namespace

void follow_debris(ShotProgress& progress, const Debris& debris) {
  if (debris.topples)
    topple(progress, debris);
  else
    slide(progress, debris);
  if (progress.effects[debris.object].lost) fly(progress, debris);
}

}  // namespace startle
