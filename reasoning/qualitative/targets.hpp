#pragma once
/// \file  Target determining module [Pinto §4.1]: which objects the bird can reach directly.
#include <optional>
#include <vector>

#include "reasoning/qualitative/relations.hpp"
#include "reasoning/qualitative/scene_shapes.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "sim/scene.hpp"

namespace startle {

/// An object that some trajectory reaches before it meets any object standing in the relation to it.
struct Target {
  std::size_t object = 0;
  /// One for each interval of launch angles that reach the object (the shot nearest to the interval's middle,
  /// so the one that bears most error), lower before upper parabolas, by angle within each; at least one.
  std::vector<Trajectory> trajectories;
};

/// All targets among living blocks, pigs and TNT, in order of object index. `bird` flies at full stretch;
/// platforms and the ground block but are no targets. `relation` is left_of for a slingshot on the left
/// (right_of is chosen by the caller for one on the right).
///
/// The launch angle is the only free variable, and the object touched first is constant between angles at
/// which a path grazes an object or touches two at once. All angles that can reach an object are sampled
/// every degree and halved down to 1/32 degree wherever the first object changes. Each sample takes the exact
/// first contact of the bird's disc. Windows narrower than the samples can be missed; the tests compare with
/// an exhaustive fine sweep.
std::vector<Target> find_targets(const Scene& scene, const SceneShapes& geometry, const BirdType& bird,
                                 const Relation& relation = left_of);
std::vector<Target> find_targets(const Scene& scene, const BirdType& bird,
                                 const Relation& relation = left_of);

/// What a shot touches first.
struct FirstTouch {
  std::size_t object = 0;  ///< or ground_index
  Trajectory trajectory;   ///< as those of a target
};
/// Empty: nothing, as where there is no gravity.
std::optional<FirstTouch> first_touched(const Scene& scene, const SceneShapes& geometry, const BirdType& bird,
                                        const Shot& shot);

/// left_of, or right_of where most objects stand left of the slingshot: what may stand in a trajectory's way
/// there.
Relation blocking_relation(const Scene& scene);

}  // namespace startle
