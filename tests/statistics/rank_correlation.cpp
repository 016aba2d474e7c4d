#include "statistics/rank_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Few distinct values, so that there are ties.
std::vector<double> tied_values(Random& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& v : values) v = 0.25 * random.integer(0, 5);
  return values;
}

bool constant(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [&](double v) { return v == values[0]; });
}

}  // namespace

TEST_CASE("[statistics] midranks of tied values share their mean") {
  CHECK(midranks({10, 20, 20, 5}) == std::vector<double>{2, 3.5, 3.5, 1});
  CHECK(midranks({1, 1, 1}) == std::vector<double>{2, 2, 2});
  CHECK(midranks({}).empty());
}

TEST_CASE("[statistics] rank correlations computed by hand") {
  // x ranks 1 2 3 4 5, y ranks 2 1 4 3 5: sum of squared differences 4, rho = 1 - 6 * 4 / (5 * 24) = 0.8.
  const std::vector<double> x{1, 2, 3, 4, 5}, y{2, 1, 4, 3, 5};
  CHECK(*spearman(x, y) == Approx(0.8));
  // Ten pairs, two of them discordant: (8 - 2)/10.
  CHECK(*kendall(x, y) == Approx(0.6));
  // Ties: x 1 1 2 3, y 1 2 2 3. Pairs: (1,2) tied in x, (2,3) tied in y, the other four concordant.
  // tau-b = 4 / sqrt(5 * 5). Midranks 1.5 1.5 3 4 and 1 2.5 2.5 4, both with sum of squares 4.5 about 2.5,
  // products
  // (-1)(-1.5) + (-1)(0) + (0.5)(0) + (1.5)(1.5) = 3.75, rho = 3.75/4.5.
  const std::vector<double> tx{1, 1, 2, 3}, ty{1, 2, 2, 3};
  CHECK(*kendall(tx, ty) == Approx(0.8));
  CHECK(*spearman(tx, ty) == Approx(3.75 / 4.5));
}

TEST_CASE("[statistics] rank correlations depend on order alone and change sign with it") {
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

TEST_CASE("[statistics] sides that do not match are refused") {
  CHECK_THROWS_AS(spearman({1, 2}, {1}), Error);
  CHECK_THROWS_AS(kendall({1, std::numeric_limits<double>::quiet_NaN()}, {1, 2}), Error);
}
