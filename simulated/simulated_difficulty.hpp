#pragma once
/// \file  Simulated difficulty: PID, BID and value with N, n and what moves taken from twin simulation, not
/// from reasoning.
///
/// The algorithms and their arithmetic are those of difficulty.hpp; every target x trajectory is simulated in
/// the normal and in the novel world. This is the physical truth that the qualitative values are compared
/// with (docs/results.md).
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Level& level
///   Scene scene = settle(make_scene(level, profile()));
///   double truth = noisy_difficulties(scene, {&find_novelty("T1")}).front().value;
/// \endcode
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "simulated/aim_noise.hpp"
#include "simulated/twin.hpp"

namespace startle {

/// A target of a normal state, with the shot of each of its trajectories flown there; at least one.
struct FlownTarget {
  Target target;
  std::vector<NormalShot> shots;  ///< in the order of target.trajectories
};

/// A state of the normal world with all its targets' shots. It does not depend on the novelty.
struct FlownState {
  Scene scene;
  Relation relation;  ///< what may stand in a path's way: left-of, or right-of where most objects stand left
                      ///< of the slingshot
  std::vector<FlownTarget> targets;
};

/// What one shot of a target did.
struct SimulatedShot {
  int impact_score = 0;              ///< groups that really moved, without those known not to be novel
  std::vector<std::size_t> visible;  ///< novel objects whose difference became visible; in a short rollout,
                                     ///< the first of them only
};

struct SimulatedTarget {
  std::size_t object = 0;
  int impact_score = 0;              ///< highest of its shots
  std::vector<SimulatedShot> shots;  ///< in the order of the target's trajectories
  bool visible() const;              ///< some shot makes the novelty visible
};

/// One of the next shots, at a best target by one of its best trajectories; all that tie are equally likely,
/// as in BestShot.
struct SimulatedBestShot : ShotChoice {
  std::size_t target = 0, shot = 0;  ///< positions in SimulatedInteraction::targets and in its shots
};

struct SimulatedInteraction {
  StateChance chance;
  std::shared_ptr<const FlownState> state;
  std::vector<SimulatedTarget> targets;  ///< in the order of state->targets
  std::vector<SimulatedBestShot> best_shots;
  InteractionCounts counts;  ///< where PID has ended, of the best shots alone
};

struct SimulatedDifficulty : DifficultyValues {
  std::size_t birds = 0, novel_objects = 0;
  std::vector<SimulatedInteraction> interactions;  ///< of all states reached, shot by shot
  RolloutEnds ends;
  std::size_t twin_simulations = 0;  ///< shots flown in the novel world
};

struct SimulatedOptions {
  double alpha = 0.5;  ///< weight of PID, [0, 1]
  VisibleDifference least;
  /// Most states that go on from one interaction to the next (RolloutLimits): every one of them costs the
  /// simulation of all its targets.
  std::size_t most_states = 2;
  /// The first interaction in full: all shots to their end in the novel world too, all visible objects
  /// listed. The values stay the same.
  bool complete_first = false;
};

/// The states of one level that best shots lead to, each flown when first asked for: novelties share those of
/// the normal world. Belongs to one thread.
class FlownStates {
 public:
  /// `normal`: at rest, no object novel, else Error. `perturbation`: of every shot, radians.
  explicit FlownStates(const Scene& normal, const VisibleDifference& least = {}, double perturbation = 0);

  std::shared_ptr<const FlownState> first() const { return states_.at({}); }
  /// After the shot (position of target, of trajectory) of `before`, which `path` leads to; `path` then leads
  /// to the new state.
  using Path = std::vector<std::pair<std::size_t, std::size_t>>;
  std::shared_ptr<const FlownState> next(const FlownState& before, Path& path,
                                         std::pair<std::size_t, std::size_t> shot);
  /// After a bird that is not shot, as there is no target.
  std::shared_ptr<const FlownState> next_bird(const FlownState& before, Path& path);

 private:
  std::shared_ptr<const FlownState> fly(const Path& path, const Scene& scene, const Relation& relation);

  VisibleDifference least_;
  double perturbation_;
  std::map<Path, std::shared_ptr<const FlownState>> states_;
};

/// As compute_difficulty(), from simulation:
/// - N: the targets of the target module.
/// - n: targets of which some trajectory makes the novelty visible: a novel object becomes visibly different
///   (twin.hpp).
/// - Impact score: groups of the objects that visibly moved, or died, in the normal world. Of a target's
///   trajectories the highest score counts, of the targets the highest; all that tie are equally likely. The
///   shot flown is one trajectory, and that makes the novelty visible or not.
/// - Next state: the normal world after that shot.
/// - Groups found normal: those without novel objects of which an object had an observed case that would have
///   made the novelty visible.
///
/// Throws Error as compute_difficulty() does.
SimulatedDifficulty simulated_difficulty(const OrderedScene& normal, const Novelty& novelty,
                                         const SimulatedOptions& options = {});
/// The same with states shared among novelties. `states` must have been made with options.least; of a scene
/// in geometric_order() the result does not depend on the order of a file.
SimulatedDifficulty simulated_difficulty(FlownStates& states, const Novelty& novelty,
                                         const SimulatedOptions& options = {});

/// Of so many targets of initial states, those on which some shot made something visible.
struct VisibleShare {
  std::size_t targets = 0, visible = 0;
  VisibleShare& operator+=(const VisibleShare& other);
};

/// Means over rollouts with different perturbations.
struct NoisyDifficulty : DifficultyValues {
  std::size_t birds = 0, novel_objects = 0;
  RolloutEnds ends;                        ///< of all rollouts, each with an equal share
  std::vector<DifficultyValues> rollouts;  ///< one a launch error
  VisibleShare with_novelty;  ///< summed over perturbations: the novel world against the normal one, with the
                              ///< same perturbation in both
  VisibleShare without_novelty;  ///< the same objects by the same criterion: the normal world against the
                                 ///< normal world, perturbed independently; none of a single launch
};

/// Simulated difficulty of all novelties under aim noise. Normal worlds are flown once for all of them.
/// Throws Error as noisy_difficulties().
std::vector<NoisyDifficulty> noisy_difficulties(const OrderedScene& normal,
                                                const std::vector<const Novelty*>& novelties,
                                                const AimNoise& noise = {},
                                                const SimulatedOptions& options = {});

}  // namespace startle
