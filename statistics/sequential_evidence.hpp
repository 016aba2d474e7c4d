#pragma once
/// \file  Evidence over shots that the world is not the normal one, from p-values: the one place where
/// detectors add up.
///
/// Where p is uniform, kappa p^(kappa - 1) has the mean 1 and grows as p falls: a factor of evidence [Vovk
/// and Wang 2021, calibrators]. A detector has one p-value a shot, or one a statistic (a material, a
/// mechanism and a sign): what is off must be off in the same way in shot after shot.
#include <cstddef>
#include <optional>
#include <vector>

namespace startle {

/// 1/mean of -log p over 330 shots of the reference observer in novel worlds (docs/observer.md): p has there
/// about the density kappa p^(kappa - 1).
inline constexpr double kappa = 0.47;

/// One a statistic, in (0, 1]; none where it says nothing of the shot.
using PValues = std::vector<std::optional<double>>;

/// kappa p^(kappa - 1). p in (0, 1].
double e_value(double p);

/// log of the mean of e_value() over statistics, of 1 where one says nothing; 0 for no statistic.
double log_evidence(const PValues& p_values);

/// Page's CUSUM for each statistic, E <- max(E, 1) x factor, since the world may change before any shot. A
/// statistic that says nothing of a shot keeps its E. The value is the mean over statistics, an e-detector
/// [Shin, Ramdas and Rinaldo 2022]: in the normal world, if all p-values are uniform or larger, the mean time
/// until it passes c is at least c shots. For a bound on the chance of an alarm in a trial, see
/// statistics/false_alarms.hpp.
class SequentialEvidence {
 public:
  /// Of one more shot. Returns value(). The number of statistics is that of the first call.
  double add(const PValues& p_values);
  /// log of the mean; 0 before the first shot.
  double value() const;

 private:
  std::vector<double> logs_;
};

}  // namespace startle
