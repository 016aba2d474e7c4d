#include "reasoning/impulse/shot_progress.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/world_damage.hpp"

namespace startle {
namespace {

/// Blows followed in all.
constexpr int most_blows = 60;
/// Slower than this sideways, an object goes over to the side to which it spins, m/s.
constexpr double least_sideways_speed = 0.05;
/// An explosion nearer to an object's centre than this pushes it as from this distance, world units.
constexpr double least_distance = 0.01;

/// Whether a body that is pushed along on its base falls over its front edge, `pivot`, when friction stops
/// the base: low blows push, yet a slender post falls forward. While it slides, for v/(mu g), its weight
/// reduces its angular momentum about the edge at the rate g w/2; what is left must lift it by its
/// `lift_energy` (per kg).
bool trips(const BodyVelocity& m, const Inertia& inertia, Vec2 centre, Vec2 pivot, double friction,
           double lift_energy) {
  const double side = pivot.x > centre.x ? 1 : -1, speed = side * m.velocity.x;
  if (friction <= 0 || speed <= 0) return false;
  const Vec2 arm = centre - pivot;
  const double square = inertia.inverse_mass / inertia.inverse_moment;  // of the radius of gyration
  const double left = speed * arm.y - side * m.spin * square - speed * std::abs(arm.x) / friction;
  return left > 0 && left * left > 2 * (square + dot(arm, arm)) * lift_energy;
}

}  // namespace

void ShotProgress::start() {
  const std::size_t n = scene.objects.size();
  effects.assign(n, {});
  gone.assign(n, 0);
  lost.clear();
  debris.clear();
  bird_contacts.clear();
  blows_ = 0;
}

bool ShotProgress::goes_on() const { return blows_ <= most_blows; }

void ShotProgress::strike(Striker& striker, std::size_t struck, Vec2 point, Vec2 normal) {
  if (++blows_ > most_blows) return;
  for (const Reached& reached : blows_in_.spread(gone, striker, struck, point, normal))
    set_moving(reached.object, reached.motion);
}

void ShotProgress::strike_with_object(std::size_t i, std::size_t j, Striker striker, Vec2 point,
                                      Vec2 normal) {
  const SceneObject &a = scene.objects[i], &b = scene.objects[j];
  striker.friction = std::sqrt(a.parameters.friction * b.parameters.friction);
  const double closing = dot(striker.motion.velocity, normal);
  striker.restitution = std::max(a.parameters.restitution, b.parameters.restitution);
  const char was = gone[i];
  gone[i] = 1;  // it is the striker
  strike(striker, j, point, normal);
  gone[i] = was;
  if (!b.is_static()) hurt(j, object_damage(j, closing, a.mass()), true);
  if (!a.is_static()) hurt(i, object_damage(i, closing, a.mass()), true);
}

double ShotProgress::object_damage(std::size_t i, double speed, double attacker_mass) const {
  const Profile& p = *scene.profile;
  if (p.damage_rule == DamageRule::speed) return speed;
  return std::max(speed * attacker_mass * p.damage_k * p.generic_factor - scene.objects[i].parameters.defence,
                  0.0);
}

void ShotProgress::hurt(std::size_t i, double damage, bool defended) {
  ShotEffect& effect = effects[i];
  if (effect.destroyed || scene.objects[i].is_static()) return;
  effect.life_lost += damage;
  effect.dealt += damage + (defended ? scene.objects[i].parameters.defence : 0);
  effect.hits += defended;
  if (effect.life_lost < scene.objects[i].life) return;
  effect.destroyed = effect.moved = true;
  effect.reason = "destroyed";
  gone[i] = 1;
  lose(i);
  if (scene.objects[i].kind == Kind::tnt)
    explode(scene.objects[i].explosion, graph.geometry.shapes[i].centroid, i);
}

void ShotProgress::explode(const Explosion& explosion, Vec2 centre, std::size_t self) {
  std::vector<std::pair<std::size_t, double>> hit;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (i == self || !scene.objects[i].alive || scene.objects[i].is_static() || effects[i].destroyed)
      continue;
    if (length(nearest_border_point(centre, graph.geometry.shapes[i]) - centre) > explosion.radius) continue;
    const Vec2 away = graph.geometry.shapes[i].centroid - centre;
    const double d = std::max(length(away), least_distance);
    const Falloff falloff = explosion_falloff(scene.profile->explosion_falloff, d, explosion.radius);
    const double speed = explosion.power * falloff.impulse * network.bodies[i].inverse_mass;
    set_moving(i, {(speed / d) * away, 0});
    hit.push_back({i, explosion.damage * falloff.damage});
  }
  for (const auto& [i, damage] : hit) hurt(i, damage, false);
}

void ShotProgress::set_moving(std::size_t i, const BodyVelocity& m) {
  ShotEffect& effect = effects[i];
  const Inertia& inertia = network.bodies[i];
  const double g = gravity_of(i);
  const double energy = 0.5 * (dot(m.velocity, m.velocity) +
                               m.spin * m.spin * inertia.inverse_mass / inertia.inverse_moment);
  if (energy <= effect.energy) return;
  effect.energy = energy;
  effect.velocity = m.velocity;
  const Bounds& b = graph.geometry.bounds[i];
  const Vec2 c = graph.geometry.shapes[i].centroid;
  const bool right = std::abs(m.velocity.x) > least_sideways_speed ? m.velocity.x > 0 : m.spin < 0;
  const Vec2 pivot{right ? b.xmax : b.xmin, b.ymin};
  const double lift = length(c - pivot) - (c.y - pivot.y);
  const double friction = friction_below(i);
  const bool topples = (energy > g * lift && (right ? m.spin < 0 : m.spin > 0)) ||
                       trips(m, inertia, c, pivot, friction, g * lift);
  if ((topples || energy > g * constants_.least_lift) && !effect.moved) {
    effect.moved = true;
    effect.reason = topples ? "toppled" : "set moving";
  }
  if (effect.lost || (!topples && energy < g * constants_.support_lift)) return;
  const double way = friction > 0 ? m.velocity.x * m.velocity.x / (2 * friction * g)
                                  : std::numeric_limits<double>::infinity();
  effect.flips = topples;
  effect.direction = right ? FallDirection::right : FallDirection::left;
  if (topples || way > 0.5 * b.width()) lose(i);
  if (topples || way > contact_tolerance) debris.push_back({i, m, topples, right});
}

double ShotProgress::friction_below(std::size_t i) const {
  double most = 0;
  for (std::size_t t : network.of_body(i)) {
    const NetworkContact& touch = network.touches[t];
    const double up = touch.second == i ? touch.normal.y : -touch.normal.y;
    if (up > least_upward) most = std::max(most, touch.friction);
  }
  return most;
}

void ShotProgress::lose(std::size_t i) {
  if (effects[i].lost) return;
  effects[i].lost = true;
  lost.push_back(i);
}

bool ShotProgress::in_the_way(std::size_t j, std::size_t i) const {
  return j != i && scene.objects[j].alive && !gone[j] && !effects[j].falls && !effects[j].lost;
}

}  // namespace startle
