#include "difficulty/tiers.hpp"

#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[tiers] tier: both thresholds belong to medium, and 1 is a class of its own") {
  const TierThresholds thresholds{.low = 0.25, .high = 0.75, .count = 9, .alpha = 0.5};
  CHECK(tier_of(0.2499, thresholds) == Tier::easy);
  CHECK(tier_of(0.25, thresholds) == Tier::medium);
  CHECK(tier_of(0.75, thresholds) == Tier::medium);
  CHECK(tier_of(0.7501, thresholds) == Tier::hard);
  CHECK(tier_of(0.9999, thresholds) == Tier::hard);
  CHECK(tier_of(1, thresholds) == Tier::undetectable);
}

TEST_CASE("[tiers] names: round trip, and nothing for other words") {
  for (Tier tier : {Tier::easy, Tier::medium, Tier::hard}) CHECK(tier_from_name(name(tier)) == tier);
  CHECK(!tier_from_name("undetectable"));  // none can be asked for
  CHECK(name(Tier::undetectable) == std::string("undetectable"));
}
