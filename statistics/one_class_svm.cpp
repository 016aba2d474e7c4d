#include "statistics/one_class_svm.hpp"

#include <libsvm/svm.h>

#include "core/error.hpp"
#include "core/math.hpp"

namespace startle {
namespace {

double scale_gamma(const Points& points) {
  const double n = static_cast<double>(points.values.size());
  double mean = 0, variance = 0;
  for (double v : points.values) mean += v / n;
  for (double v : points.values) variance += (v - mean) * (v - mean) / n;
  return variance > 0 ? 1 / (static_cast<double>(points.dimension) * variance) : 1;
}

}  // namespace

OneClassSvm::OneClassSvm(const OneClassSvmOptions& options) : options_(options) {
  if (!(options.nu > 0 && options.nu <= 1))
    throw Error("one-class SVM: found nu " + std::to_string(options.nu) + ", allowed are above 0, to 1");
  if (!(options.gamma >= 0))
    throw Error("one-class SVM: found gamma " + std::to_string(options.gamma) + ", allowed are 0 or more");
  if (!(options.tolerance > 0))
    throw Error("one-class SVM: found tolerance " + std::to_string(options.tolerance) +
                ", allowed are above 0");
}

void OneClassSvm::fit(const Points& points) {
  check_points(name(), points, 2);
  [[maybe_unused]] static const bool quiet = [] {
    svm_set_print_string_function([](const char*) {});
    return true;
  }();
  gamma_ = options_.gamma > 0 ? options_.gamma : scale_gamma(points);

  std::vector<svm_node> nodes;
  nodes.reserve(points.count() * (points.dimension + 1));
  for (std::size_t i = 0; i < points.count(); ++i) {
    for (std::size_t d = 0; d < points.dimension; ++d)
      nodes.push_back({static_cast<int>(d) + 1, points[i][d]});
    nodes.push_back({-1, 0});
  }
  std::vector<svm_node*> rows;
  for (std::size_t i = 0; i < points.count(); ++i) rows.push_back(&nodes[i * (points.dimension + 1)]);
  std::vector<double> labels(points.count(), 1);
  const svm_problem problem{static_cast<int>(points.count()), labels.data(), rows.data()};
  svm_parameter parameters{};
  parameters.svm_type = ONE_CLASS;
  parameters.kernel_type = RBF;
  parameters.gamma = gamma_;
  parameters.cache_size = 100;
  parameters.eps = options_.tolerance;
  parameters.nu = options_.nu;
  parameters.shrinking = 1;
  svm_model* model = svm_train(&problem, &parameters);

  vectors_ = {.dimension = points.dimension};
  weights_.assign(model->sv_coef[0], model->sv_coef[0] + model->l);
  for (int i = 0; i < model->l; ++i) vectors_.add(points[static_cast<std::size_t>(model->sv_indices[i]) - 1]);
  rho_ = model->rho[0];
  svm_free_and_destroy_model(&model);
}

double OneClassSvm::score(std::span<const double> point) const {
  check_point(name(), point, vectors_.dimension);
  double sum = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    const std::span<const double> vector = vectors_[i];
    double square = 0;
    for (std::size_t d = 0; d < point.size(); ++d) square += (vector[d] - point[d]) * (vector[d] - point[d]);
    sum += weights_[i] * math::exp(-gamma_ * square);
  }
  return sum;
}

}  // namespace startle
