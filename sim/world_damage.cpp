#include "sim/world_damage.hpp"

#include <algorithm>

namespace startle {
namespace {

/// The inverse-distance rule has no limit at the centre; nearer than this nothing grows any more. World
/// units.
constexpr double least_distance = 0.01;

/// kg: what the original's editor gives a platform, which nothing else there asks for.
constexpr double platform_mass = 1;

/// Of a blow that is not a bird's on a block. `relative`: the other's velocity less one's own, before the
/// collision; `speed` its length.
double attacker_mass(Attacker rule, const Collider& self, const Collider& other, Vec2 relative,
                     double speed) {
  if (rule == Attacker::after) {
    const bool other_attacks = other.kind != Kind::ground &&
                               dot(other.velocity_after, relative) < dot(self.velocity_after, relative);
    return !other_attacks ? self.mass : other.fixed ? platform_mass : other.mass;
  }
  // Closing speeds along the relative velocity add up to its length; the faster one attacks.
  const double other_closing = dot(other.velocity, relative) / speed;
  const double self_closing = -dot(self.velocity, relative) / speed;
  return other.fixed || self_closing > other_closing ? self.mass : other.mass;
}

}  // namespace

double collision_damage(const Profile& profile, const Collider& self, const Collider& other) {
  const Vec2 relative = other.velocity - self.velocity;
  const double speed = length(relative);
  if (!(speed > 0)) return 0;
  const bool bird_on_block = other.bird && self.kind == Kind::block;
  double multiplier = 1;
  if (bird_on_block) {
    const auto entry = other.bird->damage_multiplier.find(self.material);
    if (entry != other.bird->damage_multiplier.end()) multiplier = entry->second;
  }

  double damage = speed * multiplier;
  if (profile.damage_rule == DamageRule::momentum) {
    const double mass = bird_on_block ? other.mass
                                      : attacker_mass(profile.attacker, self, other, relative, speed);
    damage *= mass * profile.damage_k * (bird_on_block ? 1 : profile.generic_factor);
  }
  return std::max(damage - self.defence, 0.0);
}

Falloff explosion_falloff(ExplosionFalloff rule, double distance, double radius) {
  if (rule == ExplosionFalloff::linear) {
    const double share = std::max(1 - distance / radius, 0.0);
    return {share, share};
  }
  const double d = std::max(distance, least_distance);
  return {1 / d, 1 / (2 * d)};
}

}  // namespace startle
