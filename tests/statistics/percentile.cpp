#include "statistics/percentile.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[statistics] percentile: linear interpolation between order statistics") {
  // Four values: h = 3 p/100. p = 50: h = 1.5, halfway between 20 and 30. p = 33.33: h = 0.9999, 10 + 0.9999
  // x 10.
  const std::vector<double> values{40, 10, 30, 20};
  CHECK(percentile(values, 0) == 10);
  CHECK(percentile(values, 100) == 40);
  CHECK(percentile(values, 50) == 25);
  CHECK(percentile(values, 33.33) == Approx(19.999));
  CHECK(percentile({0.25}, 66.67) == 0.25);
}

TEST_CASE("[statistics] percentile: bad input is refused") {
  CHECK_THROWS_AS(percentile({}, 50), Error);
  CHECK_THROWS_AS(percentile({1, std::nan("")}, 50), Error);
  CHECK_THROWS_AS(percentile({1, INFINITY}, 50), Error);
  CHECK_THROWS_AS(percentile({1, 2}, -1), Error);
  CHECK_THROWS_AS(percentile({1, 2}, 101), Error);
}
