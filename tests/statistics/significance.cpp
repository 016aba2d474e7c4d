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
