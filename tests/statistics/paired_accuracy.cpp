#include "statistics/paired_accuracy.hpp"

#include <cmath>

#include "core/error.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[statistics] paired accuracy: ties count half, within the tolerance") {
  const std::vector<double> novel{2, 1, 5, 100.05}, normal{1, 1, 6, 100};
  const PairedCounts exact = paired_counts(novel, normal);
  CHECK((exact.above == 2 && exact.tied == 1 && exact.below == 1));
  CHECK(*exact.accuracy() == Approx(2.5 / 4));
  // .05 is less than 1e-3 of 200.05.
  const PairedCounts relative = paired_counts(novel, normal, {.relative = 1e-3});
  CHECK((relative.above == 1 && relative.tied == 2 && relative.below == 1));
  const PairedCounts absolute = paired_counts(novel, normal, {.absolute = 1});
  CHECK((absolute.above == 0 && absolute.tied == 4));
  CHECK(!paired_counts({}, {}).accuracy());
  CHECK_THROWS_AS(paired_counts({1}, {1, 2}), Error);
  CHECK_THROWS_AS(paired_counts({1}, {std::nan("")}), Error);
}

TEST_CASE("[statistics] relative and absolute error rates by hand") {
  // Sums: 1.5 > 0.9 right; 0.4 < 1 wrong; 1 = 1 tied: (1 + 1/2)/3.
  const std::vector<PlausibilitySet> sets{{{.7, .8}, {.5, .4}}, {{.1, .3}, {.5, .5}}, {{.25, .75}, {.5, .5}}};
  CHECK(*relative_error(sets) == Approx(0.5));
  // Possible .7 .8 .1 .3 .25 .75 against .5 .4 .5 .5 .5 .5: 3 of them above all 6, 3 below: AUC 18/36.
  CHECK(*absolute_error(sets) == Approx(0.5));
  CHECK(*absolute_error({{{.7, .8}, {.5, .7}}}) == Approx(1 - 3.5 / 4));
  CHECK(!relative_error({}));
  CHECK(!absolute_error({}));
  CHECK_THROWS_AS(relative_error({{{.5}, {.1, .2}}}), Error);
  CHECK_THROWS_AS(relative_error({{{}, {}}}), Error);
}

TEST_CASE("[statistics] a map of the plausibilities can change the relative error, not the absolute one") {
  // Sums 5.1 > 5, but sums of roots 0.316 + 2.236 < 2 x 1.581.
  std::vector<PlausibilitySet> sets{{{.1, 5}, {2.5, 2.5}}};
  CHECK(*relative_error(sets) == 0);
  const double before = *absolute_error(sets);
  for (auto* side : {&sets[0].possible, &sets[0].impossible})
    for (double& v : *side) v = std::sqrt(v);
  CHECK(*relative_error(sets) == 1);
  CHECK(*absolute_error(sets) == before);
}
