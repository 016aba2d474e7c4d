#pragma once
/// \file  Detectors that know some shots of a novel world: surprise_KNN [Lin §4.2] and two kin of it, on what
/// the dynamics model says of each material and mechanism.
///
/// They learn from shots in the novel world, so no comparison with a detector that knows none without saying
/// so. Scores order shots, and have no unit in common: compare them with those of normal shots.
#include <memory>
#include <string>
#include <vector>

#include "surprise/evaluation.hpp"

namespace startle {

/// A shot as these detectors see it, from the p-values of the dynamics model (DynamicsDetection::p_values:
/// two for each material and mechanism, less and more than normal; none where it says nothing).
struct ShotDeviations {
  double surprise = 0;            ///< -log p of the shot
  std::vector<double> residuals;  ///< by material and mechanism: -log 2p of the smaller of its two p-values,
                                  ///< negative where that is the one of less; 0 where it says nothing
  std::vector<double> evidence;   ///< e_value() (statistics/sequential_evidence.hpp) of each p-value; 1 where
                                  ///< it says nothing
};
/// Throws Error for an odd number of p-values, or none.
ShotDeviations deviations_of(const DetectorOutput& shot);

class KnownShotsDetector {
 public:
  virtual ~KnownShotsDetector() = default;
  /// Larger: more like a shot of the novel world that is known, and less like a normal one.
  virtual double score(const ShotDeviations& shot) const = 0;
};

using KnownShots = std::vector<const ShotDeviations*>;

/// Names of the detectors, in the order of tables:
/// - "surprise_KNN": surprise - gamma r_k. r_k is the distance of the residuals, scaled to length 1, to the
///   k-th nearest of the known shots; k is a quarter of their number, at least 1.
/// - "centroids": nearest shrunken centroids [Tibshirani et al. 2002]. The sum over residuals of their value
///   times the mean difference of known and normal shots over the variance of the normal ones; the difference
///   is first drawn towards 0 by 1.5 standard errors.
/// - "evidence": log of a weighted mean of a shot's evidence. Half of the weight is spread evenly over the
///   statistics, as if none were known. Half follows the product of the known shots' evidence: the chance
///   that it is this statistic that changed (Bayes' rule).
const std::vector<std::string>& known_shots_detectors();

/// Weight of r_k in surprise_KNN.
inline constexpr double known_shots_gamma = 20;

/// Learns from `known`, shots of the novel world, at least 1, and `normal`, shots of the normal one, at least
/// 2, which "centroids" alone uses. Throws Error for fewer and, with the names, for another name.
std::unique_ptr<KnownShotsDetector> make_known_shots_detector(const std::string& name,
                                                              const KnownShots& known,
                                                              const KnownShots& normal);

}  // namespace startle
