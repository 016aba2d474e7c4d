#include "difficulty/tiers.hpp"

#include <cmath>

#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

constexpr Tier tiers[] = {Tier::easy, Tier::medium, Tier::hard};

}  // namespace

TEST_CASE("[tiers] tier: easy from 0.7 on, hard below 0.3, medium between") {
  CHECK(tier_of(0) == Tier::hard);
  CHECK(tier_of(std::nextafter(0.3, 0)) == Tier::hard);
  CHECK(tier_of(0.3) == Tier::medium);
  CHECK(tier_of(0.5) == Tier::medium);
  CHECK(tier_of(std::nextafter(0.7, 0)) == Tier::medium);
  CHECK(tier_of(0.7) == Tier::easy);
  CHECK(tier_of(1) == Tier::easy);
}

TEST_CASE("[tiers] tier: the likelier detection is, the easier, and every chance has one") {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    const double a = random.uniform(), b = random.uniform();
    REQUIRE((a < b || tier_of(a) <= tier_of(b)));  // easy comes first
    int made = 0;
    for (const Tier tier : tiers) {
      const PLevelRange range = made_for(tier);
      if (a < range.min || a > range.max) continue;
      REQUIRE(tier_of(a) == tier);
      ++made;
    }
    REQUIRE(made <= 1);
  }
}

TEST_CASE("[tiers] levels are made well inside of a tier: no nearer than 0.1 to another") {
  CHECK(made_for(Tier::easy) == PLevelRange{0.85, 1});
  CHECK(made_for(Tier::medium) == PLevelRange{0.4, 0.6});
  CHECK(made_for(Tier::hard) == PLevelRange{0, 0.15});
  for (const Tier tier : tiers) {
    const auto [min, max] = made_for(tier);
    CHECK(min < max);
    for (const double end : {min, max}) {
      CHECK(tier_of(end) == tier);
      for (const double shift : {-0.099, 0.099})
        CHECK(tier_of(std::min(std::max(end + shift, 0.0), 1.0)) == tier);
    }
  }
}

TEST_CASE("[tiers] names: round trip, and nothing for other words") {
  for (const Tier tier : tiers) CHECK(tier_from_name(name(tier)) == tier);
  for (const char* other : {"undetectable", "", "Easy", "low"}) CHECK_FALSE(tier_from_name(other));
}
