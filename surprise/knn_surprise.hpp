#pragma once
/// \file  Surprise of clips, corrected by what violations of expectation look like: surprise_naive and
/// surprise_KNN [Lin §4], as Lin et al. define them, on a model's own features. For shots of a novel world
/// see known_shots.hpp.
///
/// Both need clips of violations to learn from, so they are few-shot detectors: no comparison with plain
/// surprise without saying so.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "statistics/density_estimator.hpp"
#include "surprise/surprise_score.hpp"

namespace startle {

struct FewShotOptions {
  int k = 50;           ///< neighbours [Lin §5], >= 1
  double gamma = 0.01;  ///< weight of the distance to known violations [Lin §5], >= 0
};

/// Lin et al.'s gamma is for errors per pixel, not for sums: the mean of s_t over frames, pixels and
/// channels.
double mean_surprise(const FrameErrors& errors, int pixels);

/// surprise - gamma x surprise of a second model that was trained on violations [Lin §4.1]. With gamma 1, as
/// both are squared errors, this is the log of the likelihood ratio of two normal distributions with errors
/// of equal variance, up to a factor.
inline double surprise_naive(double surprise, double surprise_of_violations, double gamma = 1) {
  return surprise - gamma * surprise_of_violations;
}

/// A feature as estimators take it: scaled to length 1.
void add_feature(Points& points, const std::vector<float>& feature);

/// surprise + gamma x density of the observed violations around the clip's feature, so that what is like a
/// known violation is the more surprising. With estimator "k-nearest" this is surprise_KNN = surprise - gamma
/// r_k. Scores of the other estimators, whose scales have nothing to do with each other, are shifted
/// and scaled to the mean and standard deviation that -r_k has over the observations (ours; Lin et al. do
/// not say), so that gamma means the same.
class FewShotSurprise {
 public:
  /// Throws Error for an unknown estimator and for fewer than k observations.
  FewShotSurprise(const std::string& estimator, const Points& observations,
                  const FewShotOptions& options = {}, std::uint64_t seed = 1);
  double score(double mean_surprise, const std::vector<float>& feature) const;

 private:
  std::unique_ptr<DensityEstimator> density_;
  double gamma_, scale_ = 1, shift_ = 0;
};

}  // namespace startle
