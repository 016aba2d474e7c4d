#include "noticing/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/error.hpp"

namespace startle {
namespace {

double log_factor(double p) { return std::log(kappa) + (kappa - 1) * std::log(p); }

/// log of the mean of exp.
double log_mean(const std::vector<double>& logs) {
  if (logs.empty()) return 0;
  const double most = *std::max_element(logs.begin(), logs.end());
  double sum = 0;
  for (const double one : logs) sum += std::exp(one - most);
  return most + std::log(sum / static_cast<double>(logs.size()));
}

}  // namespace

double evidence_factor(double p) { return std::exp(log_factor(p)); }

double log_evidence(const std::vector<double>& streams) {
  std::vector<double> logs;
  for (const double p : streams) logs.push_back(log_factor(p));
  return log_mean(logs);
}

double Evidence::add(const std::vector<double>& streams) {
  if (logs_.empty()) logs_.assign(streams.size(), 0.0);
  if (streams.size() != logs_.size())
    throw Error("evidence: found " + std::to_string(streams.size()) + " p-values, needed are " +
                std::to_string(logs_.size()));
  for (std::size_t k = 0; k < streams.size(); ++k) {
    if (!(streams[k] > 0 && streams[k] <= 1))
      throw Error("evidence: found a p-value of " + std::to_string(streams[k]) +
                  ", allowed are those over 0 to 1");
    logs_[k] = std::max(logs_[k], 0.0) + log_factor(streams[k]);
  }
  return value();
}

double Evidence::value() const { return log_mean(logs_); }

double likelihood_of_evidence(double log_evidence) {
  return 1 / (1 + declared_evidence * std::exp(-log_evidence));
}

}  // namespace startle
