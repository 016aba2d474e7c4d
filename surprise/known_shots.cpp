#include "surprise/known_shots.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "core/math.hpp"
#include "statistics/k_nearest.hpp"
#include "statistics/sequential_evidence.hpp"

namespace startle {
namespace {

constexpr double standard_errors = 1.5;      // by which a difference is drawn towards 0
constexpr double least_variance = 0.05;      // of a residual: a mechanism that hardly ever says something
constexpr std::size_t neighbours_share = 4;  // one in so many known shots is nearer than the k-th

class SurpriseKnn : public KnownShotsDetector {
 public:
  explicit SurpriseKnn(const KnownShots& known)
      : nearest_({.k = static_cast<int>(std::max<std::size_t>(1, known.size() / neighbours_share))}) {
    Points points;
    for (const ShotDeviations* shot : known) points.add(shot->residuals);
    nearest_.fit(points);
  }
  double score(const ShotDeviations& shot) const override {
    return shot.surprise - known_shots_gamma * nearest_.distance(shot.residuals);
  }

 private:
  KNearest nearest_;
};

std::vector<double> mean_residuals(const KnownShots& shots) {
  std::vector<double> mean(shots.front()->residuals.size());
  for (const ShotDeviations* shot : shots)
    for (std::size_t i = 0; i < mean.size(); ++i)
      mean[i] += shot->residuals[i] / static_cast<double>(shots.size());
  return mean;
}

class ShrunkenCentroids : public KnownShotsDetector {
 public:
  ShrunkenCentroids(const KnownShots& known, const KnownShots& normal) : weights_(mean_residuals(known)) {
    const std::vector<double> usual = mean_residuals(normal);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      double variance = least_variance;
      for (const ShotDeviations* shot : normal) {
        const double d = shot->residuals[i] - usual[i];
        variance += d * d / static_cast<double>(normal.size());
      }
      const double difference = weights_[i] - usual[i],
                   drawn = standard_errors * std::sqrt(variance / static_cast<double>(known.size()));
      weights_[i] = std::copysign(std::max(0.0, std::abs(difference) - drawn), difference) / variance;
    }
  }
  double score(const ShotDeviations& shot) const override {
    return std::inner_product(weights_.begin(), weights_.end(), shot.residuals.begin(), 0.0);
  }

 private:
  std::vector<double> weights_;
};

class WeightedEvidence : public KnownShotsDetector {
 public:
  explicit WeightedEvidence(const KnownShots& known) : weights_(known.front()->evidence.size(), 0) {
    for (const ShotDeviations* shot : known)
      for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] += math::log(shot->evidence[i]);
    const double most = *std::max_element(weights_.begin(), weights_.end());
    double sum = 0;
    for (double& weight : weights_) sum += weight = math::exp(weight - most);
    for (double& weight : weights_) weight = 0.5 * weight / sum + 0.5 / static_cast<double>(weights_.size());
  }
  double score(const ShotDeviations& shot) const override {
    return math::log(std::inner_product(weights_.begin(), weights_.end(), shot.evidence.begin(), 0.0));
  }

 private:
  std::vector<double> weights_;
};

}  // namespace

ShotDeviations deviations_of(const DetectorOutput& shot) {
  if (shot.p_values.empty() || shot.p_values.size() % 2 == 1)
    throw Error("known shots: found " + std::to_string(shot.p_values.size()) +
                " p-values of a shot, needed are two for each material and mechanism");
  ShotDeviations found{.surprise = -math::log(shot.p), .residuals = {}, .evidence = {}};
  for (std::size_t i = 0; i < shot.p_values.size(); i += 2) {
    const double less = shot.p_values[i].value_or(1), more = shot.p_values[i + 1].value_or(1),
                 size = std::max(0.0, -math::log(2 * std::min(less, more)));
    found.residuals.push_back(less < more ? -size : size);
  }
  for (const auto& p : shot.p_values) found.evidence.push_back(p ? e_value(*p) : 1);
  return found;
}

const std::vector<std::string>& known_shots_detectors() {
  static const std::vector<std::string> names{"surprise_KNN", "centroids", "evidence"};
  return names;
}

std::unique_ptr<KnownShotsDetector> make_known_shots_detector(const std::string& name,
                                                              const KnownShots& known,
                                                              const KnownShots& normal) {
  const std::vector<std::string>& names = known_shots_detectors();
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error("known shots: found detector '" + name +
                "', allowed are surprise_KNN, centroids and evidence");
  if (known.empty() || normal.size() < 2)
    throw Error("known shots: found " + std::to_string(known.size()) + " known and " +
                std::to_string(normal.size()) + " normal ones, needed are at least 1 and 2");
  if (name == names[0]) return std::make_unique<SurpriseKnn>(known);
  if (name == names[1]) return std::make_unique<ShrunkenCentroids>(known, normal);
  return std::make_unique<WeightedEvidence>(known);
}

}  // namespace startle
