
#include "difficulty/tiers.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[tiers] thresholds: of no values there are none") {
  CHECK_THROWS_AS(tier_thresholds({}, 0.5), Error);
}

TEST_CASE("[tiers] thresholds: a hundred distinct values part into thirds") {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(i / 100.0);
  Random(3).shuffle(values);
  const TierThresholds thresholds = tier_thresholds(values, 0.25);
  CHECK(thresholds.count == 100);
  CHECK(thresholds.alpha == 0.25);
  // h = 99 x 0.3333 = 32.9967 and 99 x 0.6667 = 66.0033, so v_0 to v_32 are easy and v_67 to v_99 hard.
  CHECK(thresholds.low == Approx(32.9967 / 100));
  CHECK(thresholds.high == Approx(66.0033 / 100));
  int counts[3] = {0, 0, 0};
  for (double value : values) ++counts[static_cast<int>(tier_of(value, thresholds))];
  CHECK(counts[0] == 33);
  CHECK(counts[1] == 34);
  CHECK(counts[2] == 33);
}

TEST_CASE("[tiers] tier: both thresholds belong to medium") {
  const TierThresholds thresholds{.low = 0.25, .high = 0.75, .count = 9, .alpha = 0.5};
  CHECK(tier_of(0.2499, thresholds) == Tier::easy);
  CHECK(tier_of(0.25, thresholds) == Tier::medium);
  CHECK(tier_of(0.75, thresholds) == Tier::medium);
  CHECK(tier_of(0.7501, thresholds) == Tier::hard);
}

TEST_CASE("[tiers] ties: all equal values are medium, though 1/3 is not exact") {
  for (double value : {0.0, 1.0 / 3, 0.1}) {
    const TierThresholds thresholds = tier_thresholds(std::vector<double>(7, value), 0.5);
    CHECK(thresholds.low == value);
    CHECK(thresholds.high == value);
    CHECK(tier_of(value, thresholds) == Tier::medium);
  }
}

TEST_CASE("[tiers] ties: a tie that reaches over the upper third leaves no hard level") {
  // h = 9 x 0.6667 = 6.0003: v_6 = v_7 = 0.9.
  const std::vector<double> values{0, 0.1, 0.2, 0.3, 0.4, 0.9, 0.9, 0.9, 0.9, 0.9};
  const TierThresholds thresholds = tier_thresholds(values, 0.5);
  CHECK(thresholds.high == 0.9);
  CHECK(tier_of(0.9, thresholds) == Tier::medium);
  CHECK(tier_of(0.2, thresholds) == Tier::easy);
}

TEST_CASE("[tiers] value 1: a class of its own, outside the percentiles") {
  // Of 0, 0.1 ... 0.4 alone: h = 4 x 0.3333 = 1.3332 and 4 x 0.6667 = 2.6668.
  const TierThresholds thresholds = tier_thresholds({0, 0.1, 0.2, 0.3, 0.4, 1, 1, 1, 1, 1}, 0.5);
  CHECK(thresholds.count == 5);
  CHECK(thresholds.low == Approx(0.13332));
  CHECK(thresholds.high == Approx(0.26668));
  CHECK(tier_of(1, thresholds) == Tier::undetectable);
  CHECK(tier_of(0.9999, thresholds) == Tier::hard);
  const TierThresholds none = tier_thresholds({1, 1}, 0.5);
  CHECK(none.count == 0);
  CHECK((none.low == 1 && none.high == 1));
  CHECK(tier_of(1, none) == Tier::undetectable);
}

TEST_CASE(
    "[tiers] thresholds: independent of the order, tiers grow with the value, at most a third is outside") {
  Random random(11);
  for (int trial = 0; trial < 300; ++trial) {
    std::vector<double> values;
    const int count = random.integer(1, 60);
    for (int i = 0; i < count; ++i) values.push_back(random.integer(0, 12) / 12.0);
    values.front() = 0.5;
    const auto possible = static_cast<int>(
        std::count_if(values.begin(), values.end(), [](double v) { return v < 1; }));
    const TierThresholds thresholds = tier_thresholds(values, 0.5);
    random.shuffle(values);
    REQUIRE(tier_thresholds(values, 0.5) == thresholds);
    int easy = 0, hard = 0;
    for (double a : values) {
      easy += tier_of(a, thresholds) == Tier::easy;
      hard += tier_of(a, thresholds) == Tier::hard;
      for (double b : values) REQUIRE((a > b || tier_of(a, thresholds) <= tier_of(b, thresholds)));
    }
    REQUIRE(easy <= (possible + 2) / 3);
    REQUIRE(hard <= (possible + 2) / 3);
  }
}

TEST_CASE("[tiers] names: round trip, and nothing for other words") {
  for (Tier tier : {Tier::easy, Tier::medium, Tier::hard}) CHECK(tier_from_name(name(tier)) == tier);
  CHECK(!tier_from_name("undetectable"));  // none can be asked for
  CHECK(name(Tier::undetectable) == std::string("undetectable"));
}
