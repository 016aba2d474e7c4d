#include "difficulty/statistics.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "sim/error.hpp"
#include "sim/random.hpp"

using namespace startle;

namespace {

/// Few distinct values, so that there are ties.
std::vector<double> tied_values(Random& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& v : values) v = 0.25 * random.integer(0, 5);
  return values;
}

bool constant(const std::vector<double>& values) { return std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; }); }

}  // namespace

TEST_CASE("[difficulty] statistics: midranks of tied values share their mean") {
  CHECK(midranks({10, 20, 20, 5}) == std::vector<double>{2, 3.5, 3.5, 1});
  CHECK(midranks({1, 1, 1}) == std::vector<double>{2, 2, 2});
  CHECK(midranks({}).empty());
}

TEST_CASE("[difficulty] statistics: rank correlations computed by hand") {
  // x ranks 1 2 3 4 5, y ranks 2 1 4 3 5: sum of squared differences 4, rho = 1 - 6 * 4 / (5 * 24) = 0.8.
  const std::vector<double> x{1, 2, 3, 4, 5}, y{2, 1, 4, 3, 5};
  CHECK(*spearman(x, y) == Approx(0.8));
  // Ten pairs, two of them discordant: (8 - 2)/10.
  CHECK(*kendall(x, y) == Approx(0.6));
  // Ties: x 1 1 2 3, y 1 2 2 3. Pairs: (1,2) tied in x, (2,3) tied in y, the other four concordant.
  // tau-b = 4 / sqrt(5 * 5). Midranks 1.5 1.5 3 4 and 1 2.5 2.5 4, both with sum of squares 4.5 about 2.5, products
  // (-1)(-1.5) + (-1)(0) + (0.5)(0) + (1.5)(1.5) = 3.75, rho = 3.75/4.5.
  const std::vector<double> tx{1, 1, 2, 3}, ty{1, 2, 2, 3};
  CHECK(*kendall(tx, ty) == Approx(0.8));
  CHECK(*spearman(tx, ty) == Approx(3.75 / 4.5));
}

TEST_CASE("[difficulty] statistics: rank correlations depend on order alone and change sign with it") {
  Random random(11);
  for (int round = 0; round < 200; ++round) {
    const auto n = static_cast<std::size_t>(random.integer(2, 30));
    const std::vector<double> x = tied_values(random, n), y = tied_values(random, n);
    for (const auto correlation : {spearman, kendall}) {
      const auto r = correlation(x, y);
      REQUIRE(r.has_value() == (!constant(x) && !constant(y)));
      if (!r) continue;
      CHECK(std::fabs(*r) <= 1 + 1e-12);
      CHECK(*correlation(y, x) == Approx(*r));
      std::vector<double> stretched = x, reversed = y;
      for (double& v : stretched) v = std::exp(3 * v);
      for (double& v : reversed) v = -v;
      CHECK(*correlation(stretched, y) == Approx(*r));
      CHECK(*correlation(x, reversed) == Approx(-*r).margin(1e-12));
      CHECK(*correlation(x, x) == Approx(1));
    }
  }
}

TEST_CASE("[difficulty] statistics: sides that do not match are refused") {
  CHECK_THROWS_AS(spearman({1, 2}, {1}), Error);
  CHECK_THROWS_AS(kendall({1, std::numeric_limits<double>::quiet_NaN()}, {1, 2}), Error);
}

TEST_CASE("[difficulty] statistics: precision, recall and F1 computed by hand, empty without a denominator") {
  BinaryCounts counts{.both = 6, .predicted_only = 2, .seen_only = 4, .neither = 8};
  CHECK(*precision(counts) == Approx(0.75));
  CHECK(*recall(counts) == Approx(0.6));
  CHECK(*f1_score(counts) == Approx(12.0 / 18));
  CHECK(*accuracy(counts) == Approx(0.7));
  counts += {.both = 1, .predicted_only = 2, .seen_only = 3, .neither = 4};
  CHECK(counts == BinaryCounts{7, 4, 7, 12});
  CHECK(counts.count() == 30);
  const BinaryCounts nothing{.neither = 5};
  CHECK(!precision(nothing));
  CHECK(!recall(nothing));
  CHECK(!f1_score(nothing));
  CHECK(*accuracy(nothing) == 1);
  CHECK(!accuracy({}));
}

TEST_CASE("[difficulty] statistics: Wilson's interval has its published values and holds the rate") {
  // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  const auto check = [](std::size_t hits, std::size_t count, double low, double high) {
    const IntervalEstimate interval = wilson_interval(hits, count);
    CHECK(interval.low == Approx(low).margin(5e-5));
    CHECK(interval.high == Approx(high).margin(5e-5));
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  for (std::size_t n = 1; n < 40; ++n) {
    for (std::size_t k = 0; k <= n; ++k) {
      const IntervalEstimate interval = wilson_interval(k, n);
      const double rate = static_cast<double>(k) / static_cast<double>(n);
      CHECK((0 <= interval.low && interval.low <= rate && rate <= interval.high && interval.high <= 1));
    }
  }
}

TEST_CASE("[difficulty] statistics: the bootstrap interval of a mean is that of its sampling distribution") {
  // 400 uniform values: the mean has a standard error of 1/sqrt(12 * 400) = 0.0144, so the interval is some 0.0566 wide.
  Random random(5);
  std::vector<double> values(400);
  for (double& v : values) v = random.uniform();
  const auto mean = [&](const std::vector<std::size_t>& sample) -> std::optional<double> {
    double sum = 0;
    for (std::size_t i : sample) sum += values[i];
    return sum / static_cast<double>(sample.size());
  };
  const auto interval = bootstrap_interval(values.size(), mean, 1);
  REQUIRE(interval);
  const double at = std::accumulate(values.begin(), values.end(), 0.0) / 400;
  CHECK(interval->low < at);
  CHECK(interval->high > at);
  CHECK(interval->high - interval->low == Approx(0.0566).epsilon(0.1));
  const auto again = bootstrap_interval(values.size(), mean, 1), other = bootstrap_interval(values.size(), mean, 2);
  CHECK((again->low == interval->low && again->high == interval->high));
  CHECK(other->low != interval->low);
  CHECK(!bootstrap_interval(3, [](const auto&) { return std::optional<double>(); }, 1));
}
