#pragma once
/// \file  The state after a shot at a target, as algorithms 2 and 3 need it ("Update state of objects")
/// [Pinto §4.3].
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "difficulty/impact_score.hpp"
#include "reasoning/qualitative/movement.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "sim/scene.hpp"

namespace startle {

/// How the state after a shot is found. By default by the reasoning alone: no simulation, independent of any
/// agent's aim. Another way is given as a function; the one by simulation is simulated_update()
/// (simulated/state_update.hpp).
struct StateUpdate {
  std::string name = "qualitative";
  /// The normal world's scene after the shot by that trajectory; empty: update_qualitatively().
  std::function<Scene(const Scene& before, const Trajectory& trajectory)> next = {};
};

/// Hit points that an object loses and survives, or not.
struct LifeLost {
  std::size_t object = 0;
  double points = 0;
};

/// What a shot does to the objects of a scene.
struct ShotEffects {
  std::vector<ImpactedObject> impacted;
  std::vector<LifeLost> life_lost;  ///< also of objects that do not move
};

/// Hit points that the bird's blow takes off a target, as object_destroy() has it.
double life_lost_to(const Scene& scene, std::size_t target, const BirdType& bird);

/// Adds to the effects of a hit on `target`, as the published reasoning says them, what it leaves out:
/// destroyed TNT explodes, and so does the black bird (at the target's centre of mass); damage follows the
/// profile's rule and may blow up further TNT; what an explosion destroys is gone, and what stood on it falls
/// by vertical impact. That explosions push is left out.
void add_explosions(ShotEffects& effects, const Scene& scene, std::size_t target, const BirdType& bird);

/// What makes two states between the same shots one: places, life left, and the groups known not to be novel.
std::vector<std::uint64_t> state_key(const Scene& scene, const SearchSpace& space);

/// The scene after the objects have moved as predicted; one bird fewer. The reasoning says how an object
/// moves, not where it comes to rest [Pinto §6]; the rest is this convention, by the object's cases:
/// - destroyed (1): removed;
/// - flips (2, 8, 9): a quarter turn away from the slingshot about its lower far corner, so that it lies on
///   its side; where something that stays would be in the way it leans there, that is, keeps its pose;
/// - slides (3, 6, 7): away from the slingshot until it meets something, at most k_slide;
/// - falls (4, 5): keeps its x and its rotation; but what falls left or right (ImpactedObject::falls) first
///   moves to that side until it is clear of the objects that carry it and stay, or as far as what carried it
///   and fell to the same side, the longer of the two; at most its own width for the former, and no further
///   than the first thing in its way.
///
/// All but the destroyed ones then sink straight down onto what is below: objects that stay, objects already
/// put down, or the ground. Flipped and sliding objects are put down first, the furthest from the slingshot
/// first; then the falling ones, the lowest first; what is equally far or low by index, so that a caller who
/// wants no order of a file in it gives the scene in geometric_order(). Of several cases the first in the
/// order above counts. Life lost is taken off the life left; who has none left is removed.
Scene update_qualitatively(const Scene& scene, const ShotEffects& effects,
                           const ReasoningConstants& constants = {});

}  // namespace startle
