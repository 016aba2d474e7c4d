#include "statistics/roc.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "statistics/intervals.hpp"
#include "tests/catch.hpp"
#include "tests/statistics/reference.hpp"

using namespace startle;

namespace {

std::vector<double> tied_values(Random& random, int low, int high) {
  std::vector<double> values(static_cast<std::size_t>(random.integer(low, high)));
  for (double& v : values) v = 0.5 * random.integer(0, 6);
  return values;
}

}  // namespace

TEST_CASE("[statistics] ROC: worked example with ties") {
  // Positives .35 .8 .4 .9, negatives .1 .4 .4 .2: of 16 pairs .35 wins 2, .8 and .9 all 4, .4 wins 2 and
  // ties 2: 12 + 2/2 = 13.
  const std::vector<double> p{.35, .8, .4, .9}, n{.1, .4, .4, .2};
  CHECK(*roc_auc(p, n) == Approx(13.0 / 16));
  const std::vector<RocPoint> curve = roc_curve(p, n);
  REQUIRE(curve.size() == 7);  // (0, 0) and six distinct scores
  // At .4 two of four negatives pass; above it none, and two of four positives.
  CHECK(*detection_rate(p, n, 0.5) == 1.0);
  CHECK(*detection_rate(p, n, 0.49) == 0.5);
  CHECK(*detection_rate(p, n, 0) == 0.5);
  CHECK(*detection_rate({1}, {2}, 0) == 0);
  CHECK(!detection_rate({1}, {}, 0));
  CHECK(
      (curve[3].threshold == .4 && curve[3].true_positive_rate == .75 && curve[3].false_positive_rate == .5));
}

TEST_CASE("[statistics] ROC: of counts as of the scores that they count, to the last bit") {
  // Scores 1, 2, 3: two positives at 3, one at 2; one negative at 3, two at 1: pairs won 2 x 2 + 2, ties 2 x
  // 1/2, of 9.
  const ScoreCounts hand{.positives = {0, 1, 2}, .negatives = {2, 0, 1}};
  CHECK(*roc_auc(hand) == 7.0 / 9);
  CHECK(*detection_rate(hand, 0.05) == 0);
  CHECK(*detection_rate(hand, 0.34) == 1);
  CHECK_FALSE(roc_auc(ScoreCounts{.positives = {1}, .negatives = {0}}));
  CHECK_FALSE(detection_rate(ScoreCounts{.positives = {0}, .negatives = {1}}, 0.05));
  CHECK(*detection_rate(ScoreCounts{.positives = {1, 1}, .negatives = {1, 0}}, 0.05) == 0.5);
  CHECK_FALSE(roc_auc(ScoreCounts{}));
  Random random(4);
  for (int round = 0; round < 200; ++round) {
    const std::vector<double> p = tied_values(random, 1, 40), n = tied_values(random, 1, 40);
    ScoreCounts counts{.positives = std::vector<std::uint32_t>(7),
                       .negatives = std::vector<std::uint32_t>(7)};
    for (const double v : p) ++counts.positives[static_cast<std::size_t>(2 * v)];
    for (const double v : n) ++counts.negatives[static_cast<std::size_t>(2 * v)];
    CHECK(*roc_auc(counts) == *roc_auc(p, n));
    for (const double rate : {0.0, 0.05, 0.5, 1.0})
      CHECK(*detection_rate(counts, rate) == *detection_rate(p, n, rate));
  }
}

TEST_CASE(
    "[statistics] ROC: AUC is the share of pairs in order, the trapezoid area, and turns over with the "
    "sides") {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const std::vector<double> p = tied_values(random, 1, 20), n = tied_values(random, 1, 20);
    double pairs = 0;
    for (double a : p)
      for (double b : n) pairs += a > b ? 1 : a == b ? 0.5 : 0;
    const double auc = *roc_auc(p, n);
    CHECK(auc == Approx(pairs / static_cast<double>(p.size() * n.size())));
    CHECK(*roc_auc(n, p) == Approx(1 - auc).margin(1e-12));
    const std::vector<RocPoint> curve = roc_curve(p, n);
    double area = 0;
    for (std::size_t i = 1; i < curve.size(); ++i)
      area += (curve[i].false_positive_rate - curve[i - 1].false_positive_rate) *
              (curve[i].true_positive_rate + curve[i - 1].true_positive_rate) / 2;
    CHECK(area == Approx(auc).margin(1e-12));
    CHECK((curve.back().true_positive_rate == 1 && curve.back().false_positive_rate == 1));
  }
}

TEST_CASE("[statistics] ROC: equal to scikit-learn's") {
  for (const auto& c : reference()["rankings"]) {
    const std::vector<double> p = c["positives"], n = c["negatives"];
    CHECK(*roc_auc(p, n) == Approx(c["roc_auc"].get<double>()).epsilon(1e-12));
    const std::vector<RocPoint> curve = roc_curve(p, n);
    const std::vector<double> fpr = c["fpr"], tpr = c["tpr"], thresholds = c["thresholds"];
    REQUIRE(curve.size() == fpr.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
      CHECK(curve[i].false_positive_rate == Approx(fpr[i]).margin(1e-12));
      CHECK(curve[i].true_positive_rate == Approx(tpr[i]).margin(1e-12));
      if (i > 0) CHECK(curve[i].threshold == thresholds[i - 1]);
    }
  }
}

TEST_CASE("[statistics] ROC: empty without positives or negatives, and scores must be finite") {
  CHECK(!roc_auc({}, {1}));
  CHECK(!roc_auc({1}, {}));
  CHECK(roc_curve({1}, {}).empty());
  CHECK_THROWS_AS(roc_auc({std::nan("")}, {1}), Error);
  CHECK_THROWS_AS(roc_curve({1}, {INFINITY}), Error);
}

TEST_CASE("[statistics] ROC: on matched pairs the bootstrap by pairs gives the right error") {
  // Twins share their scene's score, which spreads three times as far as the rest: what
  // differs within a pair is small beside it.
  const auto normal = [](Random& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random.uniform();
    return sum;
  };
  const auto draw = [&](Random& random, std::vector<double>& p, std::vector<double>& n) {
    p.clear();
    n.clear();
    for (int i = 0; i < 200; ++i) {
      const double scene = 3 * normal(random);
      p.push_back(scene + 1 + normal(random));
      n.push_back(scene + normal(random));
    }
  };
  Random random(40);
  std::vector<double> p, n;
  double sum = 0, squares = 0;
  for (int r = 0; r < 400; ++r) {
    draw(random, p, n);
    const double auc = *roc_auc(p, n);
    sum += auc;
    squares += auc * auc;
  }
  const double truth = std::sqrt((squares - sum * sum / 400) / 399);
  draw(random, p, n);
  std::vector<double> scores = p;
  scores.insert(scores.end(), n.begin(), n.end());
  std::vector<std::size_t> pair(400);
  for (std::size_t i = 0; i < 400; ++i) pair[i] = i % 200;
  const auto auc = [&](const std::vector<std::size_t>& sample) {
    std::vector<double> a, b;
    for (std::size_t i : sample) (i < 200 ? a : b).push_back(scores[i]);
    return roc_auc(a, b);
  };
  const auto interval = bootstrap_clusters(pair, auc, 1);
  const double by_pairs = (interval->high - interval->low) / (2 * 1.96);
  INFO("spread of 400 draws " << truth << ", bootstrap by pairs " << by_pairs);
  CHECK(by_pairs == Approx(truth).epsilon(0.2));
}

TEST_CASE("[statistics] ROC: of counts, one positive and one negative are enough for a rate, none are not") {
  const ScoreCounts one{.positives = {0, 1}, .negatives = {1, 0}},
      turned{.positives = {1, 0}, .negatives = {0, 1}};
  CHECK(detection_rate(one, 0) == 1);
  CHECK(roc_auc(one) == 1);
  CHECK(detection_rate(turned, 0) == 0);
  CHECK(detection_rate(turned, 1) == 1);
  CHECK(roc_auc(turned) == 0);
  CHECK_FALSE(detection_rate(ScoreCounts{.positives = {0, 1}, .negatives = {0, 0}}, 0.5));
  CHECK_FALSE(detection_rate(ScoreCounts{.positives = {0, 0}, .negatives = {0, 1}}, 0.5));
  CHECK_FALSE(roc_auc(ScoreCounts{.positives = {0, 1}, .negatives = {0, 0}}));
  CHECK_FALSE(roc_auc(ScoreCounts{.positives = {0, 0}, .negatives = {0, 1}}));
}
