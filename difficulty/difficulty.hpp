#pragma once
/// \file  Difficulty of detecting a novelty in a level: PID, BID and their mixture [Pinto §4.3, alg. 2 and 3; §5.1].
///
/// \code
///   Scene scene = settle(make_scene(level, profile()));
///   Difficulty d = compute_difficulty(scene, find_novelty("T1"));
///   std::cout << explain_text(scene, find_novelty("T1"), d);   // difficulty/explain.hpp
/// \endcode
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/impact_score.hpp"
#include "difficulty/state_update.hpp"
#include "reasoning/movement.hpp"
#include "reasoning/targets.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"

namespace startle {

/// What algorithms 2 and 3 need to know of one interaction.
struct InteractionCounts {
  int targets = 0;               ///< N: number of targets
  int detectable = 0;            ///< n: those whose hit makes a novel object move detectably, 0 <= n <= N
  bool best_detectable = false;  ///< the best target is one of them
};

/// M = (N - n)/N, the share of targets that show nothing; 1 where N = 0.
double share_undetectable(const InteractionCounts& counts);

/// Number of interactions that algorithm 2 looks at: up to the first with M != 1, at most all.
std::size_t pid_length(const std::vector<InteractionCounts>& interactions);

/// PID [Pinto alg. 2]: the sum of M over those interactions, over the number of birds. In [0, 1]; 1 when birds = 0, as nothing
/// can be detected. `interactions` holds one entry a bird, or ends with the first whose best target is detectable; more
/// than `birds` entries, or fewer where none is detectable, throw Error.
double probabilistic_interaction_difficulty(const std::vector<InteractionCounts>& interactions, std::size_t birds);

/// BID [Pinto alg. 3]: (number of the first interaction whose best target is detectable - 1)/birds; 1 when there is none.
/// `interactions` as above.
double best_shot_interaction_difficulty(const std::vector<InteractionCounts>& interactions, std::size_t birds);

/// What algorithms 2 and 3 come to. All three are in [0, 1], 1 is hardest.
struct DifficultyValues {
  double pid = 1;
  double bid = 1;
  double value = 1;                  ///< alpha pid + (1 - alpha) bid
  std::size_t pid_interactions = 0;  ///< pid_length()
};

/// Of a whole walk, as probabilistic_interaction_difficulty() takes it.
DifficultyValues difficulty_values(const std::vector<InteractionCounts>& interactions, std::size_t birds, double alpha);

/// A hit on one target.
struct TargetOutcome {
  Target target;                               ///< with its trajectories
  std::vector<ImpactedObject> impacted;        ///< what moves in the normal world: what the agent expects
  std::vector<ImpactedObject> impacted_novel;  ///< what moves in the novel world: what the agent would see; extended: as `impacted`
  std::vector<std::size_t> detectable;         ///< novel objects that move detectably; extended: with an even chance or better, on some trajectory
  double shows = 0;                            ///< chance that a hit shows the novelty on some trajectory; published: 0 or 1
  std::size_t trajectory = 0;                  ///< extended method: that of the highest impact score, which `impacted` is told of
  int impact_score = 0;
};

/// One pass of the loop in algorithms 2 and 3: all targets of a state, and the one that is shot at.
struct Interaction {
  std::string bird;                      ///< type of the bird that flies
  std::vector<TargetOutcome> targets;    ///< in order of object index
  std::optional<std::size_t> best;       ///< position of the best target in `targets`; empty when there are none
  std::vector<std::string> found_normal; ///< groups that the shot showed not to be novel; empty after the last interaction
  InteractionCounts counts;
};

struct Difficulty : DifficultyValues {
  double alpha = 0.5;
  StateUpdate state_update = StateUpdate::qualitative;
  Method method = Method::published;
  std::size_t birds = 0;          ///< B
  std::size_t novel_objects = 0;  ///< 0: the level holds nothing novel; pid, bid and value are then 1
  SearchSpace search_space;       ///< at the start
  std::vector<Interaction> interactions;  ///< those of BID, of which PID's are the first `pid_interactions`

  /// Number of the interaction (from 1) whose best target shows the novelty; empty when none does.
  std::optional<std::size_t> detected_at() const;
};

struct DifficultyOptions {
  double alpha = 0.5;  ///< weight of PID, [0, 1]; 0.5 gives both equal importance [Pinto §5.1]
  StateUpdate state_update = StateUpdate::qualitative;
  Method method = Method::published;  ///< extended: what a hit moves and shows is told for each trajectory of a target
};

/// Difficulty of detecting `novelty` in the level whose normal instance is `normal`: at rest, no object novel. The birds left
/// are the interactions. Both algorithms always shoot at the best target, so they walk through the same states: one walk
/// gives both. Best targets and state updates are those of the normal world, which is all that the agent knows. What may
/// stand in a trajectory's way is the blocking_relation() of the first state.
/// Throws Error for an alpha outside [0, 1], for a scene with novel objects, and for a bird type that the profile lacks.
Difficulty compute_difficulty(const Scene& normal, const Novelty& novelty, const DifficultyOptions& options = {});

}  // namespace startle
