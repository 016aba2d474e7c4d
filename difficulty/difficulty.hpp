#pragma once
/// \file  Difficulty of detecting a novelty in a level: PID, BID and their mixture [Pinto §4.3, alg. 2 and 3;
/// §5.1].
///
/// \code
///   #include "difficulty/explain.hpp"
///   #include "sim/world.hpp"
///   // given: const Level& level
///   Scene scene = settle(make_scene(level, profile()));
///   Difficulty d = compute_difficulty(scene, find_novelty("T1"));
///   std::cout << explain_text(scene, find_novelty("T1"), d);
/// \endcode
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/detection_model.hpp"
#include "difficulty/impact_score.hpp"
#include "difficulty/ordered_scene.hpp"
#include "difficulty/rollout.hpp"
#include "difficulty/state_update.hpp"
#include "reasoning/qualitative/movement.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/novelty.hpp"
#include "sim/scene.hpp"

namespace startle {

/// A hit on a target, by one of its trajectories.
struct Hit {
  std::size_t trajectory = 0;                  ///< of the target; published method: the first stands for all
  std::vector<ImpactedObject> impacted;        ///< what moves in the normal world: what the agent expects
  std::vector<ImpactedObject> impacted_novel;  ///< what moves in the novel world: what the agent would see;
                                               ///< extended: as `impacted`
  std::vector<std::size_t> detectable;  ///< novel objects that move detectably; extended: with an even chance
                                        ///< or better
  double p_visible = 0;                 ///< chance that the hit makes the novelty visible; published: 0 or 1
  std::vector<LifeLost> life_lost;      ///< in the normal world
  std::optional<ShotDetection> detection;  ///< by the reference observer; where it was asked for
};

/// What hits on one target do.
struct TargetOutcome {
  Target target;          ///< with its trajectories
  int impact_score = 0;   ///< that of its best trajectories
  std::vector<Hit> hits;  ///< by its best trajectories, those of the highest impact score: at least one.
                          ///< Published method: one, as all are alike
  std::vector<std::size_t> detectable;  ///< novel objects that move detectably; by the extended method, on
                                        ///< some trajectory
  double p_visible = 0;  ///< chance that some trajectory makes the novelty visible; published: 0 or 1

  /// Of one of the hits, by its position.
  const Shot& shot(std::size_t hit = 0) const { return target.trajectories[hits[hit].trajectory].shot; }
};

/// One of the shots that an agent takes next: at a best target by one of its best trajectories. Best targets
/// that tie are equally likely, or the first is taken (Ties); the best trajectories of each are equally
/// likely.
struct BestShot : ShotChoice {
  std::size_t target = 0;                 ///< position in Interaction::targets
  std::size_t hit = 0;                    ///< position in its hits
  std::vector<std::string> found_normal;  ///< groups then known not to be novel; empty where the
                                          ///< rollout ends with it
};

/// One pass of the loop in algorithms 2 and 3, in one of the states that the best shots so far may have led
/// to.
struct Interaction {
  StateChance chance;                    ///< of the state; `chance.interaction` counts the shots, from 1
  std::optional<std::size_t> after;      ///< position of the interaction whose shot led here, the first of
                                         ///< several
  std::optional<std::size_t> after_hit;  ///< object that this shot was at; empty where nothing could be shot
                                         ///< at
  std::string bird;                      ///< type of the bird that flies
  std::vector<TargetOutcome> targets;    ///< in geometric_order() of their objects
  std::optional<std::size_t> best;  ///< position in `targets` of a best target that is shot at, the first of
                                    ///< several; empty when there are none
  std::vector<BestShot> best_shots;
  InteractionCounts counts;
  /// For the first interaction, where detection was asked for: chance that the observer detects a shot at a
  /// random target by a random trajectory; 0 without targets.
  double random_detected = 0;

  /// Probability that the next shot makes the novelty visible.
  double best_detectable() const;
  /// Where detection was asked for: chance that the observer detects the next best shot; 0 without targets.
  double best_detected() const;
  /// Positions in `targets` of the best targets that are shot at: more than one where they tie and share.
  std::vector<std::size_t> best_targets() const;
  /// Number of targets of the highest impact score, shot at or not.
  std::size_t tied_targets() const;
};

/// How likely the reference observer (docs/observer.md) detects the novelty, by reasoning.
struct PredictedDetection {
  double best = 0;    ///< expected share of best first shots that are detected, [0, 1]
  double random = 0;  ///< the same of shots at targets drawn at random
  /// Chance that at least one shot is detected if every bird takes a best shot and each is tested by itself.
  double any = 0;
  /// Expected number of best shots up to the first detected one, if further birds are like the last; empty if
  /// none is ever detected.
  std::optional<double> shots;
};

struct [[nodiscard]] Difficulty : DifficultyValues {
  double alpha = 0.5;
  std::string state_update = StateUpdate{}.name;
  Method method = Method::published;
  Ties ties = Ties::share;
  std::size_t birds = 0;                  ///< B
  std::size_t novel_objects = 0;          ///< 0: the level holds nothing novel; pid, bid and value are then 1
  SearchSpace search_space;               ///< at the start
  std::vector<Interaction> interactions;  ///< of all states looked at, shot by shot; the first is that of the
                                          ///< initial state
  RolloutEnds ends;
  double value_error = 0;  ///< bound on what states left out can change in `value`; 0: exact
  std::optional<PredictedDetection> detection;  ///< where it was asked for, of a novelty that extended
                                                ///< reasoning covers

  /// Mean number of the interaction (from 1) whose best shot makes the novelty visible, where one does; empty
  /// when none does.
  std::optional<double> detected_at() const;
};

/// Whether the method can predict what the novelty does. Published: changes of objects' parameters. Extended:
/// also changes of gravity, the air and the ground, and fields that act in the whole world from the first
/// bird on. Neither covers events, or fields that are local or start later: only simulation
/// (simulated/simulated_difficulty.hpp) tells what these do.
bool covers(Method method, const Novelty& novelty);
/// Throws Error, naming the alternatives, when the method does not cover the novelty.
void require_covered(Method method, const Novelty& novelty);

/// What is predicted of detection: nothing; chances; and for best shots also those of single objects.
enum class Predict { nothing, detection, detection_by_object };

struct DifficultyOptions {
  double alpha = 0.5;  ///< weight of PID, [0, 1]; 0.5 gives both equal importance [Pinto §5.1]
  StateUpdate state_update = {};
  Method method = Method::extended;  ///< what a hit moves and makes visible is predicted for each
                                     ///< trajectory of a target
  Ties ties = Ties::share;           ///< between best targets; `first` is the rule of [Pinto §4.3]
  /// What is known not to be novel before the first shot, and scores 0, as mark_known_normal() reads it
  /// [Pinto §4.2, example 3].
  std::vector<std::string> known_normal = {};
  /// Most states that go on from one interaction to the next (RolloutLimits).
  std::size_t most_states = 8;
  /// Extended method: also predicts detection, of novelties that it covers(). Takes several times as long.
  Predict predict = Predict::nothing;
};

/// Difficulty of detecting `novelty` in the level whose normal instance is `normal`, a scene at rest without
/// novel objects. Each bird left is one interaction. Both algorithms always shoot at a best target, so they
/// go through the same states: one rollout gives both. Best targets that tie are equally likely, and PID and
/// BID are expectations over them (rollout.hpp); with Ties::first one of them is shot at. Best targets and
/// state updates are those of the normal world, which is all that the agent knows. When the method does not
/// cover the novelty (covers()), targets and best shots are valid, but nothing becomes visible. The
/// blocking_relation() of the first state decides what may stand in a trajectory's way. The result does not
/// depend on the order of the scene's objects (OrderedScene) except with Ties::first; it names objects by
/// their number in the given scene. Throws Error for an alpha outside [0, 1], a scene with novel objects, a
/// bird type that the profile lacks, and as mark_known_normal().
Difficulty compute_difficulty(const OrderedScene& normal, const Novelty& novelty,
                              const DifficultyOptions& options = {});

/// What is predicted of one shot of the next bird, whatever it strikes.
double detection_chance(const OrderedScene& normal, const Novelty& novelty, const Shot& shot);

}  // namespace startle
