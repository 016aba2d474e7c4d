#pragma once
/// \file  How dense are the observations around a point? The common face of the estimators, one in each
/// header of this module: k_nearest, isolation_forest, one_class_svm, pca_detector, mahalanobis.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace startle {

/// Points of equal dimension, one after the other.
struct Points {
  std::size_t dimension = 0;
  std::vector<double> values;  ///< point i at [i * dimension, (i + 1) * dimension)

  std::size_t count() const { return dimension == 0 ? 0 : values.size() / dimension; }
  std::span<const double> operator[](std::size_t i) const {
    return std::span(values).subspan(i * dimension, dimension);
  }
  /// The first point sets the dimension; throws Error when a later one has another.
  void add(std::span<const double> point);
};

class DensityEstimator {
 public:
  virtual ~DensityEstimator() = default;
  virtual std::string name() const = 0;
  /// Learns from the observations, in place of what was learnt before. Throws Error when there are too few,
  /// or a value is not finite.
  virtual void fit(const Points& points) = 0;
  /// Larger is denser: fit on violations of expectation, it stands for log p_VoE up to scale and a constant.
  /// The scales of two estimators have nothing in common. After fit(); throws Error when the dimension is not
  /// that of the observations or a value is not finite. May be called from several threads at once.
  virtual double score(std::span<const double> point) const = 0;
};

/// Of every point, in order.
std::vector<double> scores(const DensityEstimator& estimator, const Points& points);

/// Names of the estimators make_density_estimator() knows: k-nearest, k-nearest-log, isolation-forest,
/// one-class-svm, pca, mahalanobis.
const std::vector<std::string>& density_estimators();

/// With the settings of its header's defaults, but k neighbours. `seed` is used by the isolation forest.
/// Throws Error, with the names, for another name.
std::unique_ptr<DensityEstimator> make_density_estimator(const std::string& name, std::uint64_t seed,
                                                         int k = 50);

/// Checks for estimators. Throw Error, naming the estimator, when there are fewer points than `least` or a
/// value is not finite; and when the point is not of this dimension (0: nothing was fitted) or not finite.
void check_points(const std::string& estimator, const Points& points, std::size_t least);
void check_point(const std::string& estimator, std::span<const double> point, std::size_t dimension);

}  // namespace startle
