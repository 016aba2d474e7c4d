#include "statistics/significance.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "core/math.hpp"
#include "core/random.hpp"

namespace startle {

double mcnemar_p(std::size_t only_first, std::size_t only_second) {
  const std::size_t least = std::min(only_first, only_second), sum = only_first + only_second;
  // As logarithms: the chance of k of n is that of k - 1, times (n - k + 1) / k.
  double log_chance = -static_cast<double>(sum) * std::numbers::ln2, tail = math::exp(log_chance);
  for (std::size_t k = 1; k <= least; ++k) {
    log_chance += math::log(static_cast<double>(sum - k + 1) / static_cast<double>(k));
    tail += math::exp(log_chance);
  }
  return std::min(1.0, 2 * tail);
}

namespace {

constexpr std::size_t exact_up_to = 14;  // 16384 patterns
constexpr int random_patterns = 1999;
constexpr double rounding = 1e-9;  // sums of shares are equal where they differ by less

/// Patterns of signs whose sum is at least `bound` from 0, of all there are.
double exact_sign_flip_p(const std::vector<double>& differences, double bound, double sum) {
  std::vector<int> sign(differences.size(), 1);
  const std::size_t patterns = std::size_t{1} << differences.size();
  std::size_t extreme = 0;
  for (std::size_t k = 1;; ++k) {
    extreme += std::fabs(sum) >= bound;
    if (k == patterns) break;
    // Gray code: one sign changes from a pattern to the next.
    const auto i = static_cast<std::size_t>(std::countr_zero(k));
    sign[i] = -sign[i];
    sum += 2 * sign[i] * differences[i];
  }
  return static_cast<double>(extreme) / static_cast<double>(patterns);
}

/// Of each eight differences, the sum under each pattern of their signs: a bit a sign, 1 for plus.
std::vector<std::array<double, 256>> sums_by_signs(const std::vector<double>& differences) {
  std::vector<std::array<double, 256>> sums((differences.size() + 7) / 8);
  for (std::array<double, 256>& of_eight : sums) of_eight.fill(0);
  for (std::size_t i = 0; i < differences.size(); ++i)
    for (std::size_t bits = 0; bits < 256; ++bits)
      sums[i / 8][bits] += (bits >> (i % 8)) & 1 ? differences[i] : -differences[i];
  return sums;
}

}  // namespace

double sign_flip_p(const std::vector<double>& differences, std::uint64_t seed) {
  const double sum = std::accumulate(differences.begin(), differences.end(), 0.0);
  const double bound = std::fabs(sum) - rounding;
  if (differences.size() <= exact_up_to) return exact_sign_flip_p(differences, bound, sum);
  const std::vector<std::array<double, 256>> sums = sums_by_signs(differences);
  Random random(stream_seed(seed, "sign flips"));
  int extreme = 1;
  for (int pattern = 0; pattern < random_patterns; ++pattern) {
    double flipped = 0;
    std::uint32_t bits = 0;
    for (std::size_t g = 0; g < sums.size(); ++g, bits >>= 8) {
      if (g % 4 == 0) bits = random.next();
      flipped += sums[g][bits & 255];
    }
    extreme += std::fabs(flipped) >= bound;
  }
  return static_cast<double>(extreme) / (random_patterns + 1);
}

std::vector<double> holm_adjusted(const std::vector<double>& p) {
  for (double value : p)
    if (!(value >= 0 && value <= 1))
      throw Error("Holm's adjustment: found p " + std::to_string(value) + ", allowed are 0 to 1");
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(p.size() - i) * p[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

}  // namespace startle
