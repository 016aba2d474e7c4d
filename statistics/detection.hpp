#pragma once
/// \file  When an alarm is raised in trials that turn novel: the metrics of the SAIL-ON program.
///
/// A trial is a row of instances (levels, shots): first normal ones, then novel ones. After each the detector
/// gives a likelihood that the world has changed; the first one that reaches the threshold is its
/// alarm.
#include <cstddef>
#include <vector>

namespace startle {

struct Trial {
  std::vector<double> likelihoods;  ///< of novelty, one an instance, in order
  std::size_t normal = 0;  ///< number of instances before the first novel one; likelihoods.size() where none
                           ///< is novel
};

/// Exactly one of false_positive, detected and neither ("missed", or rightly silent in a trial without
/// novelty).
struct [[nodiscard]] TrialOutcome {
  bool false_positive = false;  ///< an alarm among the normal instances; later ones do not mend it
  bool detected = false;  ///< correctly detected trial, CDT: an alarm at a novel instance and not before
  std::size_t delay = 0;  ///< if detected, FN_CDT: novel instances that passed before the one of the
                          ///< alarm; 0 is at once
};

/// `threshold`: an alarm when likelihood >= threshold. Throws Error when a likelihood is not finite or
/// `normal` exceeds their number.
TrialOutcome trial_outcome(const Trial& trial, double threshold);

}  // namespace startle
