/// \file  What observations of one body count for.
#include "surprise/dynamics/body_sum.hpp"

#include <cmath>

#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[dynamics] body sums: n observations of one body count as n / (1 + (n - 1) c)") {
  BodySum still, moves;
  still.add(3, 16);
  for (int i = 0; i < 5; ++i) moves.add(-2, 9);
  CHECK(still.count() == Approx(1));
  CHECK(moves.count() == Approx(5));
  const BodySums bodies{{4, still}, {7, moves}};
  const MechanismSum independent = sum_of(bodies, 0), equal = sum_of(bodies, 1), some = sum_of(bodies, 0.25);
  CHECK(independent.score == Approx(3 - 10));
  CHECK(independent.information == Approx(16 + 45));
  CHECK(equal.score == Approx(3 - 2));
  CHECK(equal.information == Approx(16 + 9));
  CHECK(some.score == Approx(3 - 10 / 2.0));  // 1 + 4 x 0.25 = 2
  CHECK(some.information == Approx(16 + 45 / 2.0));
}

TEST_CASE("[dynamics] body sums: observations of unequal information count as fewer, and none as one") {
  BodySum body;
  CHECK(body.count() == 1);
  body.add(1, 100);
  body.add(1, 1);
  CHECK(body.count() == Approx(121 / 101.0));  // (10 + 1)^2 / 101
  CHECK(sum_of({}, 0.5).information == 0);
}

TEST_CASE("[dynamics] body sums: the correlation of errors is found again") {
  CHECK(body_correlation({}) == 0);
  for (const double correlation : {0.0, 0.1, 0.6}) {
    Random random(9);
    std::vector<BodySum> bodies(4000);
    for (BodySum& body : bodies) {
      const double shared = random.normal();
      const int count = random.integer(1, 12);
      for (int i = 0; i < count; ++i) {
        const double root = random.uniform(0.5,
                                           2),  // of the information; the score's deviation is twice that
            error = std::sqrt(correlation) * shared + std::sqrt(1 - correlation) * random.normal();
        body.add(2 * root * error, root * root);
      }
    }
    CHECK(body_correlation(bodies) == Approx(correlation).margin(0.03));
  }
  // Errors that undo each other are not correlated upwards.
  BodySum swings;
  for (int i = 0; i < 10; ++i) swings.add(i % 2 ? 1 : -1, 1);
  CHECK(body_correlation({swings}) == 0);
}
