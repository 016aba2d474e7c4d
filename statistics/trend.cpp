#include "statistics/trend.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "statistics/finite.hpp"
#include "statistics/normal_distribution.hpp"

namespace startle {
namespace {

using Groups = std::vector<std::vector<double>>;

/// #{a < b} + ties/2 over pairs of two sorted groups.
double below(const std::vector<double>& a, const std::vector<double>& b) {
  double pairs = 0;
  auto less = a.begin(), not_above = a.begin();
  for (double y : b) {
    while (less != a.end() && *less < y) ++less;
    while (not_above != a.end() && *not_above <= y) ++not_above;
    pairs += 0.5 * static_cast<double>((less - a.begin()) + (not_above - a.begin()));
  }
  return pairs;
}

double statistic(Groups groups) {
  double j = 0;
  for (std::size_t b = 0; b < groups.size(); ++b) {
    std::sort(groups[b].begin(), groups[b].end());
    for (std::size_t a = 0; a < b; ++a) j += below(groups[a], groups[b]);
  }
  return j;
}

}  // namespace

std::optional<TrendTest> jonckheere_terpstra(const Groups& groups) {
  std::map<double, double> ties;  // value -> number
  double n = 0, squares = 0, filled = 0;
  double group5 = 0, group3 = 0, group2 = 0, tie5 = 0, tie3 = 0, tie2 = 0;
  const auto add_terms = [](double k, double& five, double& three, double& two) {
    five += k * (k - 1) * (2 * k + 5);
    three += k * (k - 1) * (k - 2);
    two += k * (k - 1);
  };
  for (const std::vector<double>& group : groups) {
    check_finite("trend test", group);
    const double k = static_cast<double>(group.size());
    n += k;
    squares += k * k;
    filled += k > 0;
    add_terms(k, group5, group3, group2);
    for (double value : group) ++ties[value];
  }
  if (filled < 2 || ties.size() < 2) return std::nullopt;
  for (const auto& [value, k] : ties) add_terms(k, tie5, tie3, tie2);
  double variance = (n * (n - 1) * (2 * n + 5) - group5 - tie5) / 72 + group2 * tie2 / (8 * n * (n - 1));
  if (n > 2) variance += group3 * tie3 / (36 * n * (n - 1) * (n - 2));
  TrendTest test{.statistic = statistic(groups),
                 .expected = (n * n - squares) / 4,
                 .count = static_cast<std::size_t>(n)};
  test.z = (test.statistic - test.expected) / std::sqrt(variance);
  test.p = normal_two_sided(test.z);
  return test;
}

}  // namespace startle
