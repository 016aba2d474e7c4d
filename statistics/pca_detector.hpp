#pragma once
/// \file  Outliers by principal components, the great and the small ones (Shyu, Chen, Sarinnapakorn and Chang
/// 2003).
///
/// Components of the CORRELATION matrix. A point can be far out along the great ones, or, worse, break
/// the relations between features that the small ones stand for. Components between the two are not looked
/// at. (What the library PyOD calls PCA is another thing: it sums distances to eigenvectors taken as points.)
#include "statistics/density_estimator.hpp"

namespace startle {

struct PcaDetectorOptions {
  double major_variance = 0.5;  ///< the greatest components that together hold this share of the variance are
                                ///< major, in (0, 1]
  double minor_eigenvalue = 0.2;  ///< components with an eigenvalue below this are minor; the mean eigenvalue
                                  ///< is 1
  /// Share of the observations left out, those of the greatest Mahalanobis distance, before the final mean,
  /// deviations and components are taken, in [0, 1): an outlier among them would hide others.
  double trimmed = 0.005;
};

class PcaDetector : public DensityEstimator {
 public:
  explicit PcaDetector(const PcaDetectorOptions& options = {});
  std::string name() const override { return "pca"; }
  /// Features that are constant are left out, and so are components whose eigenvalue is 0 up to rounding.
  /// Needs two points.
  void fit(const Points& points) override;
  /// -(major + minor). The paper compares each with a threshold of its own; one score needs a sum.
  double score(std::span<const double> point) const override;

  struct Parts {
    double major = 0, minor = 0;  ///< sums of y_i^2/lambda_i over the components, y_i the point's coordinates
  };
  Parts parts(std::span<const double> point) const;

 private:
  PcaDetectorOptions options_;
  std::vector<double> mean_, deviation_;  ///< of each feature; a deviation of 0: left out
  std::vector<double> major_, minor_;  ///< rows of d numbers, eigenvectors over the root of their eigenvalues
};

}  // namespace startle
