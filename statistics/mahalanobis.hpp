#pragma once
/// \file  Density of a normal distribution fitted to the observations, by Mahalanobis distance.
#include <optional>

#include "statistics/density_estimator.hpp"

namespace startle {

struct MahalanobisOptions {
  /// Share s in [0, 1] of the sphere in the covariance (1 - s) S + s (trace S/d) I; empty: the share of
  /// Ledoit and Wolf 2004. Without it, 0, a hundred dimensions and fewer than some thousand observations give
  /// a covariance whose least eigenvalues are noise.
  std::optional<double> shrinkage;
};

class Mahalanobis : public DensityEstimator {
 public:
  explicit Mahalanobis(const MahalanobisOptions& options = {});
  std::string name() const override { return "mahalanobis"; }
  /// Mean, and covariance S with 1/n, inverted without the directions in which it is 0 (pseudo-inverse):
  /// along those the distance is not seen. Needs two points.
  void fit(const Points& points) override;
  /// -squared_distance(point)/2.
  double score(std::span<const double> point) const override;

  /// (x - mean)' S^-1 (x - mean), squared as scikit-learn's mahalanobis() is.
  double squared_distance(std::span<const double> point) const;
  /// After fit(): what the option was, or the share found.
  double shrinkage() const { return shrinkage_; }

 private:
  MahalanobisOptions options_;
  double shrinkage_ = 0;
  std::vector<double> mean_;
  std::vector<double> whitening_;  ///< d x d, row i is eigenvector i over the root of its eigenvalue; 0 where
                                   ///< that is 0
};

/// Ledoit and Wolf 2004, lemma 3.2 to 3.4, of points with covariance S (1/n): the share that minimises the
/// expected squared error.
double ledoit_wolf_shrinkage(const Points& points);

}  // namespace startle
