#include "statistics/precision_recall.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[statistics] precision and recall: the example of Davis and Goadrich") {
  // Their table 1: 20 positives, from A (TP 5, FP 5) to B (TP 10, FP 30): FP goes up by 5 for each TP.
  const PrCounts a{5, 5}, b{10, 30};
  const std::vector<double> printed{.5, .375, .318, .286, .265, .25};
  for (int i = 0; i <= 5; ++i)
    CHECK(interpolated_precision(a, b, 5 + i) == Approx(printed[static_cast<std::size_t>(i)]).margin(5e-4));
}

TEST_CASE("[statistics] precision and recall: worked example with ties") {
  // By falling score: .9 + | .8 + | .4 + - - | .35 + | .2 - .1 -. Counts (TP, FP): (1,0) (2,0) (3,2) (4,2)
  // (4,3) (4,4).
  const std::vector<double> p{.35, .8, .4, .9}, n{.1, .4, .4, .2};
  // Davis and Goadrich: from (0,0) to (2,0) precision 1: area 2. (2,0) to (3,2): a = 3, b = 2, h = 1: 1/3 +
  // (2 - 2/3)/3 log(5/2). (3,2) to (4,2): a = 1, b = 5: 1 + (3 - 5) log(6/5). Over 4 positives.
  CHECK(*pr_auc(p, n) ==
        Approx((2 + 1.0 / 3 + 4.0 / 9 * std::log(2.5) + 1 - 2 * std::log(1.2)) / 4).epsilon(1e-12));
  CHECK(*pr_auc(p, n) == Approx(0.8439826).margin(5e-8));
}

TEST_CASE("[statistics] precision and recall: the area is the integral of the interpolated precision") {
  Random random(4);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> p(static_cast<std::size_t>(random.integer(1, 12))),
        n(static_cast<std::size_t>(random.integer(0, 12)));
    for (double& v : p) v = random.integer(1, 8);
    for (double& v : n) v = random.integer(0, 7);
    std::vector<PrCounts> counts{{0, 0}};
    for (int t = 8; t >= 0; --t) {
      PrCounts c;
      for (double v : p) c.true_positives += v >= t;
      for (double v : n) c.false_positives += v >= t;
      counts.push_back(c);
    }
    double area = 0;
    for (std::size_t i = 1; i < counts.size(); ++i) {
      const double width = counts[i].true_positives - counts[i - 1].true_positives;
      constexpr int steps = 2000;
      for (int s = 0; s < steps && width > 0; ++s)  // midpoint rule
        area += interpolated_precision(counts[i - 1], counts[i],
                                       counts[i - 1].true_positives + width * (s + 0.5) / steps) *
                width / steps;
    }
    CHECK(*pr_auc(p, n) == Approx(area / static_cast<double>(p.size())).epsilon(1e-5));
  }
}

TEST_CASE(
    "[statistics] precision and recall: below the straight line where precision falls, above it where it "
    "rises") {
  Random random(5);
  int fell = 0, rose = 0;
  for (int round = 0; round < 500; ++round) {
    const PrCounts a{1.0 * random.integer(1, 9), 1.0 * random.integer(0, 9)};
    const PrCounts b{a.true_positives + 2, a.false_positives + random.integer(0, 9)};
    const double at_a = interpolated_precision(a, b, a.true_positives),
                 at_b = interpolated_precision(a, b, b.true_positives);
    const double above_line = interpolated_precision(a, b, a.true_positives + 1) - (at_a + at_b) / 2;
    if (at_b < at_a - 1e-9) CHECK((++fell, above_line < 0));
    if (at_b > at_a + 1e-9) CHECK((++rose, above_line > 0));
  }
  CHECK((fell > 50 && rose > 50));
}

TEST_CASE("[statistics] precision and recall: all alike, perfect, and empty") {
  CHECK(*pr_auc({1, 1}, {1, 1, 1, 1, 1, 1}) == Approx(0.25));
  CHECK(*pr_auc({2, 3}, {0, 1}) == Approx(1));
  CHECK(*pr_auc({2, 3}, {}) == Approx(1));
  CHECK(!pr_auc({}, {1}));
  CHECK_THROWS_AS(pr_auc({std::nan("")}, {1}), Error);
}
