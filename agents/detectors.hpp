#pragma once
/// \file  How the built-in agents test whether the world is novel, from what a shot looked like.
///
/// A detector that needs pictures asks the ObservationSource for them.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/normal_world.hpp"
#include "core/random.hpp"
#include "sim/scene.hpp"
#include "sim/trace.hpp"
#include "statistics/false_alarms.hpp"

namespace startle {

/// The normal world of a shot, as the agent imagines it.
struct Expectation {
  Scene before;                   ///< what the shot was aimed at
  std::vector<SeenFrame> frames;  ///< that the shot would have had
};

class Detector {
 public:
  virtual ~Detector() = default;
  virtual void begin(const Briefing&) {}
  /// Likelihood of a novelty after this shot, in [0, 1]. `expected` is empty unless compares().
  virtual double likelihood(const SeenShot& seen, const Expectation& expected,
                            const ObservationSource& source, Random& random) = 0;
  /// It needs `expected`.
  virtual bool compares() const { return false; }
};

/// Tests a trial by p-values of its levels, so that a normal trial has an alarm with a chance of at most
/// false_alarm_rate (statistics/false_alarms.hpp). Reports likelihood_of_p() of the trial so far.
class TrialTest : public Detector {
 public:
  void begin(const Briefing& briefing) override;
  double likelihood(const SeenShot& seen, const Expectation& expected, const ObservationSource& source,
                    Random& random) final;

 private:
  /// A level begins, at which at most so many shots are made.
  virtual void begin_level(std::size_t shots) = 0;
  /// P-value of the level after this shot, above 0 and at most 1. In the normal world, the smallest p-value
  /// of a level is at most u with probability at most u, whatever came before.
  virtual double level_p(const SeenShot& seen, const Expectation& expected, const ObservationSource& source,
                         Random& random) = 0;
  LevelsTest trial_{1};
  int level_ = 0;
};

/// The same by one p-value a shot.
class ShotsTest : public TrialTest {
  void begin_level(std::size_t shots) final { shots_.emplace(shots); }
  double level_p(const SeenShot& seen, const Expectation& expected, const ObservationSource& source,
                 Random& random) final {
    return shots_->add(shot_p(seen, expected, source, random));
  }
  /// P-value of the shot, above 0 and at most 1. In the normal world it is at most u with probability at most
  /// u, given the shots before.
  virtual double shot_p(const SeenShot& seen, const Expectation& expected, const ObservationSource& source,
                        Random& random) = 0;
  std::optional<SequentialTest> shots_;
};

struct DetectorInfo {
  std::string name, description;
  std::unique_ptr<Detector> (*make)();
  bool looks = true;  ///< whether what it reports depends on the shots
};

/// never, always, chance, constant-velocity, simulation, observer, dynamics.
const std::vector<DetectorInfo>& detectors();

/// The largest moving average, over objects and time, of how far an object is from where it was expected,
/// world units. The average is over `averaged_frames` frames on end. An object that exists in one of the two
/// alone is `gone_error` away; after the end of the shorter shot its last frame stands. Birds do not count.
double simulation_error(const SeenShot& seen, const std::vector<SeenFrame>& expected);
/// The same against the place where the object would be had it kept the velocity between the two frames
/// before. What does not exist in all three frames does not count.
double constant_velocity_error(const SeenShot& seen);

/// The shot as a trace of `before`, for what tests traces: the places of its frames, with bodies numbered
/// as in that scene, and nothing else.
Trace trace_of(const SeenShot& seen, const Scene& before);

/// With this confidence, over sets of normal levels, the bound of the detector `dynamics` on false alarms
/// holds for each family of levels.
inline constexpr double calibration_confidence = 0.95;
inline constexpr int averaged_frames = 3;
inline constexpr double gone_error = 1;  ///< world units

}  // namespace startle
