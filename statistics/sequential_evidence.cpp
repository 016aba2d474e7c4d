#include "statistics/sequential_evidence.hpp"

#include <algorithm>
#include <string>

#include "core/error.hpp"
#include "core/math.hpp"

namespace startle {
namespace {

double log_factor(double p) { return math::log(kappa) + (kappa - 1) * math::log(p); }

/// log of the mean of exp.
double log_mean(const std::vector<double>& logs) {
  if (logs.empty()) return 0;
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double one : logs) sum += math::exp(one - most);
  return most + math::log(sum / static_cast<double>(logs.size()));
}

}  // namespace

double e_value(double p) { return math::exp(log_factor(p)); }

double log_evidence(const PValues& p_values) {
  std::vector<double> logs;
  for (const auto& p : p_values) logs.push_back(log_factor(p.value_or(1)));
  return log_mean(logs);
}

double SequentialEvidence::add(const PValues& p_values) {
  if (logs_.empty()) logs_.assign(p_values.size(), 0.0);
  if (p_values.size() != logs_.size())
    throw Error("evidence: found " + std::to_string(p_values.size()) + " p-values, needed are " +
                std::to_string(logs_.size()));
  for (std::size_t k = 0; k < p_values.size(); ++k) {
    if (!p_values[k]) continue;
    const double p = *p_values[k];
    if (!(p > 0 && p <= 1))
      throw Error("evidence: found a p-value of " + std::to_string(p) + ", allowed are those over 0 to 1");
    logs_[k] = std::max(logs_[k], 0.0) + log_factor(p);
  }
  return value();
}

double SequentialEvidence::value() const { return log_mean(logs_); }

}  // namespace startle
