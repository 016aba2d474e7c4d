#pragma once
/// \file  How a blow spreads at once through bodies that touch: velocities just after it.
///
/// A blow lasts a moment; in that moment nothing moves and gravity does nothing. The impulses at all contacts
/// follow from rigid-body mechanics alone: no contact may close, none may pull, and friction is at most mu
/// times the pressing impulse. This is what "braced by heavy neighbours", "pressed down rather than pushed"
/// and "drags along what it carries" come to. The impulses are found contact by contact (sequential impulses,
/// Catto 2005), in a fixed order; time does not pass.
#include <cstdint>
#include <span>
#include <vector>

#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Closing speed below which nothing bounces, m/s (Box2D).
inline constexpr double least_bounce_speed = 1;

struct BodyVelocity {
  Vec2 velocity;    ///< m/s, of the centre of mass
  double spin = 0;  ///< rad/s, counter-clockwise
};

/// Inverses are 0 for what never moves.
struct Inertia {
  double inverse_mass = 0;    ///< 1/kg
  double inverse_moment = 0;  ///< 1/(kg m^2), about the centre of mass
  Vec2 centre;                ///< of mass, world frame
};
Inertia inertia_of(const SceneObject& object, const Shape& world_shape);

/// Two bodies at a point where they touch. `first` may be ground_index.
struct NetworkContact {
  std::size_t first = 0, second = 0;
  Vec2 point, normal;   ///< normal: unit, from the first to the second
  double friction = 0;  ///< sqrt(f1 f2), as the engine mixes it
};

/// Everything that touches in a scene, by poses and parameters.
struct ContactNetwork {
  std::vector<Inertia> bodies;  ///< by object index
  std::vector<NetworkContact> touches;
  std::vector<std::size_t> of_bodies, first_of;  ///< touches of object i: of_bodies[first_of[i]] up to
                                                 ///< of_bodies[first_of[i + 1]]
  std::span<const std::size_t> of_body(std::size_t i) const {
    return {of_bodies.data() + first_of[i], of_bodies.data() + first_of[i + 1]};
  }
};
ContactNetwork contact_network(const Scene& scene, const SceneShapes& geometry);
/// That of `scene`, which must differ in parameters alone from the one that `other` is the network of.
ContactNetwork contact_network(const Scene& scene, const SceneShapes& geometry, const ContactNetwork& other);

/// A body that strikes one of the network. It need not be part of it (the bird is not).
struct Striker {
  Inertia inertia;
  BodyVelocity motion;
  double friction = 0;     ///< mixed with that of what it strikes
  double restitution = 0;  ///< mixed likewise; counts above 1 m/s, as in the engine
};

/// A body that a blow has set in motion.
struct Reached {
  std::size_t object = 0;
  BodyVelocity motion;  ///< just after the blow
};

struct ImpulseBody;
struct ImpulseContact;

/// Blows in one network, one after the other, each on all that is at rest. Nothing carries over from one to
/// the next but memory.
class BlowSpreader {
 public:
  explicit BlowSpreader(const ContactNetwork& network);
  ~BlowSpreader();
  /// What moves just after `striker` hits `struck` at `point`, in order of index; `normal` points from the
  /// striker into what is struck. Objects with `gone` set take no part. `striker.motion` becomes what it is
  /// afterwards. `struck` may be ground_index: then only the striker changes. Valid until the next blow.
  const std::vector<Reached>& spread(const std::vector<char>& gone, Striker& striker, std::size_t struck,
                                     Vec2 point, Vec2 normal);

 private:
  std::uint32_t join(std::size_t object);
  void pass_on(std::uint32_t body, const std::vector<char>& gone);

  const ContactNetwork& network_;
  std::vector<ImpulseBody> bodies_;  ///< 0 is fixed, 1 the striker; objects join when the blow reaches them
  std::vector<std::size_t> object_of_;  ///< of each body
  std::vector<std::uint32_t> place_;    ///< of each object among the bodies; 0: not among them
  std::vector<char> known_;             ///< touches that have become contacts
  std::vector<std::size_t> known_touches_;
  std::vector<ImpulseContact> contacts_;
  std::vector<std::uint32_t> waiting_;  ///< bodies that have not passed the blow on
  std::vector<Reached> reached_;
};

}  // namespace startle
