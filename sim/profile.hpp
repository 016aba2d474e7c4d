#pragma once
/// \file  Profiles: every physical constant of a world, as data (sim/profiles/*.json).
///
/// `anu` is the game of Phy-Q, NovPhy and AIBirds (2019 onward), `classic` the original clone (2016 to 2018),
/// `startle` (the default) is `anu` with a wood restitution of 0.1: novelty T2 multiplies the wood bounciness
/// [Pinto §5], which must not be zero. It keeps three values of an earlier `anu` that its benchmark was made
/// with (docs/profiles.md).
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/geometry.hpp"
#include "sim/level.hpp"
#include "sim/parameters.hpp"

namespace startle {

struct Explosion {
  double radius = 0;  ///< world units: objects whose shape meets this disc are hit
  double power = 0;   ///< impulse (N s) before falloff
  double damage = 0;  ///< hit points before falloff
};

enum class PowerKind { none, split, dash, explode, egg };

/// What a bird does when the player taps.
struct Power {
  PowerKind kind = PowerKind::none;
  std::vector<double> angles;  ///< split: directions of the children off the velocity, radians
  double impulse = 0;          ///< dash: along the velocity; egg: upward on the bird (N s)
  double egg_impulse = 0;      ///< egg: downward on the egg (N s)
  double delay = 0;            ///< explode: seconds from first contact to the explosion without a tap
  Explosion explosion;         ///< explode
};

/// One appearance: shape and parameters. For blocks one exists for each material.
struct ObjectType {
  Kind kind = Kind::block;
  std::string type;
  Material material = Material::none;
  std::shared_ptr<const Shape> shape;  ///< in the body's frame
  Parameters parameters;
  Explosion explosion;  ///< tnt and egg
  double mass() const { return parameters.density * shape->area; }
};

struct BirdType {
  std::string type;
  std::shared_ptr<const Shape> shape;
  Parameters parameters;  ///< gravity_scale is that of flight
  std::map<Material, double> damage_multiplier;
  Power power;
  double mass() const { return parameters.density * shape->area; }
  /// Radius of the smallest disc about `centre` that holds the shape: what a flying bird sweeps.
  double radius = 0;
  Vec2 centre;  ///< of that disc, in the body's frame
};

/// momentum: damage grows with the attacker's mass (anu); speed: damage is the relative speed (classic).
enum class DamageRule { momentum, speed };
/// Whose mass counts in a blow under the momentum rule, where it is not a bird's on a block. before: that of
/// the body with the larger closing speed before the collision (startle). after: as the original's script
/// compares velocities, which it reads after the collision (anu); sim/world_damage.hpp.
enum class Attacker { before, after };
/// linear: x max(1 - d/radius, 0) (anu); inverse: damage/d, impulse/(2 d) (classic).
enum class ExplosionFalloff { linear, inverse };

struct Profile {
  std::string name;
  double gravity = 9.81;  ///< m/s^2, downward
  double step = 0.02;     ///< s
  int velocity_iterations = 100;
  int position_iterations = 100;
  double width_per_unit = 17.5;   ///< world width of one landscape
  double ground_y = -3.5;         ///< top of the ground
  double default_friction = 0.4;  ///< ground and platforms
  double default_restitution = 0;
  Vec2 rest_offset{-0.15, 0.8};  ///< bird's rest position relative to the slingshot
  double max_stretch = 1;        ///< longest pull, world units
  double launch_speed = 10;      ///< m/s at the longest pull
  DamageRule damage_rule = DamageRule::momentum;
  Attacker attacker = Attacker::before;
  double damage_k = 11.22;      ///< momentum rule: hit points per N s
  double generic_factor = 0.5;  ///< momentum rule: factor for blows that are not a bird on a block
  ExplosionFalloff explosion_falloff = ExplosionFalloff::linear;
  double score_pig = 5000, score_block = 500, score_unused_bird = 10000;
  bool score_hit_points = true;  ///< a bird's blow that does not destroy scores 10 round(damage) when that
                                 ///< exceeds 10

  std::vector<ObjectType> object_types;  ///< blocks (type x material), pigs, TNT, platform, egg
  std::vector<BirdType> bird_types;
  std::shared_ptr<const Shape> slingshot_shape;  ///< body frame of the slingshot; an obstacle for all but
                                                 ///< birds

  /// The entry, or null when the profile has none of that name.
  const ObjectType* find(Kind kind, const std::string& type, Material material = Material::none) const;
  const BirdType* find_bird(const std::string& type) const;
  /// As above, but throws Error naming the type and what is known.
  const BirdType& bird(const std::string& type) const;

  /// Downward acceleration of a flying bird, m/s^2.
  double flight_gravity(const BirdType& bird) const { return gravity * bird.parameters.gravity_scale; }
};

/// The profile of that name ("startle", "anu", "classic"), loaded once; throws Error listing the names
/// otherwise.
std::shared_ptr<const Profile> profile(const std::string& name = "startle");
std::vector<std::string> profile_names();

/// The five birds of Science Birds, which every profile has: red, blue, yellow, black, white, in the order in
/// which generators draw them and dynamics models have them as inputs.
const std::vector<std::string>& science_birds();

}  // namespace startle
