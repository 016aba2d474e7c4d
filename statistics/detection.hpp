#pragma once
/// \file  When novelty is declared in trials that turn novel: the metrics of the SAIL-ON program.
///
/// A trial is a row of instances (levels, shots): first normal ones, then novel ones. After each the detector gives a likelihood that the
/// world has changed; the first one that reaches the threshold is its declaration.
#include <cstddef>
#include <optional>
#include <vector>

namespace startle {

struct Trial {
  std::vector<double> likelihoods;  ///< of novelty, one an instance, in order
  std::size_t normal = 0;           ///< number of instances before the first novel one; likelihoods.size() where none is novel
};

/// Exactly one of false_positive, detected and neither ("missed", or rightly silent in a trial without novelty).
struct TrialOutcome {
  bool false_positive = false;  ///< declared among the normal instances; what is said later does not mend it
  bool detected = false;        ///< correctly detected trial, CDT: declared at a novel instance and not before
  std::size_t delay = 0;        ///< if detected, FN_CDT: novel instances that passed before the one of the declaration; 0 is at once
};

/// `threshold`: declared when likelihood >= threshold. Throws Error when a likelihood is not finite or `normal` exceeds their number.
TrialOutcome trial_outcome(const Trial& trial, double threshold);

struct DetectionSummary {
  std::size_t trials = 0;           ///< all
  std::size_t novel_trials = 0;     ///< that hold novel instances
  std::size_t detected = 0;         ///< CDT trials (M2: detected/novel_trials)
  std::size_t false_positives = 0;  ///< trials with a declaration before novelty (M2.1: false_positives/trials)
  std::optional<double> mean_delay, median_delay;  ///< of CDT trials (M1 is the mean); empty when there are none
};

/// Undetected trials have no delay: a mean delay without the number of CDT trials beside it says little.
DetectionSummary detection_summary(const std::vector<Trial>& trials, double threshold);

}  // namespace startle
