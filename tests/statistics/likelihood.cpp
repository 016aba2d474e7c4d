#include "statistics/likelihood.hpp"

#include <cmath>
#include <numbers>

#include "core/error.hpp"
#include "core/random.hpp"
#include "statistics/normal_distribution.hpp"
#include "tests/catch.hpp"

using namespace startle;

TEST_CASE("[statistics] likelihood: of a normal distribution by hand, and its scaling rule") {
  // Two values one sigma = 2 away from their means: log(2 pi 4) + 2 x 1/2.
  const std::vector<double> x{3, -1}, means{1, 1};
  CHECK(gaussian_nll(x, means, 2) == Approx(std::log(8 * std::numbers::pi) + 1));
  const std::vector<double> scaled{1.5, -0.5}, scaled_means{0.5, 0.5};
  CHECK(nll_of_unscaled(gaussian_nll(scaled, scaled_means, 1), 2, 2) == Approx(gaussian_nll(x, means, 2)));
  CHECK_THROWS_AS(gaussian_nll(x, scaled, 0), Error);
  CHECK_THROWS_AS(gaussian_nll(x, std::vector<double>{1}, 1), Error);
}

TEST_CASE("[statistics] likelihood: bits per dimension of a normal distribution on bytes") {
  // With sigma^2 the mean square error of values in [0, 1): 0.5 log2(2 pi e sigma^2) + 8, 5.06 for 1e-3.
  const double sigma = std::sqrt(1e-3);
  std::vector<double> values(1000), means(1000, 0.5);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5 + (i % 2 == 0 ? sigma : -sigma);
  CHECK(bits_per_dimension(discrete_nll_bound(gaussian_nll(values, means, sigma), 1000), 1000) ==
        Approx(5.0642).margin(1e-4));
}

TEST_CASE("[statistics] likelihood: a level that is none is refused with the highest there is") {
  Random random(1);
  CHECK_THROWS_WITH(dequantise(std::vector<std::uint8_t>{15, 16}, random, 16),
                    Catch::Contains("found level 16, allowed are 0 to 15"));
  CHECK_THROWS_WITH(discretised_gaussian_nll(std::vector<std::uint8_t>{16}, std::vector<double>{0}, 1, 16),
                    Catch::Contains("found level 16, allowed are 0 to 15"));
  CHECK_NOTHROW(dequantise(std::vector<std::uint8_t>{0, 15}, random, 16));
}

TEST_CASE("[statistics] likelihood: probabilities of the levels sum to 1") {
  for (double sigma : {0.001, 0.05, 2.0}) {
    for (double mean : {-0.2, 0.0, 0.31, 1.4}) {
      double sum = 0;
      for (int k = 0; k < 256; ++k)
        sum += std::exp(-discretised_gaussian_nll(std::vector<std::uint8_t>{static_cast<std::uint8_t>(k)},
                                                  std::vector<double>{mean}, sigma));
      CHECK(sum == Approx(1).epsilon(1e-12));
    }
  }
}

TEST_CASE("[statistics] likelihood: far from the mean a level's probability is small, not zero") {
  // One level of width w = 1/256 at a = 39 sigma with sigma = w: Q(39) - Q(40) is phi(39)/39 (1 - 1/39^2) to
  // within 1e-5, since Q(40)/Q(39) = 7e-18.
  const double w = 1.0 / 256;
  const double nll = discretised_gaussian_nll(std::vector<std::uint8_t>{139}, std::vector<double>{100 * w},
                                              w);
  CHECK(nll ==
        Approx(39.0 * 39 / 2 + std::log(39 * std::sqrt(2 * std::numbers::pi)) - std::log1p(-1.0 / (39 * 39)))
            .epsilon(1e-7));
  // The same on the other side: level 60 is [60, 61) and 61 lies 39 below the mean.
  CHECK(discretised_gaussian_nll(std::vector<std::uint8_t>{60}, std::vector<double>{100 * w}, w) ==
        Approx(nll).epsilon(1e-12));
  CHECK(log_normal_survival(29.999999) == Approx(log_normal_survival(30.000001)).epsilon(1e-6));
  CHECK(normal_two_sided(1.959963984540054) == Approx(0.05));
}

TEST_CASE(
    "[statistics] likelihood: dequantisation bounds the exact value from above, in the mean over draws") {
  Random random(6);
  std::vector<std::uint8_t> bytes(64);
  std::vector<double> means(64);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<std::uint8_t>(random.integer(60, 190));
    means[i] = bytes[i] / 256.0 + random.uniform(-0.02, 0.02);
  }
  for (double sigma : {0.004, 0.02, 0.2}) {
    const double exact = discretised_gaussian_nll(bytes, means, sigma);
    double bound = 0;
    for (int draw = 0; draw < 400; ++draw) {
      const std::vector<double> reals = dequantise(bytes, random);
      for (std::size_t i = 0; i < reals.size(); ++i)
        REQUIRE((reals[i] >= bytes[i] / 256.0 && reals[i] < (bytes[i] + 1) / 256.0));
      bound += discrete_nll_bound(gaussian_nll(reals, means, sigma), reals.size()) / 400;
    }
    if (sigma < 0.1)
      CHECK(bound > exact);
    else
      CHECK(bound == Approx(exact).epsilon(1e-5));  // the density is flat within a level
  }
  CHECK_THROWS_AS(dequantise(std::vector<std::uint8_t>{4}, random, 4), Error);
}

TEST_CASE("[statistics] normal distribution: far out the logarithm of the tail goes on as it was") {
  // The series' next term is 15/z^6, 2e-8 at 30.
  for (double z = 30; z < 37.5; z += 0.25)
    CHECK(log_normal_survival(z) == Approx(std::log(normal_survival(z))).epsilon(0).margin(3e-8));
  CHECK(log_normal_survival(29.999) == Approx(log_normal_survival(30.001) + 0.002 * 30.03).margin(1e-4));
}
