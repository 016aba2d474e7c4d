#include "statistics/k_nearest.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/math.hpp"

namespace startle {
namespace {

using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
using Row = Eigen::Map<const Eigen::RowVectorXd>;

/// Of the squared distances from `point` to all points, the k-th smallest from 0.
double kth_squared(const Points& points, std::span<const double> point, int k) {
  const auto dimension = static_cast<Eigen::Index>(points.dimension);
  const Rows rows(points.values.data(), static_cast<Eigen::Index>(points.count()), dimension);
  const Row at(point.data(), dimension);
  std::vector<double> squares(points.count());
  // Differences, not |x|^2 - 2 x.y + |y|^2: that would lose all digits of small distances.
  for (Eigen::Index i = 0; i < rows.rows(); ++i)
    squares[static_cast<std::size_t>(i)] = (rows.row(i) - at).squaredNorm();
  std::nth_element(squares.begin(), squares.begin() + k, squares.end());
  return squares[static_cast<std::size_t>(k)];
}

}  // namespace

std::vector<double> unit_norm(std::span<const double> point) {
  std::vector<double> scaled(point.begin(), point.end());
  double square = 0;
  for (double v : scaled) square += v * v;
  if (square > 0)
    for (double& v : scaled) v /= std::sqrt(square);
  return scaled;
}

KNearest::KNearest(const KNearestOptions& options) : options_(options) {
  if (options.k < 1)
    throw Error("k nearest: found k " + std::to_string(options.k) + ", allowed are 1 or more");
}

void KNearest::fit(const Points& points) {
  check_points(name(), points, static_cast<std::size_t>(options_.k));
  points_ = {};
  for (std::size_t i = 0; i < points.count(); ++i)
    points_.add(options_.unit_norm ? unit_norm(points[i])
                                   : std::vector<double>(points[i].begin(), points[i].end()));
}

double KNearest::distance(std::span<const double> point) const {
  check_point(name(), point, points_.dimension);
  if (!options_.unit_norm) return std::sqrt(kth_squared(points_, point, options_.k - 1));
  return std::sqrt(kth_squared(points_, unit_norm(point), options_.k - 1));
}

double KNearest::score(std::span<const double> point) const {
  const double r = distance(point);
  if (options_.form == KNearestForm::linear) return -r;
  return -(static_cast<double>(points_.dimension) - 1) * math::log(std::max(r, least_distance));
}

std::vector<double> nearest_distances(const Points& points, int k) {
  if (k < 1) throw Error("k nearest: found k " + std::to_string(k) + ", allowed are 1 or more");
  check_points("k nearest", points, static_cast<std::size_t>(k) + 1);
  std::vector<double> distances(points.count());
  for (std::size_t i = 0; i < distances.size(); ++i)
    distances[i] = std::sqrt(kth_squared(points, points[i], k));  // the 0-th is itself
  return distances;
}

}  // namespace startle
