#include "statistics/kolmogorov_smirnov.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"
#include "tests/statistics/reference.hpp"

using namespace startle;

TEST_CASE("[statistics] Kolmogorov-Smirnov: two samples by hand") {
  // 1 2 against 3 4: apart, D = 1; of the 6 orders 2 are so.
  const KolmogorovSmirnov apart = ks_two_sample({1, 2}, {4, 3});
  CHECK(apart.statistic == 1);
  CHECK(apart.p == Approx(2.0 / 6));
  CHECK(ks_two_sample({1, 2, 2}, {2, 1, 2}).statistic == 0);
  CHECK(ks_two_sample({1, 2, 2}, {2, 1, 2}).p == 1);
  CHECK_THROWS_AS(ks_two_sample({}, {1}), Error);
  CHECK_THROWS_AS(ks_one_sample({std::nan("")}, [](double x) { return x; }), Error);
}

TEST_CASE("[statistics] Kolmogorov-Smirnov: equal to SciPy's") {
  for (const auto& c : reference()["kolmogorov"])
    CHECK(kolmogorov_survival(c["at"].get<double>()) == Approx(c["survival"].get<double>()).epsilon(1e-10));
  for (const auto& c : reference()["two_samples"]) {
    const KolmogorovSmirnov test = ks_two_sample(c["a"], c["b"]);
    CHECK(test.statistic == Approx(c["statistic"].get<double>()).epsilon(1e-12));
    CHECK(test.p == Approx(c["exact"].get<double>()).epsilon(1e-9));
  }
  // Stephens' approximation against the exact p: it is made for the tail.
  for (const auto& c : reference()["one_samples"]) {
    const KolmogorovSmirnov test = ks_one_sample(c["sample"], [](double x) { return x; });
    CHECK(test.statistic == Approx(c["statistic"].get<double>()).epsilon(1e-12));
    const double exact = c["exact"];
    CHECK(test.p == Approx(exact).margin(exact < 0.2 ? 0.002 : 0.015));
  }
}

TEST_CASE("[statistics] Kolmogorov-Smirnov: exact and approximate p of large samples meet") {
  Random random(17);
  std::vector<double> a(1000), b(1000), c(1001);
  for (double& v : a) v = random.uniform();
  for (double& v : b) v = random.uniform(0, 1.05);
  c.assign(b.begin(), b.end());
  c.push_back(random.uniform());
  CHECK(ks_two_sample(a, b).p == Approx(ks_two_sample(a, c).p).epsilon(0.25));  // 1e6 and 1.001e6 pairs: one
                                                                                // each way
}
