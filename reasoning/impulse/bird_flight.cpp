#include "reasoning/impulse/bird_flight.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace startle {
namespace {

/// Contacts of the bird that are followed, the first included; later ones are too slow to matter.
constexpr int most_bird_contacts = 8;
/// The bird is taken away this long after its first contact, s.
constexpr double bird_time = 3;
/// A disc that starts to roll keeps this share of its speed (rolling without slipping).
constexpr double rolling_share = 2.0 / 3;
/// Slower than this a bird moves nothing any more, m/s.
constexpr double least_bird_speed = 0.3;
/// Slower than this it does not leave what it has struck: rounding, m/s.
constexpr double least_rebound = 1e-6;
/// An exploding bird explodes where it would be after this share of its delay, at its speed after the first
/// contact.
constexpr double explosion_way_share = 0.5;

struct NextContact {
  std::size_t object;  ///< or ground_index
  double time;
};

/// What the flight meets first, `from` (which it starts at) left out.
std::optional<NextContact> first_struck(const ShotProgress& progress, const Trajectory& flight,
                                        std::size_t from, double limit) {
  const Scene& scene = progress.scene;
  const SceneShapes& geometry = progress.graph.geometry;
  const SweptDisc path(flight);
  std::optional<NextContact> found;
  if (from != ground_index && flight.gravity > 0)
    if (const auto t = first_ground_contact(flight, scene.profile->ground_y, limit))
      found = {ground_index, limit = *t};
  if (from == ground_index && flight.gravity > 0 && flight.velocity.y > 0) {
    const double t = 2 * flight.velocity.y / flight.gravity;  // back on the ground
    if (t < limit) found = {ground_index, limit = t};
  }
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (!path.may_touch(geometry.bounds[i], limit) || !scene.objects[i].alive || progress.gone[i] ||
        i == from)
      continue;
    const double t = path.first_contact(geometry.obstacles[i], limit);
    if (t < limit) found = {i, limit = t};
  }
  return found;
}

void strike_with_bird(ShotProgress& progress, Striker& striker, const BirdType& bird, std::size_t struck,
                      Vec2 point, Vec2 normal) {
  const Scene& scene = progress.scene;
  const double speed = length(striker.motion.velocity);
  const SceneObject* object = struck == ground_index ? nullptr : &scene.objects[struck];
  const Profile& p = *scene.profile;
  striker.friction = std::sqrt(bird.parameters.friction *
                               (object ? object->parameters.friction : p.default_friction));
  striker.restitution = std::max(bird.parameters.restitution,
                                 object ? object->parameters.restitution : p.default_restitution);
  progress.strike(striker, struck, point, normal);
  if (object && !object->is_static()) progress.hurt(struck, bird_damage(scene, *object, bird, speed), true);
}

Striker striker_of(const BirdType& bird, const Trajectory& trajectory) {
  SceneObject body;
  body.shape = bird.shape;
  body.parameters = bird.parameters;
  Shape disc;
  disc.discs.push_back({{}, trajectory.radius});
  return {.inertia = inertia_of(body, disc), .motion = {trajectory.velocity_at(trajectory.time), 0}};
}

}  // namespace

void follow_bird(ShotProgress& progress, const BirdType& bird, const Trajectory& trajectory,
                 std::size_t target) {
  const SceneShapes& geometry = progress.graph.geometry;
  const double ground_y = progress.scene.profile->ground_y,
               gravity = progress.scene.profile->flight_gravity(bird);
  const auto away = [&](Vec2 from, Vec2 velocity, double pull) {
    return Trajectory{.shot = {},
                      .start = from,
                      .velocity = velocity,
                      .gravity = pull,
                      .radius = trajectory.radius,
                      .aim = {}};
  };
  Striker striker = striker_of(bird, trajectory);
  Vec2 at = trajectory.at(trajectory.time), explodes_at;
  std::size_t struck = target;
  double time = 0;
  for (int contact = 0; contact < most_bird_contacts; ++contact) {
    striker.inertia.centre = at;
    Vec2 point{at.x, ground_y}, normal{0, -1};
    if (struck != ground_index) {
      point = nearest_border_point(at, geometry.shapes[struck]);
      const double apart = length(point - at);
      if (apart < coincident) break;
      normal = (1 / apart) * (point - at);
    }
    const double closing = dot(striker.motion.velocity, normal);
    const Vec2 before = striker.motion.velocity;
    if (closing > 0) strike_with_bird(progress, striker, bird, struck, point, normal);
    progress.bird_contacts.push_back({struck, at, before, striker.motion.velocity});
    // It explodes a little later, wherever it is by then.
    if (contact == 0) explodes_at = at + explosion_way_share * bird.power.delay * striker.motion.velocity;
    Vec2 velocity = striker.motion.velocity;
    Trajectory flight = away(at, velocity, gravity);
    double left = bird_time - time;
    std::optional<NextContact> next;
    // What neither bounces nor gives way holds it, however hard it came down.
    const bool held = (struck == ground_index || progress.scene.objects[struck].is_static()) &&
                      dot(velocity, normal) > -least_rebound;
    if ((closing < least_bounce_speed || held) && normal.y < -least_upward) {
      // It rolls, to the end of what it lies on and then off it.
      velocity = {rolling_share * velocity.x, 0};
      if (std::abs(velocity.x) < least_bird_speed) break;
      flight = away(at, velocity, 0);
      if (struck != ground_index && !progress.gone[struck]) {
        const Bounds& b = geometry.bounds[struck];
        const double to_end = std::max(((velocity.x > 0 ? b.xmax : b.xmin) - at.x) / velocity.x, 0.0);
        next = first_struck(progress, flight, struck, std::min(left, to_end));
        if (!next && to_end < left) {
          time += to_end;
          left -= to_end;
          flight = away(flight.at(to_end), velocity, gravity);
        }
      }
    }
    if (length(velocity) < least_bird_speed) break;
    if (!next) next = first_struck(progress, flight, struck, left);
    if (!next) break;
    at = flight.at(next->time);
    striker.motion = {flight.velocity_at(next->time), 0};
    time += next->time;
    struck = next->object;
  }
  if (bird.power.kind == PowerKind::explode)
    progress.explode(bird.power.explosion, explodes_at, ground_index);
}

}  // namespace startle
