#pragma once
/// \file  Density by the distance to the k-th nearest observation [Lin §4.2].
#include "statistics/density_estimator.hpp"

namespace startle {

enum class KNearestForm {
  linear,  ///< -r_k, as Lin et al. use it: surprise_KNN = surprise - gamma r_k
  /// -(m - 1) log r_k, m the dimension: log of the estimate k/(c n r_k^(m-1)) on the sphere [Lin, appendix],
  /// up to a constant
  log,
};

struct KNearestOptions {
  int k = 50;             ///< >= 1
  bool unit_norm = true;  ///< points are scaled to length 1 first; a point at the origin stays there
  KNearestForm form = KNearestForm::linear;
};

/// Distances below this count as this, so that the log of a point met k times is finite.
inline constexpr double least_distance = 1e-9;

class KNearest : public DensityEstimator {
 public:
  explicit KNearest(const KNearestOptions& options = {});
  std::string name() const override {
    return options_.form == KNearestForm::linear ? "k-nearest" : "k-nearest-log";
  }
  /// Needs k points.
  void fit(const Points& points) override;
  double score(std::span<const double> point) const override;

  /// r_k, Euclidean, in [0, 2] for unit norm. A point that is among the observations is its own nearest one.
  double distance(std::span<const double> point) const;

 private:
  KNearestOptions options_;
  Points points_;
};

/// r_k of every point among the OTHERS, by Euclidean distance, points as they are. Needs k + 1 points.
std::vector<double> nearest_distances(const Points& points, int k);

/// `point` scaled to length 1.
std::vector<double> unit_norm(std::span<const double> point);

}  // namespace startle
