#pragma once
/// \file  One-class support vector machine: a smooth boundary around most observations (Schoelkopf et al.
/// 2001), by libsvm.
#include "statistics/density_estimator.hpp"

namespace startle {

struct OneClassSvmOptions {
  double nu = 0.5;   ///< in (0, 1]: at most this share of the observations ends outside, at least this share
                     ///< are support vectors
  double gamma = 0;  ///< of the kernel exp(-gamma |x - y|^2), > 0; 0: 1/(dimension x variance of all
                     ///< numbers), scikit-learn's 'scale'
  double tolerance = 1e-3;  ///< libsvm's stopping tolerance, > 0
};

class OneClassSvm : public DensityEstimator {
 public:
  explicit OneClassSvm(const OneClassSvmOptions& options = {});
  std::string name() const override { return "one-class-svm"; }
  void fit(const Points& points) override;
  /// sum over support vectors of a_i K(x_i, point), >= 0; scikit-learn's score_samples. (Its
  /// decision_function is this less rho().)
  double score(std::span<const double> point) const override;

  /// After fit().
  double gamma() const { return gamma_; }
  double rho() const { return rho_; }

 private:
  OneClassSvmOptions options_;
  Points vectors_;
  std::vector<double> weights_;
  double gamma_ = 0, rho_ = 0;
};

}  // namespace startle
