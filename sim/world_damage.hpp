#pragma once
/// \file  The rules of damage, apart from the engine: what one body loses when another begins to touch it,
/// and
///        how an explosion fades with distance. Docs: docs/engine.md, section Damage.
#include "sim/profile.hpp"

namespace startle {

/// One of two bodies that begin to touch.
struct Collider {
  Kind kind = Kind::block;
  Material material = Material::none;
  double defence = 0;
  double mass = 0;                 ///< kg; not used for fixed bodies
  bool fixed = false;              ///< ground, platform, slingshot
  Vec2 velocity;                   ///< m/s, of the centre of mass, before the collision is resolved
  const BirdType* bird = nullptr;  ///< set for birds
  Vec2 velocity_after;  ///< the same at the end of the step in which it is; zero for what was destroyed in it
};

/// Hit points that `self` loses, >= 0.
///
/// momentum (anu), with v = |v_self - v_other|, K = Profile::damage_k, f = Profile::generic_factor:
///   block hit by a bird  v m_bird multiplier(material) K - defence
///   all other            v m_attacker K f - defence
///
/// - Attacker::before: the attacker is the body with the larger closing speed, the other body when they are
///   equal; a fixed body never is.
/// - Attacker::after: the other body where its velocity after the collision has the larger component along
///   v_self - v_other (before it), else oneself: who drives one away, squarely and faster than it follows, or
///   throws one back, attacks; who pushes or grazes does not. The ground never is, platforms weigh 1 kg. That
///   is ABGameObject.OnCollisionEnter2D of the original; for the sign see docs/engine.md.
///
/// speed (classic):
///   v, times multiplier(material) when a bird hits a block, - defence (0 in that profile)
double collision_damage(const Profile& profile, const Collider& self, const Collider& other);

/// Shares of an explosion's damage and of its impulse that reach an object at `distance` (centre to centre).
struct Falloff {
  double damage = 0;
  double impulse = 0;
};
/// linear: both max(1 - d/radius, 0). inverse: 1/d and 1/(2 d), d at least 0.01.
Falloff explosion_falloff(ExplosionFalloff rule, double distance, double radius);

}  // namespace startle
