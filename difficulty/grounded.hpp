#pragma once
/// \file  Grounded difficulty: PID, BID and value with N, n and what moves taken from twin simulation, not from reasoning.
///
/// The algorithms and their arithmetic are those of difficulty.hpp; every target x trajectory is simulated in the normal and in the novel
/// world. This is the physical truth that the qualitative values are judged by (docs/validity.md).
///
/// \code
///   Scene scene = settle(make_scene(level, profile()));
///   double truth = grounded_difficulty(scene, find_novelty("T1")).value;
/// \endcode
#include <cstddef>
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
  Relation relation;  ///< what may stand in a path's way: left-of, or right-of where most objects stand left of the slingshot
  std::vector<FlownTarget> targets;
};

/// What one shot of a target did.
struct GroundedShot {
  int impact_score = 0;                ///< groups that really moved, without those known not to be novel
  bool flown_in_novel = false;         ///< false: its outcome could not matter any more
  std::vector<std::size_t> shown;      ///< novel objects whose difference became visible; in a short walk, the first of them only
};

struct GroundedTarget {
  std::size_t object = 0;
  std::vector<GroundedShot> shots;     ///< in the order of the target's trajectories
  std::size_t best_shot = 0;           ///< highest impact score, the first on ties: lower parabolas come first
  bool shows() const;                  ///< some shot shows the novelty
};

struct GroundedInteraction {
  std::shared_ptr<const FlownState> state;
  std::vector<GroundedTarget> targets; ///< in the order of state->targets
  std::optional<std::size_t> best;     ///< position of the best target; empty when there are none
  InteractionCounts counts;            ///< after the interaction that ends PID only the best target is looked at
};

struct GroundedDifficulty : DifficultyValues {
  std::size_t birds = 0, novel_objects = 0;
  std::vector<GroundedInteraction> interactions;
  std::size_t twin_simulations = 0;    ///< shots flown in the novel world

  /// Number of the interaction (from 1) whose best target shows the novelty; empty when none does.
  std::optional<std::size_t> detected_at() const;
};

struct GroundedOptions {
  double alpha = 0.5;             ///< weight of PID, [0, 1]
  VisibleDifference least;
  /// The first interaction in full: all shots to their end in the novel world too, all objects shown. The values stay the same.
  bool complete_first = false;
};

/// The states of one level that best shots lead to, each flown when first asked for: novelties share those of the normal world.
/// Belongs to one thread.
class FlownStates {
 public:
  /// `normal`: at rest, no object novel, else Error. `aim_error`: every shot is turned by so many radians, to see how much depends on the aim.
  explicit FlownStates(const Scene& normal, const VisibleDifference& least = {}, double aim_error = 0);

  std::shared_ptr<const FlownState> first() const { return states_.at({}); }
  /// After the shot (position of target, of trajectory) of `before`, which `path` leads to; `path` then leads to the new state.
  using Path = std::vector<std::pair<std::size_t, std::size_t>>;
  std::shared_ptr<const FlownState> next(const FlownState& before, Path& path, std::pair<std::size_t, std::size_t> shot);
  /// After a bird that is not shot, as there is no target.
  std::shared_ptr<const FlownState> next_bird(const FlownState& before, Path& path);

 private:
  std::shared_ptr<const FlownState> fly(const Path& path, const Scene& scene, const Relation& relation);

  VisibleDifference least_;
  double aim_error_;
  std::map<Path, std::shared_ptr<const FlownState>> states_;
};

/// As compute_difficulty(), from simulation:
/// - N: the targets of the target module.
/// - n: targets of which some trajectory shows the novelty: a novel object becomes visibly different (twin.hpp).
/// - Impact score: groups of the objects that visibly moved, or died, in the normal world. Of a target's trajectories the one
///   with the highest score counts (the first on ties), of the targets the one with the highest score.
/// - Next state: the normal world after the best target's best shot.
/// - Groups found normal: those without novel objects of which an object had an observed case that would have shown the novelty.
/// Throws Error as compute_difficulty() does.
GroundedDifficulty grounded_difficulty(const Scene& normal, const Novelty& novelty, const GroundedOptions& options = {});
/// The same with states shared among novelties. `states` must have been made with options.least.
GroundedDifficulty grounded_difficulty(FlownStates& states, const Novelty& novelty, const GroundedOptions& options = {});

}  // namespace startle
