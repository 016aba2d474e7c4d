#include "surprise/knn_surprise.hpp"

#include <cmath>

#include "statistics/k_nearest.hpp"

namespace startle {
namespace {

const std::string nearest = "k-nearest";

struct Moments {
  double mean = 0, deviation = 0;
};

Moments moments(const std::vector<double>& values) {
  Moments m;
  for (double v : values) m.mean += v / static_cast<double>(values.size());
  for (double v : values) m.deviation += (v - m.mean) * (v - m.mean) / static_cast<double>(values.size());
  m.deviation = std::sqrt(m.deviation);
  return m;
}

Points single(const std::vector<float>& feature) {
  Points point;
  add_feature(point, feature);
  return point;
}

}  // namespace

double mean_surprise(const FrameErrors& errors, int pixels) {
  return clip_score(errors, ClipScore::mean) / (3.0 * pixels * pixels);
}

void add_feature(Points& points, const std::vector<float>& feature) {
  points.add(unit_norm(std::vector<double>(feature.begin(), feature.end())));
}

FewShotSurprise::FewShotSurprise(const std::string& estimator, const Points& observations,
                                 const FewShotOptions& options, std::uint64_t seed)
    : density_(make_density_estimator(estimator, seed, options.k)), gamma_(options.gamma) {
  density_->fit(observations);
  if (estimator == nearest) return;
  const auto reference = make_density_estimator(nearest, seed, options.k);
  reference->fit(observations);
  const Moments wanted = moments(scores(*reference, observations)),
                own = moments(scores(*density_, observations));
  scale_ = own.deviation > 0 ? wanted.deviation / own.deviation : 0;
  shift_ = wanted.mean - scale_ * own.mean;
}

double FewShotSurprise::score(double mean_surprise, const std::vector<float>& feature) const {
  return mean_surprise + gamma_ * (shift_ + scale_ * density_->score(single(feature)[0]));
}

}  // namespace startle
