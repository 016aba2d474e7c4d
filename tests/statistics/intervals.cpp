#include "statistics/intervals.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <vector>

#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[statistics] Wilson's interval has its published values and holds the rate") {
  // Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  const auto check = [](std::size_t hits, std::size_t count, double low, double high) {
    const IntervalEstimate interval = wilson_interval(hits, count);
    CHECK(interval.low == Approx(low).margin(5e-5));
    CHECK(interval.high == Approx(high).margin(5e-5));
  };
  check(81, 263, 0.2553, 0.3662);
  check(15, 148, 0.0624, 0.1605);
  check(0, 20, 0, 0.1611);
  check(1, 29, 0.0061, 0.1718);
  for (std::size_t n = 1; n < 40; ++n) {
    for (std::size_t k = 0; k <= n; ++k) {
      const IntervalEstimate interval = wilson_interval(k, n);
      const double rate = static_cast<double>(k) / static_cast<double>(n);
      CHECK((0 <= interval.low && interval.low <= rate && rate <= interval.high && interval.high <= 1));
    }
  }
}

TEST_CASE(
    "[statistics] Wilson's interval of a rate is that of its count, and wider where trials are worth less") {
  const IntervalEstimate counted = wilson_interval(15, 148), rate = wilson_interval_of_rate(15 / 148.0, 148);
  CHECK((rate.low == counted.low && rate.high == counted.high));
  // Of n = 1.5 by hand, z^2 = 3.8415: middle (0.1 + 1.2805) / 3.561 = 0.3877, half 1.96 sqrt(0.06 + 0.4268)
  // / 3.561 = 0.3840.
  const IntervalEstimate few = wilson_interval_of_rate(0.1, 1.5);
  CHECK(few.low == Approx(0.0037).margin(1e-4));
  CHECK(few.high == Approx(0.7717).margin(1e-4));
  CHECK(wilson_interval_of_rate(0, 1.5).low == 0);
  CHECK(wilson_interval_of_rate(1, 1.5).high == 1);
}

TEST_CASE("[statistics] the bootstrap interval of a mean is that of its sampling distribution") {
  // 400 uniform values: the mean has a standard error of 1/sqrt(12 * 400) = 0.0144, so the interval is some
  // 0.0566 wide.
  Random random(5);
  std::vector<double> values(400);
  for (double& v : values) v = random.uniform();
  const auto mean = [&](const std::vector<std::size_t>& sample) -> std::optional<double> {
    double sum = 0;
    for (std::size_t i : sample) sum += values[i];
    return sum / static_cast<double>(sample.size());
  };
  const auto interval = bootstrap_interval(values.size(), mean, 1);
  REQUIRE(interval);
  const double at = std::accumulate(values.begin(), values.end(), 0.0) / 400;
  CHECK(interval->low < at);
  CHECK(interval->high > at);
  CHECK(interval->high - interval->low == Approx(0.0566).epsilon(0.1));
  const auto again = bootstrap_interval(values.size(), mean, 1),
             other = bootstrap_interval(values.size(), mean, 2);
  CHECK((again->low == interval->low && again->high == interval->high));
  const auto stated = bootstrap_interval(values.size(), mean, 1, 1000);  // as docs/statistics.md says
  CHECK((stated->low == interval->low && stated->high == interval->high));
  CHECK(other->low != interval->low);
  CHECK(!bootstrap_interval(
      3, [](const auto&) { return std::optional<double>(); }, 1));
}

TEST_CASE("[statistics] several statistics of the same samples have the intervals of each alone") {
  const std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6};
  const auto mean = [&](const std::vector<std::size_t>& sample) -> std::optional<double> {
    double sum = 0;
    for (std::size_t i : sample) sum += values[i];
    return sum / static_cast<double>(sample.size());
  };
  const auto largest = [&](const std::vector<std::size_t>& sample) -> std::optional<double> {
    double most = 0;
    for (std::size_t i : sample) most = std::max(most, values[i]);
    return most;
  };
  const auto both = bootstrap_intervals(
      values.size(), 3,
      [&](const std::vector<std::size_t>& sample, std::vector<std::optional<double>>& found) {
        found[0] = mean(sample);
        found[2] = largest(sample);  // the second has no value in any sample
      },
      5, 200);
  REQUIRE(both.size() == 3);
  const auto first = bootstrap_interval(values.size(), mean, 5, 200),
             third = bootstrap_interval(values.size(), largest, 5, 200);
  CHECK((both[0]->low == first->low && both[0]->high == first->high));
  CHECK((both[2]->low == third->low && both[2]->high == third->high));
  CHECK_FALSE(both[1]);
}

TEST_CASE("[statistics] the bootstrap by clusters sees that values of a cluster are one") {
  // 100 clusters of 4 equal values: the mean has the standard error of 100 values, 1/sqrt(12 x 100), and its
  // interval is 0.1132 wide; taken for 400 independent values it would be half as wide.
  Random random(7);
  std::vector<double> values;
  std::vector<std::size_t> cluster_of;
  for (std::size_t c = 0; c < 100; ++c) {
    const double value = random.uniform();
    for (int i = 0; i < 4; ++i) {
      values.push_back(value);
      cluster_of.push_back(1000 - 7 * c);
    }
  }
  const auto mean = [&](const std::vector<std::size_t>& sample) -> std::optional<double> {
    double sum = 0;
    for (std::size_t i : sample) sum += values[i];
    return sum / static_cast<double>(sample.size());
  };
  const auto interval = bootstrap_clusters(cluster_of, mean, 1),
             naive = bootstrap_interval(values.size(), mean, 1);
  CHECK(interval->high - interval->low == Approx(0.1132).epsilon(0.15));
  CHECK(interval->high - interval->low == Approx(2 * (naive->high - naive->low)).epsilon(0.15));
  // Each cluster comes whole.
  bootstrap_clusters(
      {5, 9, 5},
      [](const std::vector<std::size_t>& sample) -> std::optional<double> {
        CHECK(std::count(sample.begin(), sample.end(), 0u) == std::count(sample.begin(), sample.end(), 2u));
        return 0;
      },
      3, 50);
}

TEST_CASE("[statistics] the interval of a mean is Wilson's where all values are 0 or all are 1") {
  CHECK_FALSE(mean_estimate({}, 1).value);
  const std::vector<std::size_t> pairs{4, 4, 7, 7, 9, 9};
  for (const double value : {0.0, 1.0}) {
    const std::vector<double> alike(6, value);
    const Estimate each = mean_estimate(alike, 1), clustered = mean_estimate(alike, 1, pairs);
    CHECK(*each.value == value);
    CHECK(each.count == 6);
    const auto hits = static_cast<std::size_t>(value);
    CHECK(each.interval->low == wilson_interval(6 * hits, 6).low);
    CHECK(each.interval->high == wilson_interval(6 * hits, 6).high);
    CHECK(clustered.interval->low == wilson_interval(3 * hits, 3).low);
    CHECK(clustered.interval->high == wilson_interval(3 * hits, 3).high);
  }
  // Ties that are all one half are no rate of 0 or 1: each sample has the mean of one half.
  const Estimate ties = mean_estimate({0.5, 0.5, 0.5}, 1);
  CHECK((*ties.value == 0.5 && ties.interval->low == 0.5 && ties.interval->high == 0.5));
  CHECK_FALSE(mean_estimate({0.25}, 1).interval);
  CHECK_FALSE(mean_estimate({0, 1}, 1, {3, 3}).interval);
  const std::vector<double> mixed{0, 1, 1, 1, 0, 1};
  const Estimate of_values = mean_estimate(mixed, 2), of_pairs = mean_estimate(mixed, 2, pairs);
  const auto same = bootstrap_clusters(
      pairs,
      [&](const std::vector<std::size_t>& which) {
        double sum = 0;
        for (const std::size_t i : which) sum += mixed[i];
        return std::optional(sum / static_cast<double>(which.size()));
      },
      2);
  CHECK(*of_values.value == Approx(4.0 / 6));
  CHECK((of_pairs.interval->low == same->low && of_pairs.interval->high == same->high));
  CHECK(of_values.interval->high - of_values.interval->low > 0);
}

TEST_CASE("[statistics] the crossed bootstrap draws rows and columns, each by themselves") {
  // Value of row i and column j: i + j. The variance of the mean is that of a row's part over the rows plus
  // that of a column's part over the columns.
  constexpr std::size_t rows = 40, columns = 30;
  std::size_t calls = 0;
  const auto mean = [&](const std::vector<std::uint32_t>& of_rows,
                        const std::vector<std::uint32_t>& of_columns,
                        std::vector<std::optional<double>>& values) {
    ++calls;
    REQUIRE(of_rows.size() == rows);
    REQUIRE(of_columns.size() == columns);
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j) {
        const double times = static_cast<double>(of_rows[i]) * of_columns[j];
        sum += times * static_cast<double>(i + j);
        count += times;
      }
    CHECK(count == static_cast<double>(rows * columns));
    values[0] = sum / count;
  };
  const auto interval = bootstrap_crossed(rows, columns, 2, mean, 1);
  CHECK(calls == 1000);
  REQUIRE(interval[0]);
  const auto variance = [](double n) { return (n * n - 1) / 12; };  // of 0, 1 ... n - 1
  const double half = 1.96 * std::sqrt(variance(rows) / rows + variance(columns) / columns);
  const double middle = (rows - 1) / 2.0 + (columns - 1) / 2.0;
  CHECK(interval[0]->low == Approx(middle - half).margin(0.12 * half));
  CHECK(interval[0]->high == Approx(middle + half).margin(0.12 * half));
  CHECK_FALSE(interval[1]);  // nothing was written there
  const auto again = bootstrap_crossed(rows, columns, 1, mean, 1);
  CHECK(again[0]->low == interval[0]->low);
  CHECK(bootstrap_crossed(rows, columns, 1, mean, 2)[0]->low != interval[0]->low);
}

TEST_CASE("[statistics] a bootstrap needs a value in half of its samples") {
  int call = 0;
  const auto every = [&](int period) {
    return [&call, period](const std::vector<std::size_t>&) {
      return call++ % period == 0 ? std::optional<double>(3) : std::nullopt;
    };
  };
  const auto half = bootstrap_interval(5, every(2), 1, 100);
  REQUIRE(half);
  CHECK(half->low == 3);
  CHECK(half->high == 3);
  CHECK_FALSE(bootstrap_interval(5, every(3), 1, 100));
  CHECK_FALSE(bootstrap_interval(
      5, [](const std::vector<std::size_t>&) { return std::optional<double>(); }, 1, 100));
  CHECK_FALSE(bootstrap_interval(5, every(1), 1, 0));
}

TEST_CASE("[statistics] a rate of nothing has no value, one of something its share and Wilson's interval") {
  CHECK_FALSE(Rate{}.value());
  CHECK_FALSE(Rate{}.estimate().value);
  CHECK(Rate{}.estimate().count == 0);
  const Rate rate{.hits = 15, .count = 148};
  REQUIRE(rate.value());
  CHECK(*rate.value() == Approx(15.0 / 148));
  REQUIRE(rate.estimate().interval);
  CHECK(rate.estimate().interval->low == Approx(0.0624).margin(5e-5));
  CHECK(rate.estimate().count == 148);
  const Rate once{.hits = 1, .count = 1};
  CHECK(once.estimate().value == 1);
  CHECK(once.estimate().interval);
}
