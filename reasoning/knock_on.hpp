#pragma once
/// \file  Extended method: what a shot moves, followed from blow to blow, without simulation.
///
/// Removes what [Pinto §6] names as limits of the published algorithms. From the bird's contact point and velocity:
///   blow       spreads at once through all that touches (blow.hpp): neighbours brace, steep shots press down, light things fly.
///              An object moves when its energy just after topples it or would lift it by `least_lift`.
///   bird       flies on with what the blow leaves of its momentum, bounces or rolls, and strikes again.
///   support    what was destroyed, slid or toppled off supports nothing: its vertical impact falls.
///   debris     what slid, toppled or flew off strikes what stands in its way, on either side, and that the next (dominoes).
///   explosion  of destroyed TNT and of the black bird: damage and impulse by the profile's rule.
/// Every strike is a blow of its own. What objects of the vertical impact strike when they come down is not followed: measured, it
/// brought as many wrong objects as right ones (docs/reasoning.md).
#include <limits>
#include <vector>

#include "reasoning/blow.hpp"
#include "reasoning/movement.hpp"
#include "reasoning/support.hpp"
#include "reasoning/trajectory.hpp"
#include "reasoning/vertical_impact.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Chosen on development levels (seed 2 of `startle validate`); F1 of what moves changes by less than 0.01 within a factor of 2 of either.
struct KnockOnConstants {
  double least_lift = 0.07;   ///< an object is seen to move when its energy after a blow could lift it so high; world units
  double support_lift = 0.2;  ///< the same, for it to leave its place, so that it supports nothing and strikes others
};

/// What the outcome of a shot asked of an object's parameters. Density and friction always count, damping never does.
struct ParametersUsed {
  bool gravity_scale = false, defence = false;
  double other_restitution = std::numeric_limits<double>::infinity();  ///< least that its own was compared with; the greater of two counts
  double survived = -std::numeric_limits<double>::infinity();          ///< most hit points lost that left it alive
  double died = std::numeric_limits<double>::infinity();               ///< hit points lost that destroyed it
};

/// Everything that the shot moves, as impacted_objects(): the target first, the others in order of index. `trajectory` must reach the object
/// `target` at `trajectory.time` (as in find_targets). `network` is contact_network() of the scene. `used`, when given, becomes what it
/// asked of each object.
std::vector<ImpactedObject> knocked_on(const Scene& scene, const SupportGraph& graph, const ContactNetwork& network, std::size_t target,
                                       const BirdType& bird, const Trajectory& trajectory, const KnockOnConstants& constants = {},
                                       std::vector<ParametersUsed>* used = nullptr);

/// Whether a shot that used these parameters in `normal` may move anything else, or otherwise, in `novel`, the same scene with other parameters.
bool may_differ(const Scene& normal, const Scene& novel, const std::vector<ParametersUsed>& used);

}  // namespace startle
