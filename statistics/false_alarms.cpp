#include "statistics/false_alarms.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <string>

#include "core/error.hpp"
#include "core/math.hpp"
#include "statistics/sequential_evidence.hpp"

namespace startle {
namespace {

constexpr std::size_t grid = 1000;  // steps from no evidence to the evidence that is asked about

void require_p_value(double p) {
  if (!(p > 0 && p <= 1))
    throw Error("sequential test: found a p-value of " + std::to_string(p) +
                ", allowed are those over 0 to 1");
}

}  // namespace

double likelihood_of_p(double p) { return false_alarm_rate / (false_alarm_rate + p); }

double p_of_likelihood(double likelihood) { return false_alarm_rate * (1 - likelihood) / likelihood; }

SequentialTest::SequentialTest(std::size_t length) : powers_(length, 1.0) {
  if (length == 0) throw Error("sequential test: length: found 0, needed is at least 1");
}

double SequentialTest::evidence_after(double p) const {
  require_p_value(p);
  if (count_ == powers_.size())
    throw Error("sequential test: found more than the " + std::to_string(powers_.size()) +
                " p-values that it was made for");
  return std::max(log_evidence_, 0.0) + math::log(e_value(p));
}

double SequentialTest::add(double p) {
  log_evidence_ = evidence_after(p);
  ++count_;
  return chance_of_evidence(log_evidence_, powers_);
}

double SequentialTest::if_next(double p) const { return chance_of_evidence(evidence_after(p), powers_); }

double LevelsTest::likelihood(int level, double p) {
  require_p_value(p);
  LevelsTest after = *this;  // what is refused changes nothing
  if (level != after.level_) {
    if (after.level_) after.levels_.add(after.p_);
    after.level_ = level;
    after.p_ = 1;
  }
  after.p_ = std::min(after.p_, p);
  const double likelihood = likelihood_of_p(after.levels_.if_next(after.p_));
  *this = std::move(after);
  return likelihood;
}

double chance_of_evidence(double log_evidence, const std::vector<double>& powers) {
  // log e(p) is drift + spread x, with x of the exponential distribution of mean 1/power.
  const double drift = math::log(kappa), spread = 1 - kappa;
  if (log_evidence <= 0 || powers.size() == 1) {  // what has not reached it starts anew each time
    double never = 1;
    for (const double power : powers)
      never *= -math::expm1(-power * std::max(0.0, log_evidence - drift) / spread);
    return 1 - never;
  }
  const double step = log_evidence / grid;
  // chance[i]: that it was not reached yet, and the evidence is i steps or, for i = 0, none. The evidence is
  // rounded up to a step each time.
  std::vector<double> chance(grid, 0.0), weighted(grid + 1), above(grid), growth(grid + 1);
  chance[0] = 1;
  double reached = 0;
  for (const double power : powers) {
    // P(next > k steps) = sum over i of chance[i] min(1, exp(power (i step + drift - k step)/spread)).
    for (std::size_t i = 0; i <= grid; ++i)
      growth[i] = math::exp(power * step * static_cast<double>(i) / spread);
    const double fall = math::exp(power * drift / spread);
    for (std::size_t i = 0; i < grid; ++i) weighted[i + 1] = weighted[i] + chance[i] * growth[i];
    double certain = 0;  // of those from which even p = 1 leads above
    std::size_t i = grid;
    for (std::size_t k = grid; k-- > 0;) {
      for (; i > 0 && static_cast<double>(i - 1) * step + drift > static_cast<double>(k) * step; --i)
        certain += chance[i - 1];
      above[k] = certain + weighted[i] * fall / growth[k];
    }
    reached += above[grid - 1];
    double left = 0;
    for (const double one : chance) left += one;
    chance[0] = std::max(0.0, left - above[0]);
    for (std::size_t k = 1; k < grid; ++k) chance[k] = std::max(0.0, above[k - 1] - above[k]);
  }
  return std::min(1.0, reached);
}

double log_evidence_of_alarm(std::size_t length) {
  static std::mutex mutex;
  static std::map<std::size_t, double> known;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto found = known.find(length);
  if (found != known.end()) return found->second;
  const std::vector<double> normal(length, 1.0);
  double low = math::log(kappa), high = 50;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (chance_of_evidence(middle, normal) > false_alarm_rate ? low : high) = middle;
  }
  return known[length] = high;
}

CalibratedScores::CalibratedScores(std::vector<double> normal, double confidence)
    : normal_(std::move(normal)) {
  if (normal_.empty()) throw Error("calibrated scores: found no normal scores, needed is at least 1");
  if (std::any_of(normal_.begin(), normal_.end(), [](double score) { return std::isnan(score); }))
    throw Error("calibrated scores: found NaN among the normal scores");
  if (!(confidence > 0 && confidence < 1))
    throw Error("calibrated scores: confidence: found " + std::to_string(confidence) +
                ", allowed are those over 0 and below 1");
  std::sort(normal_.begin(), normal_.end());
  // b_(n + 1 - i) = 1 - (1 - confidence)^(1/k) (i (i - 1) ... (i - k + 1)/(n (n - 1) ... (n - k + 1)))^(1/k).
  const std::size_t n = normal_.size(), k = std::max<std::size_t>(1, n / 2);
  bounds_.assign(n + 1, 1.0);
  double log_ratio = 0;  // of the two products
  for (std::size_t i = n; i >= k; --i) {
    bounds_[n - i] = 1 - math::exp((math::log(1 - confidence) + log_ratio) / static_cast<double>(k));
    if (i == k) break;
    log_ratio += math::log(static_cast<double>(i - k) / static_cast<double>(i));
  }
}

std::size_t CalibratedScores::at_least(double score) const {
  if (std::isnan(score)) throw Error("calibrated scores: found NaN, needed is a score");
  return static_cast<std::size_t>(normal_.end() - std::lower_bound(normal_.begin(), normal_.end(), score));
}

double CalibratedScores::rank(double score) const {
  return static_cast<double>(1 + at_least(score)) / static_cast<double>(normal_.size() + 1);
}

double CalibratedScores::p(double score) const { return bounds_[at_least(score)]; }

}  // namespace startle
