#pragma once
/// \file  How likely a followed shot makes a novelty visible, and which objects show it.
#include <cstddef>
#include <vector>

#include "reasoning/impulse/knock_on.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Constants of visibility_chance(). Measured in shots perturbed by N(0, 0.01 rad), by
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

/// Chance that a novelty becomes visible in the shot that `shot` followed last, in the scene `normal`. It is
/// the largest chance of any novel object, because their fates depend on each other. `novel` is `normal` with
/// the novelty. `of_objects` receives the chance of each object, by index.
///
/// Two worlds diverge where a changed parameter is used, and every blow drives them further apart. So a novel
/// object makes the novelty visible when it moves and
/// - its density, friction, restitution, gravity scale or damping is changed: `moving` of those;
/// - or it moves in a world that acts differently on all that moves (acts_everywhere()): `moving` of those,
///   too;
/// - or its life or defence is changed, and some object's fate with it: an object with life l that takes the
///   damage d survives with the chance l^3/(l^3 + d^3), however clearly the prediction says that it does or
///   does not.
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
