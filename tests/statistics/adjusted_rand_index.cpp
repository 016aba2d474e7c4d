#include "statistics/adjusted_rand_index.hpp"

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("adjusted Rand index of small partitions, by hand") {
  // Contingency [[2, 1], [0, 3]]: sum C(n) = 1 + 3 = 4; groups of 3 and 3: 6; of 2 and 4: 1 + 6 = 7; E =
  // 42/15 = 2.8; (4 - 2.8)/(6.5 - 2.8).
  CHECK(adjusted_rand_index({1, 1, 1, 2, 2, 2}, {7, 7, 9, 9, 9, 9}) == Approx(1.2 / 3.7));
  CHECK(adjusted_rand_index({1, 1, 2, 2}, {5, 5, 0, 0}) == 1);
  CHECK(adjusted_rand_index({1, 1, 2, 2}, {1, 2, 1, 2}) == Approx(-0.5));  // (0 - 4/6)/(2 - 4/6)
  CHECK(adjusted_rand_index({1, 1, 1}, {4, 4, 4}) == 1);
  CHECK(adjusted_rand_index({}, {}) == 1);
  CHECK_THROWS_WITH(adjusted_rand_index({1}, {1, 2}), Catch::Contains("found 1 and 2"));
}

TEST_CASE("adjusted Rand index is about 0 by chance and knows no names") {
  Random random(1);
  double sum = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<std::uint8_t> a, b, renamed;
    for (int i = 0; i < 60; ++i) {
      a.push_back(static_cast<std::uint8_t>(random.integer(0, 3)));
      b.push_back(static_cast<std::uint8_t>(random.integer(0, 4)));
      renamed.push_back(static_cast<std::uint8_t>(200 - 3 * b.back()));
    }
    const double index = adjusted_rand_index(a, b);
    CHECK(index == Approx(adjusted_rand_index(b, a)));
    CHECK(index == Approx(adjusted_rand_index(a, renamed)));
    sum += index;
  }
  CHECK(std::abs(sum / 200) < 0.01);
}
