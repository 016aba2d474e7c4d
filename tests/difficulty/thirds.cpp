#include "difficulty/thirds.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[thirds] thresholds: of no values there are none") {
  CHECK_THROWS_AS(third_thresholds({}, 0.5), Error);
}

TEST_CASE("[thirds] thresholds: a hundred distinct values part into thirds") {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(i / 100.0);
  Random(3).shuffle(values);
  const ThirdThresholds thresholds = third_thresholds(values, 0.25);
  CHECK(thresholds.count == 100);
  CHECK(thresholds.alpha == 0.25);
  // h = 99 x 0.3333 = 32.9967 and 99 x 0.6667 = 66.0033, so v_0 to v_32 are low and v_67 to v_99 high.
  CHECK(thresholds.low == Approx(32.9967 / 100));
  CHECK(thresholds.high == Approx(66.0033 / 100));
  int counts[3] = {0, 0, 0};
  for (double value : values) ++counts[static_cast<int>(third_of(value, thresholds))];
  CHECK(counts[0] == 33);
  CHECK(counts[1] == 34);
  CHECK(counts[2] == 33);
}

TEST_CASE("[thirds] third: both thresholds belong to the middle") {
  const ThirdThresholds thresholds{.low = 0.25, .high = 0.75, .count = 9, .alpha = 0.5};
  CHECK(third_of(0.2499, thresholds) == Third::low);
  CHECK(third_of(0.25, thresholds) == Third::middle);
  CHECK(third_of(0.75, thresholds) == Third::middle);
  CHECK(third_of(0.7501, thresholds) == Third::high);
}

TEST_CASE("[thirds] ties: all equal values are in the middle, though 1/3 is not exact") {
  for (double value : {0.0, 1.0 / 3, 0.1, 1.0}) {
    const ThirdThresholds thresholds = third_thresholds(std::vector<double>(7, value), 0.5);
    CHECK(thresholds.low == value);
    CHECK(thresholds.high == value);
    CHECK(third_of(value, thresholds) == Third::middle);
  }
}

TEST_CASE("[thirds] ties: a tie that reaches over the upper third leaves no high level") {
  // h = 9 x 0.6667 = 6.0003: v_6 = v_7 = 0.9.
  const std::vector<double> values{0, 0.1, 0.2, 0.3, 0.4, 0.9, 0.9, 0.9, 0.9, 0.9};
  const ThirdThresholds thresholds = third_thresholds(values, 0.5);
  CHECK(thresholds.high == 0.9);
  CHECK(third_of(0.9, thresholds) == Third::middle);
  CHECK(third_of(0.2, thresholds) == Third::low);
}

TEST_CASE("[thirds] a value of 1 counts as any other, as in the paper") {
  // Sorted: 0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 1, 1, 1. h = 9 x 0.3333 = 2.9997: low = 0.2 + 0.9997 x 0.1.
  // h = 9 x 0.6667 = 6.0003: high = 0.6 + 0.0003 x 0.4.
  const ThirdThresholds thresholds = third_thresholds({1, 0, 0.1, 1, 0.2, 0.3, 0.4, 0.5, 1, 0.6}, 0.5);
  CHECK(thresholds.count == 10);
  CHECK(thresholds.low == Approx(0.29997));
  CHECK(thresholds.high == Approx(0.60012));
  CHECK(third_of(1, thresholds) == Third::high);
  CHECK(third_of(0.6, thresholds) == Third::middle);
}

TEST_CASE("[thirds] thresholds: independent of the order, thirds grow with the value, none exceeds a third") {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> values;
    const int count = random.integer(1, 60);
    for (int i = 0; i < count; ++i) values.push_back(random.integer(0, 12) / 12.0);
    const ThirdThresholds thresholds = third_thresholds(values, 0.5);
    random.shuffle(values);
    REQUIRE(third_thresholds(values, 0.5) == thresholds);
    int low = 0, high = 0;
    for (double a : values) {
      low += third_of(a, thresholds) == Third::low;
      high += third_of(a, thresholds) == Third::high;
      for (double b : values) REQUIRE((a > b || third_of(a, thresholds) <= third_of(b, thresholds)));
    }
    REQUIRE(low <= (count + 2) / 3);
    REQUIRE(high <= (count + 2) / 3);
  }
}

TEST_CASE("[thirds] names: round trip, and nothing for other words") {
  for (Third third : {Third::low, Third::middle, Third::high}) CHECK(third_from_name(name(third)) == third);
  CHECK(!third_from_name("medium"));
}
