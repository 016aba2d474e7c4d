#include "statistics/density_estimator.hpp"

#include "core/error.hpp"
#include "statistics/finite.hpp"
#include "statistics/isolation_forest.hpp"
#include "statistics/k_nearest.hpp"
#include "statistics/mahalanobis.hpp"
#include "statistics/one_class_svm.hpp"
#include "statistics/pca_detector.hpp"

namespace startle {

void Points::add(std::span<const double> point) {
  if (values.empty()) dimension = point.size();
  if (point.size() != dimension || point.empty())
    throw Error("points: found a point of " + std::to_string(point.size()) + " numbers, allowed are " +
                (values.empty() ? "one or more" : std::to_string(dimension)));
  values.insert(values.end(), point.begin(), point.end());
}

std::vector<double> scores(const DensityEstimator& estimator, const Points& points) {
  std::vector<double> all;
  all.reserve(points.count());
  for (std::size_t i = 0; i < points.count(); ++i) all.push_back(estimator.score(points[i]));
  return all;
}

const std::vector<std::string>& density_estimators() {
  static const std::vector<std::string> names{"k-nearest",     "k-nearest-log", "isolation-forest",
                                              "one-class-svm", "pca",           "mahalanobis"};
  return names;
}

std::unique_ptr<DensityEstimator> make_density_estimator(const std::string& name, std::uint64_t seed, int k) {
  if (name == "k-nearest") return std::make_unique<KNearest>(KNearestOptions{.k = k});
  if (name == "k-nearest-log")
    return std::make_unique<KNearest>(KNearestOptions{.k = k, .form = KNearestForm::log});
  if (name == "isolation-forest")
    return std::make_unique<IsolationForest>(IsolationForestOptions{.seed = seed});
  if (name == "one-class-svm") return std::make_unique<OneClassSvm>();
  if (name == "pca") return std::make_unique<PcaDetector>();
  if (name == "mahalanobis") return std::make_unique<Mahalanobis>();
  std::string allowed;
  for (const std::string& known : density_estimators()) allowed += (allowed.empty() ? "" : ", ") + known;
  throw Error("density estimator: found " + name + ", allowed are " + allowed);
}

void check_points(const std::string& estimator, const Points& points, std::size_t least) {
  if (points.count() < least)
    throw Error(estimator + ": found " + std::to_string(points.count()) + " observations, allowed are " +
                std::to_string(least) + " or more");
  check_finite(estimator.c_str(), points.values);
}

void check_point(const std::string& estimator, std::span<const double> point, std::size_t dimension) {
  if (dimension == 0) throw Error(estimator + ": scores are asked for before fit()");
  if (point.size() != dimension)
    throw Error(estimator + ": found a point of " + std::to_string(point.size()) + " numbers, allowed are " +
                std::to_string(dimension));
  check_finite(estimator.c_str(), point);
}

}  // namespace startle
