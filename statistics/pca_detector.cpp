#include "statistics/pca_detector.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/error.hpp"

namespace startle {
namespace {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Principal components of the correlation matrix, least eigenvalue first.
struct Components {
  Eigen::RowVectorXd mean, deviation;
  Eigen::VectorXd eigenvalues;
  RowMatrix vectors;  ///< row i over the root of eigenvalue i; 0 where that is 0
  double zero = 0;    ///< eigenvalues up to this are 0

  RowMatrix standardised(const RowMatrix& x) const {
    RowMatrix z = x.rowwise() - mean;
    for (Eigen::Index j = 0; j < z.cols(); ++j) z.col(j) *= deviation[j] > 0 ? 1 / deviation[j] : 0;
    return z;
  }
};

Components components(const RowMatrix& x) {
  Components c;
  const double n = static_cast<double>(x.rows());
  c.mean = x.colwise().mean();
  c.deviation = ((x.rowwise() - c.mean).colwise().squaredNorm() / (n - 1)).cwiseSqrt();
  for (Eigen::Index j = 0; j < x.cols(); ++j)  // a constant feature's deviation is rounding
    if (x.col(j).minCoeff() == x.col(j).maxCoeff()) c.deviation[j] = 0;
  const RowMatrix z = c.standardised(x);
  const Eigen::MatrixXd correlation = z.transpose() * z / (n - 1);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(correlation);
  c.eigenvalues = eigen.eigenvalues();
  c.vectors = eigen.eigenvectors().transpose();
  c.zero = static_cast<double>(x.cols()) * std::numeric_limits<double>::epsilon() *
           c.eigenvalues.cwiseAbs().maxCoeff();
  for (Eigen::Index i = 0; i < c.vectors.rows(); ++i)
    c.vectors.row(i) *= c.eigenvalues[i] > c.zero ? 1 / std::sqrt(c.eigenvalues[i]) : 0;
  return c;
}

}  // namespace

PcaDetector::PcaDetector(const PcaDetectorOptions& options) : options_(options) {
  if (!(options.major_variance > 0 && options.major_variance <= 1))
    throw Error("PCA detector: found major variance " + std::to_string(options.major_variance) +
                ", allowed are above 0, to 1");
  if (!(options.trimmed >= 0 && options.trimmed < 1))
    throw Error("PCA detector: found trimmed share " + std::to_string(options.trimmed) +
                ", allowed are 0 to below 1");
}

void PcaDetector::fit(const Points& points) {
  check_points(name(), points, 2);
  const auto d = static_cast<Eigen::Index>(points.dimension);
  RowMatrix x = Eigen::Map<const RowMatrix>(points.values.data(), static_cast<Eigen::Index>(points.count()),
                                            d);
  Components c = components(x);
  const auto left_out = static_cast<Eigen::Index>(options_.trimmed * static_cast<double>(x.rows()));
  if (left_out > 0 && x.rows() - left_out >= 2) {
    const Eigen::VectorXd distances = (c.standardised(x) * c.vectors.transpose()).rowwise().squaredNorm();
    std::vector<Eigen::Index> order(static_cast<std::size_t>(x.rows()));
    std::iota(order.begin(), order.end(), Eigen::Index{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](Eigen::Index a, Eigen::Index b) { return distances[a] < distances[b]; });
    order.resize(static_cast<std::size_t>(x.rows() - left_out));
    c = components(x(order, Eigen::all));
  }
  mean_.assign(c.mean.begin(), c.mean.end());
  deviation_.assign(c.deviation.begin(), c.deviation.end());
  major_.clear();
  minor_.clear();
  const auto append = [&](std::vector<double>& rows, Eigen::Index i) {
    rows.insert(rows.end(), c.vectors.row(i).begin(), c.vectors.row(i).end());
  };
  const double wanted = options_.major_variance * c.eigenvalues.sum();
  double held = 0;
  for (Eigen::Index i = d; i-- > 0 && held < wanted && c.eigenvalues[i] > c.zero;) {
    append(major_, i);
    held += c.eigenvalues[i];
  }
  for (Eigen::Index i = 0; i < d; ++i)
    if (c.eigenvalues[i] > c.zero && c.eigenvalues[i] < options_.minor_eigenvalue) append(minor_, i);
}

PcaDetector::Parts PcaDetector::parts(std::span<const double> point) const {
  check_point(name(), point, mean_.size());
  const auto d = static_cast<Eigen::Index>(point.size());
  Eigen::VectorXd z(d);
  for (std::size_t j = 0; j < point.size(); ++j)
    z[static_cast<Eigen::Index>(j)] = deviation_[j] > 0 ? (point[j] - mean_[j]) / deviation_[j] : 0;
  const auto sum = [&](const std::vector<double>& rows) {
    return (Eigen::Map<const RowMatrix>(rows.data(), static_cast<Eigen::Index>(rows.size()) / d, d) * z)
        .squaredNorm();
  };
  return {.major = sum(major_), .minor = sum(minor_)};
}

double PcaDetector::score(std::span<const double> point) const {
  const Parts p = parts(point);
  return -(p.major + p.minor);
}

}  // namespace startle
