#include "statistics/kolmogorov_smirnov.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>

#include "core/error.hpp"
#include "core/math.hpp"
#include "statistics/finite.hpp"

namespace startle {
namespace {

void check_sample(const std::vector<double>& sample) {
  if (sample.empty())
    throw Error("Kolmogorov-Smirnov test: found an empty sample, allowed is one value or more");
  check_finite("Kolmogorov-Smirnov test", sample);
}

double stephens_p(double n, double statistic) {
  return kolmogorov_survival((std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * statistic);
}

/// Share of the paths from (0, 0) to (n, m) that touch a point with |i m - j n| >= distance. A random path to
/// (i, j) came from (i - 1, j) with probability i/(i + j).
double straying_paths(std::int64_t n, std::int64_t m, std::int64_t distance) {
  std::vector<double> row(static_cast<std::size_t>(m + 1), 0.0);
  for (std::int64_t i = 0; i <= n; ++i) {
    for (std::int64_t j = 0; j <= m; ++j) {
      double& here = row[static_cast<std::size_t>(j)];
      if (std::abs(i * m - j * n) >= distance) {
        here = 1;
      } else if (i + j > 0) {
        const double left = j > 0 ? row[static_cast<std::size_t>(j - 1)] : 0;
        here = (static_cast<double>(i) * here + static_cast<double>(j) * left) / static_cast<double>(i + j);
      }
    }
  }
  return row.back();
}

}  // namespace

double kolmogorov_survival(double lambda) {
  if (lambda <= 0) return 1;
  double sum = 0;
  if (lambda < 1) {  // the series below needs many terms there; this one is its transform
    for (int j = 1; j <= 19; j += 2)
      sum += math::exp(-j * j * std::numbers::pi * std::numbers::pi / (8 * lambda * lambda));
    return 1 - std::sqrt(2 * std::numbers::pi) / lambda * sum;
  }
  for (int j = 1; j <= 10; ++j) sum += (j % 2 == 1 ? 1 : -1) * math::exp(-2.0 * j * j * lambda * lambda);
  return 2 * sum;
}

KolmogorovSmirnov ks_two_sample(std::vector<double> a, std::vector<double> b) {
  check_sample(a);
  check_sample(b);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const auto n = static_cast<std::int64_t>(a.size()), m = static_cast<std::int64_t>(b.size());
  std::int64_t distance = 0;  // of the distribution functions, times n m
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double value = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == value) ++i;
    while (j < b.size() && b[j] == value) ++j;
    distance = std::max(distance, std::int64_t{std::abs(static_cast<std::int64_t>(i) * m -
                                                        static_cast<std::int64_t>(j) * n)});
  }
  const double nm = static_cast<double>(n) * static_cast<double>(m);
  KolmogorovSmirnov test{.statistic = static_cast<double>(distance) / nm};
  test.p = nm <= 1e6 ? straying_paths(n, m, distance)
                     : stephens_p(nm / static_cast<double>(n + m), test.statistic);
  return test;
}

KolmogorovSmirnov ks_one_sample(std::vector<double> sample, const std::function<double(double)>& cdf) {
  check_sample(sample);
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  KolmogorovSmirnov test;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]);
    test.statistic = std::max(
        {test.statistic, static_cast<double>(i + 1) / n - f, f - static_cast<double>(i) / n});
  }
  test.p = stephens_p(n, test.statistic);
  return test;
}

}  // namespace startle
