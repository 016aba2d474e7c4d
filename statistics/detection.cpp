#include "statistics/detection.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "statistics/finite.hpp"

namespace startle {

TrialOutcome trial_outcome(const Trial& trial, double threshold) {
  check_finite("trial", trial.likelihoods);
  const std::size_t count = trial.likelihoods.size();
  if (trial.normal > count)
    throw Error("trial: found " + std::to_string(trial.normal) + " normal instances, allowed are 0 to " +
                std::to_string(count));
  const auto reaches = [&](double likelihood) { return likelihood >= threshold; };
  const auto alarmed = static_cast<std::size_t>(
      std::find_if(trial.likelihoods.begin(), trial.likelihoods.end(), reaches) - trial.likelihoods.begin());
  if (alarmed == count) return {};
  if (alarmed < trial.normal) return {.false_positive = true};
  return {.detected = true, .delay = alarmed - trial.normal};
}

}  // namespace startle
