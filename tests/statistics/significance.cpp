#include "statistics/significance.hpp"

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/statistics/reference.hpp"

using namespace startle;

TEST_CASE("[statistics] McNemar's test: by hand and equal to SciPy's binomial test") {
  // 1 and 3: 2 (1 + 4)/16.
  CHECK(mcnemar_p(1, 3) == Approx(0.625));
  for (const auto& c : reference()["mcnemar"])
    CHECK(mcnemar_p(c["first"], c["second"]) == Approx(c["p"].get<double>()).epsilon(1e-9));
}

TEST_CASE("[statistics] Holm's adjustment by hand, in the order given") {
  // Sorted .01 .02 .03 .2: x4 = .04, x3 = .06, x2 = .06, x1 = .2.
  const std::vector<double> adjusted = holm_adjusted({.2, .01, .03, .02});
  CHECK(adjusted[0] == Approx(.2));
  CHECK(adjusted[1] == Approx(.04));
  CHECK(adjusted[2] == Approx(.06));
  CHECK(adjusted[3] == Approx(.06));
  CHECK(holm_adjusted({.9, .8}) == std::vector<double>{1, 1});
  CHECK(holm_adjusted({}).empty());
  CHECK_THROWS_AS(holm_adjusted({1.1}), Error);
}

TEST_CASE("[statistics] Holm's adjustment takes p from 0 to 1, both included, and says what is outside") {
  CHECK(holm_adjusted({0, 1}) == std::vector<double>{0, 1});
  CHECK_THROWS_AS(holm_adjusted({-0.01}), Error);
  CHECK(mcnemar_p(0, 0) == 1);
  CHECK(mcnemar_p(3, 1) == Approx(mcnemar_p(1, 3)));
}

TEST_CASE("[statistics] sign flips, by hand") {
  CHECK(sign_flip_p({}) == 1);
  CHECK(sign_flip_p({0.5}) == 1);
  // |a + b + c| of 1, 2, 4 is 7 in two of eight patterns; of 1, 2, -4 it is at least 1 in all.
  CHECK(sign_flip_p({1, 2, 4}) == 2.0 / 8);
  CHECK(sign_flip_p({1, 2, -4}) == 1);
  // 1, 1, 1, -1: |sum| of at least 2 in all patterns but the six with sum 0.
  CHECK(sign_flip_p({1, 1, 1, -1}) == 10.0 / 16);
  CHECK(sign_flip_p(std::vector<double>(6, 0.1)) == 2.0 / 64);
  CHECK(sign_flip_p({0.1, 0.1, 0.1, 0.1, 0.1, 0}) == 4.0 / 64);
  CHECK(sign_flip_p(std::vector<double>(5, 0)) == 1);
  // Random patterns: 15 equal signs are the rarest there are; eight of fifteen are nothing.
  CHECK(sign_flip_p(std::vector<double>(30, 1)) == 1.0 / 2000);
  std::vector<double> mixed(40, 1);
  for (std::size_t i = 0; i < 20; ++i) mixed[i] = -1;
  CHECK(sign_flip_p(mixed) == 1);
  CHECK(sign_flip_p(mixed, 1) == sign_flip_p(mixed, 1));
  // 20 of 30: P(|X - 15| >= 5), X binomial, is 0.0987.
  std::vector<double> most(30, 1);
  for (std::size_t i = 0; i < 10; ++i) most[i] = -1;
  CHECK(sign_flip_p(most) == Approx(0.0987).margin(0.02));
}
