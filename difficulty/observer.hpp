#pragma once
/// \file  The reference observer: how likely a shot as it was seen is in the normal world.
///
/// It knows the normal world and the scene exactly, the launch up to a standard deviation, and sees places up to a pixel, from time to time. It
/// learns nothing. What it sees of the flight tells it more of the launch (launch_estimate.hpp); it flies `worlds` normal shots whose launches
/// it could not have told from the one seen, looks at them with the same eyes, and ranks the shot seen among them (observer_scores.hpp): once by
/// what became of each body, once by the law that bodies moved by, which holds however the collisions went.
///
/// In the normal world the shot seen and the others are drawn alike, so the p-value is calibrated by construction: p <= alpha with a
/// chance of at most alpha, and of just alpha where no two runs look alike and alpha is a multiple of 1/(worlds + 1).
///
/// \code
///   Observer observer(normal, shot);
///   ShotResult result = run_shot(novel, turned, {.record_every = observer.record_every()});
///   bool noticed = observer.judge(result.trace).p <= 0.05;
/// \endcode
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/launch_estimate.hpp"
#include "difficulty/observer_scores.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"

namespace startle {

/// When and where somebody looks. The default is a whole shot at the clip format's times; a clip has a first step, 15 looks and a window.
struct Viewing {
  int first_step = 0;            ///< steps after release of the first look, >= 0
  int stride = 6;                ///< steps between looks, 1 to 1000
  int looks = 0;                 ///< 0: until the shot ends; what has ended stays as it was last
  std::optional<Bounds> window;  ///< a body is seen while its origin is in it; without one, everywhere
};

struct ObserverOptions {
  double aim_noise = 0.01;  ///< standard deviation of the launch angle, rad, 0 to 0.5
  double pixel = 4.6 / 64;  ///< side of a pixel, world units, over 0 to 1; default: of the clip format
  int worlds = 39;  ///< normal shots to compare with, 19 to 9999; the smallest p-value is 1/(worlds + 1)
  std::uint64_t seed = 1;  ///< of those shots' launches
};
/// Throws Error naming the field, what was found and what is allowed.
void require_valid(const ObserverOptions& options);

/// One shot, launched off the announced angle by N(0, aim_noise). The same seed and index give the same turn.
double aim_turn(double aim_noise, std::uint64_t seed, std::uint64_t index);

/// Up to this p-value a shot is noticed.
inline constexpr double noticed_p = 0.05;

/// A finding about a shot: the p-values and what told most.
struct ShotJudgement : RunJudgement {
  /// "#3 wood RectFat x", "wood fall": what a telling is about.
  std::vector<std::string> subjects;  ///< one a telling
};

/// Judges shots from one scene. Belongs to one thread. Normal shots are flown when first needed and kept for launches that look alike.
class Observer {
 public:
  /// `normal` is the scene before the shot, in the normal world. Throws Error for options or a viewing out of range, and where no bird is left.
  Observer(const Scene& normal, const Shot& announced, const Viewing& viewing = {},
           const ObserverOptions& options = {});

  /// Traces must be recorded so often; the largest number of steps that hits every look.
  int record_every() const { return record_every_; }
  /// A shot seen, of the normal world or another, from objects at the same places. Throws Error for a trace that is not recorded at record_every().
  ShotJudgement judge(const Trace& seen);
  /// Normal shots flown so far.
  std::size_t simulations() const { return simulations_; }

 private:
  using Run = std::vector<std::vector<Place>>;  ///< [look][body]
  int last_look() const {
    return viewing_.first_step + (viewing_.looks - 1) * viewing_.stride;
  }  ///< its step, where looks are counted
  Run look_at(const Trace& trace) const;
  long cell_of(const Trace& trace) const;
  const std::vector<Run>& normal_runs(long cell);
  std::string subject(const Telling& telling) const;

  Scene normal_;
  Shot announced_;
  Viewing viewing_;
  ObserverOptions options_;
  int record_every_;
  LaunchEstimate launch_;
  std::map<long, std::vector<Run>> runs_;  ///< by cell of the launch
  std::size_t simulations_ = 0;
};

/// One launch of an announced shot, turned by aim_turn(), as it was seen in a world and in the normal one.
struct ObservedLaunch {
  double turn = 0;  ///< rad
  ShotJudgement found, normal;
};
/// Launch number `index` from `world`, the normal scene or its novel_twin(). The same options and index give the same launch and judgement. Throws as Observer.
ObservedLaunch observe_launch(const Scene& normal, const Scene& world, const Shot& announced,
                              const ObserverOptions& options, std::uint64_t index);

}  // namespace startle
