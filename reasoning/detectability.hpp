#pragma once
/// \file  In which movement which changed parameter is visible [Pinto §4.2, detectability analysis].
#include <vector>

#include "reasoning/knock_on.hpp"
#include "reasoning/movement.hpp"
#include "sim/novelty.hpp"

namespace startle {

/// Cases in which a change of the parameter is visible:
/// - friction: 3 6 7 [Pinto §4.2];
/// - restitution: 2 to 9 [Pinto §4.2];
/// - gravity scale: 4 5 7 9;
/// - density: 2 3 6 7 8 9;
/// - linear damping: 2 to 9;
/// - angular damping: 2 5 8 9.
///
/// The rows after restitution are ours; docs/results.md holds every row against simulation. Life and defence
/// are not in the table (no case): see detectable_objects().
Cases detecting_cases(Parameter parameter);

/// Objects that one hit makes move detectably: novel, impacted in the novel scene, and with a case of a
/// parameter in which `normal` and `novel` (the same scene without and with the novelty) differ for this
/// object. `in_normal` and `in_novel` are impacted_objects() of the hit in either scene. Life or defence up:
/// visible where case 1 holds in the normal scene and not in the novel one; down: the reverse. In order of
/// object index. The two scenes must have the same objects in the same order.
std::vector<std::size_t> detectable_objects(const Scene& normal, const Scene& novel,
                                            const std::vector<ImpactedObject>& in_normal,
                                            const std::vector<ImpactedObject>& in_novel);

/// Whether impacted_objects() is sure to be the same in both scenes, whatever is hit: they depend on masses
/// (density), life and defence, and on no other parameter. The two scenes must have the same objects in the
/// same order.
bool same_impacts(const Scene& normal, const Scene& novel);

/// Extended method: constants of visibility_chance(). Measured in shots perturbed by N(0, 0.01 rad), by
/// tools/fit_reasoning.
struct VisibilityConstants {
  double moving = 0.9;  ///< share of moving objects with another density, friction, restitution, gravity or
                        ///< damping that differ visibly
  double dying = 0.2;   ///< the same, of those that are destroyed in both worlds: they have less time to
                        ///< differ
  double unseen_fate = 0.1;  ///< chance, at least, that more or less life or defence lets some object live or
                             ///< die otherwise in a shot
};

/// Chance that an object with so much life (hit points) and defence is destroyed by what the prediction says
/// that it is dealt: d^3/(l^3 + d^3) of the damage d, even where the damage is its life l. In [0, 1].
double chance_of_death(const MotionPrediction& prediction, double defence, double life);

/// Chance that a novelty becomes visible in the shot that `shot`, in the scene `normal`, followed last: that
/// of the novel object most likely to make it visible, as what becomes of one depends on what becomes of the
/// other. `novel` is `normal` with the novelty. In `of_objects`, by index, the chance of each object.
///
/// Two worlds part where a changed parameter is used, and every blow drives them further apart. So a novel
/// object makes the novelty visible when it moves and
/// - has another density, friction, restitution, gravity scale or damping: `moving` of those;
/// - or moves in a world that acts otherwise on all that moves (acts_everywhere()): `moving` of those, too;
/// - or has more or less life or defence, and somebody's fate is another for it: an object that takes the
///   damage d lives with the life l with the chance l^3/(l^3 + d^3), whatever the margin by which the
///   prediction says that it does or does not.
///
/// An object whose own fate differs makes it visible, moving or not.
double visibility_chance(const Scene& normal, const Scene& novel, const KnockOn& shot,
                         std::vector<double>& of_objects, const VisibilityConstants& constants = {});

/// Whether a change of the world acts on the object wherever and whenever it moves: gravity, air, ground, and
/// fields over the whole world with every bird.
bool acts_everywhere(const WorldChange& world, std::size_t index, const SceneObject& object);

/// A chance from which on an object counts as one that makes the novelty visible.
inline constexpr double even_chance = 0.5;

}  // namespace startle
