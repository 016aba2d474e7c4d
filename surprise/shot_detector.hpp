#pragma once
/// \file  Detectors of whole shots: a p-value in the normal world from what bodies do, by the dynamics
/// model or the reference observer.
#include <memory>
#include <string>
#include <vector>

#include "simulated/observer.hpp"
#include "surprise/dynamics/dynamics_model.hpp"
#include "surprise/evaluation.hpp"  // ChosenShot, TwinOutputs

namespace startle {

class ShotDetector {
 public:
  virtual ~ShotDetector() = default;
  virtual std::string name() const = 0;
  /// What each of the p-values of a shot is of; empty for a detector that has one.
  virtual std::vector<std::string> statistics() const { return {}; }
  /// One shot in the normal and in the novel world; `cut`: of its clips. `number` names the shot, for
  /// whatever is left to chance. Called from any thread.
  virtual TwinOutputs detect(const ChosenShot& shot, const Scene& novel, const ClipCut& cut,
                             std::uint64_t number) const = 0;
};

/// "dynamics": the dynamics model (surprise/dynamics/dynamics_model.hpp), which sees places and angles
/// exactly at the model's frames; "dynamics-video": dynamics from video, which reads them off pictures.
std::unique_ptr<ShotDetector> make_dynamics_detector(DynamicsModel model);

/// "observer": the reference observer, which is given a launch off the true one by its aim noise; and
/// "observer, clip": the same through the window and at the times of the shot's clip.
std::unique_ptr<ShotDetector> make_observer_detector(const ObserverOptions& options);
std::unique_ptr<ShotDetector> make_clip_observer_detector(const ObserverOptions& options,
                                                          const ClipFormat& format);

}  // namespace startle
