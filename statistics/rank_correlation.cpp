#include "statistics/rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <string>

#include "core/error.hpp"

namespace startle {
namespace {

void check_pair(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size())
    throw Error("rank correlation: found " + std::to_string(x.size()) + " and " + std::to_string(y.size()) +
                " values, allowed are equally many");
  const auto finite = [](double v) { return std::isfinite(v); };
  if (!std::all_of(x.begin(), x.end(), finite) || !std::all_of(y.begin(), y.end(), finite))
    throw Error("rank correlation: found a value that is not finite");
}

}  // namespace

std::vector<double> midranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin + 1;
    while (end < order.size() && values[order[end]] == values[order[begin]]) ++end;
    for (std::size_t k = begin; k < end; ++k) ranks[order[k]] = 0.5 * static_cast<double>(begin + 1 + end);
    begin = end;
  }
  return ranks;
}

std::optional<double> spearman(const std::vector<double>& x, const std::vector<double>& y) {
  check_pair(x, y);
  const std::vector<double> a = midranks(x), b = midranks(y);
  const double mean = 0.5 * static_cast<double>(x.size() + 1);
  double ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ab += (a[i] - mean) * (b[i] - mean);
    aa += (a[i] - mean) * (a[i] - mean);
    bb += (b[i] - mean) * (b[i] - mean);
  }
  if (aa == 0 || bb == 0) return std::nullopt;
  return ab / (std::sqrt(aa) * std::sqrt(bb));
}

std::optional<double> kendall(const std::vector<double>& x, const std::vector<double>& y) {
  check_pair(x, y);
  double concordance = 0, apart_x = 0, apart_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const int sx = (x[i] < x[j]) - (x[j] < x[i]), sy = (y[i] < y[j]) - (y[j] < y[i]);
      concordance += sx * sy;
      apart_x += sx * sx;
      apart_y += sy * sy;
    }
  }
  if (apart_x == 0 || apart_y == 0) return std::nullopt;
  return concordance / (std::sqrt(apart_x) * std::sqrt(apart_y));
}

}  // namespace startle
