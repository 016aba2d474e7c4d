#include "statistics/mahalanobis.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <limits>

#include "core/error.hpp"

namespace startle {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const RowMatrix> rows_of(const Points& points) {
  return {points.values.data(), static_cast<Eigen::Index>(points.count()),
          static_cast<Eigen::Index>(points.dimension)};
}

}  // namespace

double ledoit_wolf_shrinkage(const Points& points) {
  check_points("mahalanobis", points, 2);
  const double n = static_cast<double>(points.count()), d = static_cast<double>(points.dimension);
  const RowMatrix x = rows_of(points).rowwise() - rows_of(points).colwise().mean();
  const RowMatrix s = x.transpose() * x / n;
  const double mu = s.trace() / d;
  const double spread = s.squaredNorm() - d * mu * mu;  // ||S - mu I||^2
  // Mean of ||x x' - S||^2 over points, whose n-th part is the error of S.
  const double noise = (x.rowwise().squaredNorm().array().square().sum() / n - s.squaredNorm()) / n;
  if (spread <= 0) return 0;
  return std::clamp(noise / spread, 0.0, 1.0);
}

Mahalanobis::Mahalanobis(const MahalanobisOptions& options) : options_(options) {
  if (options.shrinkage && !(*options.shrinkage >= 0 && *options.shrinkage <= 1))
    throw Error("mahalanobis: found shrinkage " + std::to_string(*options.shrinkage) +
                ", allowed are 0 to 1");
}

void Mahalanobis::fit(const Points& points) {
  check_points(name(), points, 2);
  const auto d = static_cast<Eigen::Index>(points.dimension);
  shrinkage_ = options_.shrinkage ? *options_.shrinkage : ledoit_wolf_shrinkage(points);
  const Eigen::RowVectorXd mean = rows_of(points).colwise().mean();
  const RowMatrix x = rows_of(points).rowwise() - mean;
  Eigen::MatrixXd s = x.transpose() * x / static_cast<double>(points.count());
  const double sphere = s.trace() / static_cast<double>(d);
  s *= 1 - shrinkage_;
  s.diagonal().array() += shrinkage_ * sphere;
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(s);
  const Eigen::VectorXd& values = eigen.eigenvalues();
  const double zero = static_cast<double>(d) * std::numeric_limits<double>::epsilon() *
                      values.cwiseAbs().maxCoeff();  // SciPy's pinvh
  mean_.assign(mean.begin(), mean.end());
  whitening_.assign(static_cast<std::size_t>(d * d), 0);
  Eigen::Map<RowMatrix> whitening(whitening_.data(), d, d);
  for (Eigen::Index i = 0; i < d; ++i)
    if (values[i] > zero) whitening.row(i) = eigen.eigenvectors().col(i).transpose() / std::sqrt(values[i]);
}

double Mahalanobis::squared_distance(std::span<const double> point) const {
  check_point(name(), point, mean_.size());
  const auto d = static_cast<Eigen::Index>(mean_.size());
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(point.data(), d) -
                            Eigen::Map<const Eigen::VectorXd>(mean_.data(), d);
  return (Eigen::Map<const RowMatrix>(whitening_.data(), d, d) * x).squaredNorm();
}

double Mahalanobis::score(std::span<const double> point) const { return -0.5 * squared_distance(point); }

}  // namespace startle
