#pragma once
/// \file  Grounded difficulty: PID, BID and value with N, n and what moves taken from twin simulation, not from reasoning.
///
/// The algorithms and their arithmetic are those of difficulty.hpp; every target x trajectory is simulated in the normal and in the novel
/// world. This is the physical truth that the qualitative values are judged by (docs/validity.md).
///
/// \code
///   Scene scene = settle(make_scene(level, profile()));
///   double truth = noisy_difficulties(scene, {&find_novelty("T1")}).front().value;
/// \endcode
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "difficulty/twin.hpp"

namespace startle {

/// A target of a normal state, with the shot of each of its trajectories flown there; at least one.
struct FlownTarget {
  Target target;
  std::vector<NormalShot> shots;  ///< in the order of target.trajectories
};

/// A state of the normal world with all its targets' shots. It does not depend on the novelty.
struct FlownState {
  Scene scene;
  Relation
      relation;  ///< what may stand in a path's way: left-of, or right-of where most objects stand left of the slingshot
  std::vector<FlownTarget> targets;
};

/// What one shot of a target did.
struct GroundedShot {
  int impact_score = 0;  ///< groups that really moved, without those known not to be novel
  std::vector<std::size_t>
      shown;  ///< novel objects whose difference became visible; in a short walk, the first of them only
};

struct GroundedTarget {
  std::size_t object = 0;
  int impact_score = 0;             ///< highest of its shots
  std::vector<GroundedShot> shots;  ///< in the order of the target's trajectories
  bool shows() const;               ///< some shot shows the novelty
};

/// One of the next shots, at a best target by one of its best trajectories; all that tie are equally likely, as in BestShot.
struct GroundedBestShot : ShotChoice {
  std::size_t target = 0, shot = 0;  ///< positions in GroundedInteraction::targets and in its shots
};

struct GroundedInteraction {
  StateChance chance;
  std::shared_ptr<const FlownState> state;
  std::vector<GroundedTarget> targets;  ///< in the order of state->targets
  std::vector<GroundedBestShot> best_shots;
  InteractionCounts counts;  ///< where PID has ended, only the best shots are looked at
};

struct GroundedDifficulty : DifficultyValues {
  std::size_t birds = 0, novel_objects = 0;
  std::vector<GroundedInteraction> interactions;  ///< of all states looked at, shot by shot
  WalkEnds ends;
  std::size_t twin_simulations = 0;  ///< shots flown in the novel world
};

struct GroundedOptions {
  double alpha = 0.5;  ///< weight of PID, [0, 1]
  VisibleDifference least;
  /// Most states that go on from one interaction to the next (WalkLimits): every one of them costs the simulation of all its targets.
  std::size_t most_states = 2;
  /// The first interaction in full: all shots to their end in the novel world too, all objects shown. The values stay the same.
  bool complete_first = false;
};

/// The states of one level that best shots lead to, each flown when first asked for: novelties share those of the normal world.
/// Belongs to one thread.
class FlownStates {
 public:
  /// `normal`: at rest, no object novel, else Error. `turn`: every shot is turned by so many radians.
  explicit FlownStates(const Scene& normal, const VisibleDifference& least = {}, double turn = 0);

  std::shared_ptr<const FlownState> first() const { return states_.at({}); }
  /// After the shot (position of target, of trajectory) of `before`, which `path` leads to; `path` then leads to the new state.
  using Path = std::vector<std::pair<std::size_t, std::size_t>>;
  std::shared_ptr<const FlownState> next(const FlownState& before, Path& path,
                                         std::pair<std::size_t, std::size_t> shot);
  /// After a bird that is not shot, as there is no target.
  std::shared_ptr<const FlownState> next_bird(const FlownState& before, Path& path);

 private:
  std::shared_ptr<const FlownState> fly(const Path& path, const Scene& scene, const Relation& relation);

  VisibleDifference least_;
  double turn_;
  std::map<Path, std::shared_ptr<const FlownState>> states_;
};

/// As compute_difficulty(), from simulation:
/// - N: the targets of the target module.
/// - n: targets of which some trajectory shows the novelty: a novel object becomes visibly different (twin.hpp).
/// - Impact score: groups of the objects that visibly moved, or died, in the normal world. Of a target's trajectories the highest
///   score counts, of the targets the highest; all that tie are equally likely. The shot flown is one trajectory, and that shows the novelty or not.
/// - Next state: the normal world after that shot.
/// - Groups found normal: those without novel objects of which an object had an observed case that would have shown the novelty.
/// Throws Error as compute_difficulty() does.
GroundedDifficulty grounded_difficulty(const Scene& normal, const Novelty& novelty,
                                       const GroundedOptions& options = {});
/// The same with states shared among novelties. `states` must have been made with options.least; of a scene in geometric_order() the result does
/// not depend on the order of a file.
GroundedDifficulty grounded_difficulty(FlownStates& states, const Novelty& novelty,
                                       const GroundedOptions& options = {});

/// Nobody knows a launch exactly: grounded difficulty is a mean over shots turned a little.
struct AimNoise {
  double sd = 0.01;          ///< radians, [0, 1]: every shot of a walk is turned by one number of N(0, sd)
  std::size_t repeats = 16;  ///< walks, 1 to 1000, each with a turn of its own
  std::uint64_t seed = 1;    ///< of the turns: the same ones for all levels, novelties, and both worlds
};

/// Throws Error for noise or repeats out of range.
void require_valid(const AimNoise& noise);
/// The turns, radians; the first half of a longer list is the list of half the length. Throws Error as require_valid().
std::vector<double> turns_of(const AimNoise& noise);

/// Of so many targets of initial states, those on which some shot showed something visible.
struct ShownShare {
  std::size_t targets = 0, shown = 0;
  ShownShare& operator+=(const ShownShare& other);
};

/// Means over walks that are turned otherwise.
struct NoisyDifficulty : DifficultyValues {
  std::size_t birds = 0, novel_objects = 0;
  WalkEnds ends;                          ///< of all walks, each with an equal share
  std::vector<DifficultyValues> repeats;  ///< one a turn
  ShownShare
      with_novelty;  ///< summed over turns: the novel world against the normal one, with the same turn in both
  ShownShare
      without_novelty;  ///< the same objects by the same criterion: the normal world against the normal world, turned independently; none of a single repeat
};

/// Grounded difficulty of all novelties under aim noise. Normal worlds are flown once for all of them. Throws Error as grounded_difficulty().
std::vector<NoisyDifficulty> noisy_difficulties(const Scene& normal,
                                                const std::vector<const Novelty*>& novelties,
                                                const AimNoise& noise = {},
                                                const GroundedOptions& options = {});

}  // namespace startle
