#include "statistics/likelihood.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "core/error.hpp"
#include "core/math.hpp"
#include "statistics/normal_distribution.hpp"

namespace startle {
namespace {

void check(std::size_t values, std::size_t means, double sigma) {
  if (values != means)
    throw Error("likelihood: found " + std::to_string(values) + " values and " + std::to_string(means) +
                " means, allowed are equally many");
  if (!(sigma > 0 && std::isfinite(sigma)))
    throw Error("likelihood: found sigma " + std::to_string(sigma) + ", allowed are finite numbers above 0");
}

void check_level(int value, int levels) {
  if (value >= levels)
    throw Error("likelihood: found level " + std::to_string(value) + ", allowed are 0 to " +
                std::to_string(levels - 1));
}

/// log P(a < Z < b). On the side of the larger tail, so that nothing is lost to cancellation far out.
double log_normal_between(double a, double b) {
  if (a + b < 0) return log_normal_between(-b, -a);
  if (a < 0) return math::log1p(-normal_survival(-a) - normal_survival(b));
  const double upper = log_normal_survival(a);
  return upper + math::log(-math::expm1(log_normal_survival(b) - upper));
}

}  // namespace

double gaussian_nll(std::span<const double> values, std::span<const double> means, double sigma) {
  check(values.size(), means.size(), sigma);
  double squares = 0;
  for (std::size_t i = 0; i < values.size(); ++i) squares += (values[i] - means[i]) * (values[i] - means[i]);
  return gaussian_nll(squares, values.size(), sigma);
}

double gaussian_nll(double squared_differences, std::size_t dimensions, double sigma) {
  check(0, 0, sigma);
  return 0.5 * static_cast<double>(dimensions) * math::log(2 * std::numbers::pi * sigma * sigma) +
         squared_differences / (2 * sigma * sigma);
}

double nll_of_unscaled(double nll_of_scaled, std::size_t dimensions, double sigma) {
  check(0, 0, sigma);
  return nll_of_scaled + static_cast<double>(dimensions) * math::log(sigma);
}

std::vector<double> dequantise(std::span<const std::uint8_t> values, Random& random, int levels) {
  std::vector<double> reals;
  reals.reserve(values.size());
  for (std::uint8_t k : values) {
    check_level(k, levels);
    reals.push_back((k + random.uniform()) / levels);
  }
  return reals;
}

double discrete_nll_bound(double nll_of_dequantised, std::size_t dimensions, int levels) {
  return nll_of_dequantised + static_cast<double>(dimensions) * math::log(levels);
}

double bits_per_dimension(double nll, std::size_t dimensions) {
  return nll / (static_cast<double>(dimensions) * std::numbers::ln2);
}

double discretised_gaussian_nll(std::span<const std::uint8_t> values, std::span<const double> means,
                                double sigma, int levels) {
  check(values.size(), means.size(), sigma);
  double nll = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int k = values[i];
    check_level(k, levels);
    const double low = k == 0 ? -math::infinity : (static_cast<double>(k) / levels - means[i]) / sigma;
    const double high = k == levels - 1 ? math::infinity
                                        : (static_cast<double>(k + 1) / levels - means[i]) / sigma;
    if (levels > 1) nll -= log_normal_between(low, high);
  }
  return nll;
}

}  // namespace startle
