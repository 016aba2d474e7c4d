#include "statistics/detection.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "sim/error.hpp"
#include "statistics/finite.hpp"
#include "statistics/percentile.hpp"

namespace startle {

TrialOutcome trial_outcome(const Trial& trial, double threshold) {
  check_finite("trial", trial.likelihoods);
  const std::size_t count = trial.likelihoods.size();
  if (trial.normal > count)
    throw Error("trial: found " + std::to_string(trial.normal) + " normal instances, allowed are 0 to " + std::to_string(count));
  const auto reaches = [&](double likelihood) { return likelihood >= threshold; };
  const auto declared =
      static_cast<std::size_t>(std::find_if(trial.likelihoods.begin(), trial.likelihoods.end(), reaches) - trial.likelihoods.begin());
  if (declared == count) return {};
  if (declared < trial.normal) return {.false_positive = true};
  return {.detected = true, .delay = declared - trial.normal};
}

DetectionSummary detection_summary(const std::vector<Trial>& trials, double threshold) {
  DetectionSummary summary{.trials = trials.size()};
  std::vector<double> delays;
  for (const Trial& trial : trials) {
    const TrialOutcome outcome = trial_outcome(trial, threshold);
    summary.novel_trials += trial.normal < trial.likelihoods.size();
    summary.false_positives += outcome.false_positive;
    if (outcome.detected) delays.push_back(static_cast<double>(outcome.delay));
  }
  summary.detected = delays.size();
  if (delays.empty()) return summary;
  summary.mean_delay = std::accumulate(delays.begin(), delays.end(), 0.0) / static_cast<double>(delays.size());
  summary.median_delay = percentile(delays, 50);
  return summary;
}

}  // namespace startle
