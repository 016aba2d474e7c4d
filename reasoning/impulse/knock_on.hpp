#pragma once
/// \file  Extended method: what a shot moves, followed from blow to blow, without simulation.
///
/// Removes what [Pinto §6] names as limits of the published algorithms. From the bird's contact point and
/// velocity:
/// - blow: it spreads at once through all that touches (blow.hpp): neighbours brace, steep shots press down,
///   light things fly. An object moves when its energy just after topples it or would lift it by
///   `least_lift`.
/// - bird: it flies on with what the blow leaves of its momentum, bounces or rolls, and strikes again.
/// - support: what was destroyed, slid or toppled off supports nothing: its vertical impact falls.
/// - debris: what slid, toppled or flew off strikes what is in its way, on either side, and that the next
///   (dominoes).
/// - explosion, of destroyed TNT and of the black bird: damage and impulse by the profile's rule.
///
/// Every strike is a blow of its own. What objects of the vertical impact strike when they come down is not
/// followed: measured, it brought as many wrong objects as right ones.
#include <memory>
#include <vector>

#include "reasoning/impulse/blow.hpp"
#include "reasoning/qualitative/movement.hpp"
#include "reasoning/qualitative/support.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "reasoning/qualitative/vertical_impact.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Chosen on development levels (seed 2 of `startle validate`); F1 of what moves changes by less than 0.01
/// within a factor of 2 of either.
struct KnockOnConstants {
  double least_lift = 0.07;   ///< an object is seen to move when its energy after a blow could lift it so
                              ///< high; world units
  double support_lift = 0.2;  ///< the same, for it to leave its place, so that it supports nothing and
                              ///< strikes others
};

/// Chance that an object moves in a shot whose launch is not known exactly (perturbed by N(0, 0.01 rad)).
/// With its energy e after the hardest blow, in units of the lift at which it is seen to move, and r = (e +
/// unseen)^(1/4), the chance is r/(r + k), where k depends on what is predicted of the object: the odds grow
/// with the fourth root of the energy, as logistic regression finds. Fitted by `fit_reasoning` (even seeds).
struct ChanceConstants {
  double unseen = 0.003;  ///< stands for what reaches an object that no blow was followed to
  double stays = 2.1;     ///< k of an object that is not predicted to leave its place
  double leaves = 0.61;   ///< k of one that leaves its place by the blow
  double falls = 0.26;    ///< k of one that is destroyed, or loses its support
};

/// What is predicted of an object, by which its chance to move is computed.
enum class PredictedMotion { stays, leaves, falls };

/// What a shot has in store for one object.
struct MotionPrediction {
  PredictedMotion predicted_motion = PredictedMotion::stays;
  double moves = 0;        ///< chance that it is seen to move, [0, 1)
  bool destroyed = false;  ///< predicted so
  double lost = 0;         ///< hit points
  double dealt = 0;        ///< hit points that blows and explosions take, before its defence takes any off
  int hits = 0;            ///< blows that its defence is taken off from, once each
  Vec2 velocity;           ///< m/s, just after the hardest blow; 0: none struck it
  double energy = 0;       ///< J/kg just after it, its turning counted in
  double friction = 0;     ///< greatest coefficient among the contacts it lies on; 0: it lies on nothing
};

/// One contact of the bird.
struct BirdContact {
  std::size_t object = 0;  ///< or ground_index
  Vec2 at;                 ///< centre of its disc
  Vec2 before, after;      ///< its velocity, m/s
};

/// Follows shots in one scene, one after the other, each from the scene as it stands. Nothing carries over
/// from one to the next but memory. Scene, graph and network must outlive it.
class KnockOn {
 public:
  /// `network` is contact_network() of the scene.
  KnockOn(const Scene& scene, const SupportGraph& graph, const ContactNetwork& network,
          const KnockOnConstants& constants = {});
  ~KnockOn();
  KnockOn(KnockOn&&) noexcept;

  /// Everything that the shot moves, as impacted_objects(): the target first, the others in order of index.
  /// `trajectory` must reach the object `target`, or the ground (ground_index), at `trajectory.time` (as in
  /// find_targets). Valid until the next shot.
  const std::vector<ImpactedObject>& follow(std::size_t target, const BirdType& bird,
                                            const Trajectory& trajectory);
  /// Of the last shot. The object must be alive and not static.
  MotionPrediction prediction(std::size_t object) const;
  /// The bird's contacts of the last shot, as far as they are followed: at least the first.
  const std::vector<BirdContact>& bird_contacts() const;

 private:
  class Follower;
  std::unique_ptr<Follower> follower_;
};

/// One shot alone.
std::vector<ImpactedObject> knocked_on(const Scene& scene, const SupportGraph& graph,
                                       const ContactNetwork& network, std::size_t target,
                                       const BirdType& bird, const Trajectory& trajectory,
                                       const KnockOnConstants& constants = {});

}  // namespace startle
