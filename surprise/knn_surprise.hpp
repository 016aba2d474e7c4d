#pragma once
/// \file  Surprise corrected by what violations of expectation look like: surprise_naive and surprise_KNN
/// [Lin §4.2].
///
/// Both need clips of the novel world to learn from, so they are few-shot detectors: no comparison with plain
/// surprise without saying so.
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "statistics/density_estimator.hpp"
#include "statistics/uniformity.hpp"
#include "surprise/evaluation_metrics.hpp"

namespace startle {

/// Weight of what is known of violations [Lin §5].
inline constexpr double few_shot_gamma = 0.01;
/// Lin et al.'s gamma is for errors per pixel, not for sums: the mean of s_t over frames, pixels and
/// channels.
double mean_surprise(const FrameErrors& errors, int pixels);

/// surprise - gamma x surprise of a second model that was trained on violations.
inline double surprise_naive(double surprise, double surprise_of_violations, double gamma = few_shot_gamma) {
  return surprise - gamma * surprise_of_violations;
}

/// A feature as estimators take it: scaled to length 1.
void add_feature(Points& points, const std::vector<float>& feature);

/// surprise + gamma x density of the observed violations around the clip's feature, so that what is like a
/// known violation is the more surprising. With estimator "k-nearest" this is surprise_KNN = surprise - gamma
/// r_k, k = 50. Scores of the other estimators, whose scales have nothing to do with each other, are shifted
/// and scaled to the mean and standard deviation that -r_k has over the observations (ours; Lin et al. do
/// not say), so that gamma means the same.
class FewShotSurprise {
 public:
  /// Throws Error for an unknown estimator and for fewer than 50 observations.
  FewShotSurprise(const std::string& estimator, const Points& observations, std::uint64_t seed = 1,
                  double gamma = few_shot_gamma);
  double score(double mean_surprise, const std::vector<float>& feature) const;

 private:
  std::unique_ptr<DensityEstimator> density_;
  double gamma_, scale_ = 1, shift_ = 0;
};

struct FewShotOptions {
  double observation_share = 0.2;  ///< of the levels of a novelty, whose novel clips are the observations;
                                   ///< the others are tested. (0, 1)
  /// Features of observed violations by novelty, from elsewhere; of these novelties all levels are tested.
  std::map<std::string, Points> given = {};
  std::optional<std::size_t> violation_model = {};  ///< predictor trained on violations, for surprise_naive
  double tie_tolerance = default_tie_tolerance;     ///< share of the sum of both plain surprises
  std::uint64_t seed = 1;                           ///< of the split, the estimators and the bootstrap
  int threads = 0;
};

/// One detector on the test levels.
struct FewShotRow {
  std::string detector;  ///< "surprise", then "surprise_naive" where there is a second model, then names of
                         ///< density_estimators()
  std::size_t levels = 0, twins = 0;
  Estimate paired_accuracy, roc_auc;
};

struct FewShotResult {
  std::string novelty;           ///< empty: all, with the observations of all
  std::size_t observations = 0;  ///< novel clips observed
  std::vector<FewShotRow> rows;  ///< the density estimators are left out with fewer than 51 observations or
                                 ///< without features
  std::optional<UniformityTest> uniformity;  ///< of the observations; empty as above
};

/// For each novelty and all together, with the features of the first predictor.
std::vector<FewShotResult> few_shot_results(const Evaluation& evaluation, const FewShotOptions& options = {});

}  // namespace startle
