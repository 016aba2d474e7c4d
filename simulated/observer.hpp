#pragma once
/// \file  The reference observer: how likely a shot as it was seen is in the normal world.
///
/// It knows the normal world and the scene exactly and the launch up to a standard deviation. It sees places
/// up to a pixel, at intervals, and learns nothing. What it sees of the flight narrows down the launch
/// (launch_estimate.hpp). It flies `simulations` normal shots whose launches it cannot distinguish from the
/// one seen, observes them alike, and ranks the shot seen among them (observer_scores.hpp): once by what
/// became of each body, and once by how bodies moved between collisions, a test that holds however the
/// collisions went.
///
/// In the normal world the shot seen and the others are drawn alike, as long as the shot is off the announced
/// one by aim noise (aim_noise.hpp): a shot that flies as given must be announced by announced_off(). So the
/// p-value is calibrated by construction: p <= alpha with a chance of at most alpha, and of just alpha where
/// no two runs look alike and alpha is a multiple of 1/(simulations + 1).
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Scene& normal, const Scene& novel, const Shot& shot, const Shot& perturbed
///   Observer observer(normal, shot);
///   ShotResult result = run_shot(novel, perturbed, {.record_every = observer.record_every()});
///   bool detected = observer.detect(result.trace).p <= 0.05;
/// \endcode
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/random.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"
#include "simulated/aim_noise.hpp"
#include "simulated/launch_estimate.hpp"
#include "simulated/observer_scores.hpp"

namespace startle {

/// When and where the frames are. The default is a whole shot at the clip format's times; a clip has a first
/// step, 15 frames and a window.
struct Viewing {
  int first_step = 0;            ///< steps after release of the first frame, >= 0
  int stride = 6;                ///< steps between frames, 1 to 1000
  int frames = 0;                ///< 0: until the shot ends; what has ended stays as it was last
  std::optional<Bounds> window;  ///< a body is seen while its origin is in it; without one, everywhere
};

struct ObserverOptions {
  double aim_noise = 0.01;  ///< standard deviation of the launch angle, rad, 0 to 0.5
  double pixel = 4.6 / 64;  ///< side of a pixel, world units, over 0 to 1; default: of the clip format
  int simulations =
      39;  ///< normal shots to compare with, 19 to 9999; the smallest p-value is 1/(simulations + 1)
  std::uint64_t seed = 1;  ///< of those shots' launches, with the announced angle: independent between levels
};
/// Throws Error naming the field, what was found and what is allowed.
void require_valid(const ObserverOptions& options);

/// Up to this p-value a shot is detected.
inline constexpr double detection_p = 0.05;

/// A finding about a shot: the p-values and what differs most.
struct [[nodiscard]] ShotTest : RunTest {
  /// "#3 wood RectFat x", "wood": what an attribution is about.
  std::vector<std::string> subjects;  ///< one an attribution
};

/// 1 + the normal shots that differ at least as much, and 1 + all of them.
struct [[nodiscard]] ShotRank {
  int rank = 1, of = 1;
};

/// Tests shots from one scene. Belongs to one thread. Normal shots are flown when first needed and kept
/// for launches that cannot be distinguished. So the order of calls changes no answer.
class Observer {
 public:
  /// `normal` is the scene before the shot, in the normal world. Throws Error for options or a viewing out of
  /// range, and where no bird is left.
  Observer(const Scene& normal, const Shot& announced, const Viewing& viewing = {},
           const ObserverOptions& options = {});

  /// Number of steps between the frames of a trace: the largest that hits every frame of the viewing.
  int record_every() const { return record_every_; }
  /// A shot seen, of the normal world or another, from objects at the same places. Throws Error for a trace
  /// that is not recorded at record_every().
  ShotTest detect(const Trace& seen);
  /// Whether detect(seen).p is at most `alpha`, with fewer simulations where the answer is clear early [Besag
  /// and Clifford 1991, Sequential Monte Carlo p-values]. After a quarter and after half of them it returns
  /// false if the runs that score at least as much are already more than one too many. As those scores are of
  /// fewer runs, a few shots whose p is at most alpha give false, but none whose p is larger gives true. So
  /// in the normal world the chance of true is at most alpha. Throws Error as detect().
  bool detects(const Trace& seen, double alpha = detection_p);
  /// Rank of the shot among normal ones; its p-value is at most rank/of. Ordinary shots take fewer
  /// simulations: `of` is 10 if rank/of is then over 0.6, 20 if over 0.5, 40 if over 0.05, and otherwise
  /// simulations + 1. It stops early only at p-values above a limit, and the limits fall: so in the normal
  /// world rank/of is at most u with a chance of at most u, for every u. Throws Error as detect().
  ShotRank rank(const Trace& seen);
  /// Whether two shots look the same: each body at the same pixel at each frame. What looks as it would in
  /// the normal world is a normal shot to this observer. Throws Error as detect().
  bool alike(const Trace& seen, const Trace& other) const;
  /// Normal shots flown so far.
  std::size_t simulations() const { return simulations_; }

 private:
  using Run = std::vector<std::vector<Place>>;  ///< [frame][body]
  struct NormalRuns {
    Random random;  ///< of the launches to come
    std::vector<Run> flown;
  };
  int last_frame() const {
    return viewing_.first_step + (viewing_.frames - 1) * viewing_.stride;
  }  ///< its step, where frames are counted
  void require_recorded(const Trace& seen) const;
  Run sample(const Trace& trace) const;
  long cell_of(const Trace& trace) const;
  const std::vector<Run>& normal_runs(long cell, std::size_t least);
  Runs beside_normal(const Run& seen, long cell, int simulations);
  std::string subject(const Attribution& attribution) const;

  Scene normal_;
  Shot announced_;
  Viewing viewing_;
  ObserverOptions options_;
  int record_every_;
  LaunchEstimate launch_;
  std::map<long, NormalRuns> runs_;  ///< by cell of the launch
  std::size_t simulations_ = 0;
};

/// One launch of an announced shot, perturbed by aim_perturbation(), as it was seen in a world and in the
/// normal one.
struct [[nodiscard]] ObservedLaunch {
  double perturbation = 0;  ///< rad
  ShotTest found, normal;
};
/// Launch number `index` from `world`, the normal scene or its novel_twin(). The same options and index give
/// the same launch and test. Throws as Observer.
ObservedLaunch observe_launch(const Scene& normal, const Scene& world, const Shot& announced,
                              const ObserverOptions& options, std::uint64_t index);

}  // namespace startle
