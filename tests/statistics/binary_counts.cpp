#include "statistics/binary_counts.hpp"

#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[statistics] precision, recall and F1 computed by hand, empty without a denominator") {
  BinaryCounts counts{.both = 6, .predicted_only = 2, .seen_only = 4, .neither = 8};
  CHECK(*precision(counts) == Approx(0.75));
  CHECK(*recall(counts) == Approx(0.6));
  CHECK(*f1_score(counts) == Approx(12.0 / 18));
  CHECK(*accuracy(counts) == Approx(0.7));
  counts += {.both = 1, .predicted_only = 2, .seen_only = 3, .neither = 4};
  CHECK(counts == BinaryCounts{7, 4, 7, 12});
  CHECK(counts.count() == 30);
  const BinaryCounts nothing{.neither = 5};
  CHECK(!precision(nothing));
  CHECK(!recall(nothing));
  CHECK(!f1_score(nothing));
  CHECK(*accuracy(nothing) == 1);
  CHECK(!accuracy({}));
}
