#include "statistics/trend.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

using Groups = std::vector<std::vector<double>>;

/// Variance of J over all permutations of `pool` among groups of these sizes.
double variance_by_enumeration(std::vector<double> pool, const std::vector<std::size_t>& sizes,
                               double expected) {
  std::vector<std::size_t> order(pool.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  double squares = 0, mean = 0, count = 0;
  do {
    double j = 0;
    std::size_t begin = 0;
    for (std::size_t size : sizes) {
      for (std::size_t b = begin; b < begin + size; ++b)
        for (std::size_t a = 0; a < begin; ++a)
          j += pool[order[a]] < pool[order[b]] ? 1 : pool[order[a]] == pool[order[b]] ? 0.5 : 0;
      begin += size;
    }
    mean += j;
    squares += (j - expected) * (j - expected);
    ++count;
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(mean / count == Approx(expected));
  return squares / count;
}

}  // namespace

TEST_CASE("[statistics] trend: J by hand, and its mean and variance over all permutations") {
  // Pairs of later above earlier: groups (1, 2) (2, 3) (4): 1<2 1<3 2=2 2<3 1<4 2<4 2<4 3<4: 7.5 of 8.
  const auto test = jonckheere_terpstra({{1, 2}, {2, 3}, {4}});
  REQUIRE(test);
  CHECK(test->statistic == 7.5);
  CHECK(test->expected == 4);
  CHECK(test->count == 5);
  for (const Groups& groups : {Groups{{1, 2}, {2, 3}, {4}}, Groups{{5, 5, 1}, {5}, {2, 2}},
                               Groups{{1, 2, 3}, {4, 5, 6, 7}}, Groups{{1, 1}, {}, {1, 2, 2}}}) {
    std::vector<double> pool;
    std::vector<std::size_t> sizes;
    for (const auto& group : groups) {
      pool.insert(pool.end(), group.begin(), group.end());
      sizes.push_back(group.size());
    }
    const auto t = jonckheere_terpstra(groups);
    const double variance = variance_by_enumeration(pool, sizes, t->expected);
    CHECK(t->z == Approx((t->statistic - t->expected) / std::sqrt(variance)).margin(1e-12));
  }
}

TEST_CASE("[statistics] trend: it is found in its direction") {
  Random random(21);
  Groups groups(3);
  for (std::size_t g = 0; g < 3; ++g)
    for (int i = 0; i < 15; ++i)
      groups[g].push_back(std::floor(10 * random.uniform()) + 1.2 * static_cast<double>(g));
  const auto normal = jonckheere_terpstra(groups);
  CHECK(normal->z > 0);
  std::reverse(groups.begin(), groups.end());
  CHECK(jonckheere_terpstra(groups)->z == Approx(-normal->z));
}

TEST_CASE("[statistics] trend: without one, p below 0.05 in one case of twenty") {
  Random random(22);
  int rejected = 0;
  for (int r = 0; r < 1000; ++r) {
    Groups groups(3, std::vector<double>(12));
    for (std::vector<double>& group : groups)
      for (double& v : group) v = random.integer(0, 9);
    rejected += jonckheere_terpstra(groups)->p < 0.05;
  }
  // 50 expected, standard deviation 6.9: 4 sigma.
  CHECK(std::abs(rejected - 50) < 28);
}

TEST_CASE("[statistics] trend: empty cases") {
  CHECK(!jonckheere_terpstra({{1, 2}, {}}));
  CHECK(!jonckheere_terpstra({{1, 1}, {1}}));
  CHECK(!jonckheere_terpstra({{1}}));
  CHECK_THROWS_AS(jonckheere_terpstra({{1}, {std::nan("")}}), Error);
}
