#include "core/math.hpp"

#include <dlfcn.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>

#include "core/hash.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"
#include "tests/skip.hpp"

using namespace startle;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr bool has_oracle = std::numeric_limits<long double>::digits > 53;

/// Distance to the exact result in units in its last place.
double units_off(double ours, long double exact) {
  const auto rounded = static_cast<double>(exact);
  if (ours == rounded) return 0;
  int exponent = 0;
  std::frexp(rounded, &exponent);
  return static_cast<double>(std::fabs(static_cast<long double>(ours) - exact)) /
         std::ldexp(1.0, std::max(exponent - 53, -1074));
}

/// The largest such distance over random arguments, between low and high or between 2^low and 2^high.
template <typename Ours, typename Exact>
double most_off(const Ours& ours, const Exact& exact, double low, double high, bool powers = false) {
  Random random(stream_seed(3, "math"));
  double most = 0;
  for (int i = 0; i < 100000; ++i) {
    const double drawn = random.uniform(low, high), x = powers ? std::exp2(drawn) : drawn;
    most = std::max(most, units_off(ours(x), exact(static_cast<long double>(x))));
  }
  return most;
}

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b) || (a != a && b != b);
}

/// Of the sines and cosines of each step-th float.
std::uint64_t hash_of_floats(std::uint64_t step) {
  Hash hash;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += step) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    if (x != x || std::fabs(x) == std::numeric_limits<float>::infinity()) continue;
    hash.add(std::uint64_t{std::bit_cast<std::uint32_t>(math::sin(x))} << 32 |
             std::bit_cast<std::uint32_t>(math::cos(x)));
  }
  return hash.value();
}

}  // namespace

TEST_CASE("[core] math: sines and cosines of floats have the golden hash") {
  // Of an implementation that was the GNU C library's without FMA for all floats (the next but one test).
  CHECK(hash_of_floats(9973) == 0xefe6c05ccf587261);
}

TEST_CASE("[core] math: sines and cosines of floats are within 0.57 units of the exact ones") {
  if (!has_oracle) return;
  Random random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto x = static_cast<float>(std::exp2(random.uniform(-30, 60)) * (random.uniform() < 0.5 ? -1 : 1));
    const auto exact = [](float result, long double truth) {
      const float nearest = static_cast<float>(truth);
      return std::fabs(static_cast<double>(result - truth)) <=
             0.57 * static_cast<double>(std::nextafter(std::fabs(nearest), 2.0F) - std::fabs(nearest));
    };
    CAPTURE(x);
    REQUIRE(exact(math::sin(x), std::sin(static_cast<long double>(x))));
    REQUIRE(exact(math::cos(x), std::cos(static_cast<long double>(x))));
  }
}

TEST_CASE("[core] math without FMA: sines and cosines of floats are the C library's") {
  // CTest runs this with GLIBC_TUNABLES that switch the processor's FMA off.
  const char* tunables = std::getenv("GLIBC_TUNABLES");
  void* library = dlopen("libm.so.6", RTLD_NOW);  // its own; by name this program has those of core/math.hpp
  if (!tunables || std::string(tunables).find("-FMA") == std::string::npos || !library) {
    TEST_IS_SKIPPED("GLIBC_TUNABLES does not switch FMA off, or this is another C library");
    return;
  }
  using Function = float (*)(float);
  const auto sine = reinterpret_cast<Function>(dlsym(library, "sinf"));
  const auto cosine = reinterpret_cast<Function>(dlsym(library, "cosf"));
  REQUIRE(sine);
  REQUIRE(cosine);
  std::uint64_t differing = 0;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 997) {
    const auto x = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    differing += !same_bits(math::sin(x), sine(x)) + !same_bits(math::cos(x), cosine(x));
  }
  CHECK(differing == 0);
}

TEST_CASE("[core] math: all functions of doubles are within one unit in the last place, erfc within three") {
  if (!has_oracle) return;
  using Wide = long double;
  const auto exp = [](double x) { return math::exp(x); };
  const auto expm1 = [](double x) { return math::expm1(x); };
  const auto log = [](double x) { return math::log(x); };
  const auto log1p = [](double x) { return math::log1p(x); };
  CHECK(most_off(
            exp, [](Wide x) { return std::exp(x); }, -745, 709) <= 1);
  CHECK(most_off(
            exp, [](Wide x) { return std::exp(x); }, -1, 1) < 1);
  CHECK(most_off(
            expm1, [](Wide x) { return std::expm1(x); }, -40, 709) < 1);
  CHECK(most_off(
            expm1, [](Wide x) { return std::expm1(x); }, -1, 1) < 1);
  CHECK(most_off(
            expm1, [](Wide x) { return std::expm1(x); }, -60, 1, true) < 1);
  CHECK(most_off(
            log, [](Wide x) { return std::log(x); }, -1074, 1024, true) < 1);
  CHECK(most_off(
            log, [](Wide x) { return std::log(x); }, 0.5, 2) < 1);
  CHECK(most_off(
            log1p, [](Wide x) { return std::log1p(x); }, -0.9999, 1) < 1);
  CHECK(most_off(
            log1p, [](Wide x) { return std::log1p(x); }, -60, 60, true) < 1);
  for (const double range : {10.0, 1e6}) {
    CHECK(most_off([](double x) { return math::sin(x); }, [](Wide x) { return std::sin(x); }, -range, range) <
          1);
    CHECK(most_off([](double x) { return math::cos(x); }, [](Wide x) { return std::cos(x); }, -range, range) <
          1);
  }
  CHECK(most_off([](double x) { return math::atan(x); }, [](Wide x) { return std::atan(x); }, -5, 5) < 1);
  CHECK(most_off([](double x) { return math::atan(x); }, [](Wide x) { return std::atan(x); }, -60, 70, true) <
        1);
  CHECK(most_off([](double x) { return math::erfc(x); }, [](Wide x) { return std::erfc(x); }, -6, 26) < 3);
  for (const double power : {-3.0, -0.5, 0.3, 1.0, 2.0, 7.5})
    CHECK(most_off([&](double x) { return math::pow(x, power); },
                   [&](Wide x) { return std::pow(x, static_cast<Wide>(power)); }, -100, 100, true) <= 0.51);
}

TEST_CASE(
    "[core] math: powers are exact where they are whole, and results are defined where C defines them") {
  for (int i = 1; i <= 20; ++i) {
    CHECK(math::pow(3, i) == std::pow(3.0, i));
    CHECK(math::pow(-2, i) == std::pow(-2.0, i));
    CHECK(math::pow(0.1 * i, 1) == 0.1 * i);
  }
  const std::vector<double> values{0.0,  -0.0,  1,      -1,     0.5,   -0.5,     2,         3,           -3,
                                   1025, -1075, 1e-310, 5e-324, 1e308, infinity, -infinity, std::nan("")};
  const auto alike = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (a != a && b != b);
  };
  for (const double x : values) {
    CAPTURE(x);
    for (const double y : values) {
      CAPTURE(y);
      CHECK(alike(math::pow(x, y), std::pow(x, y)));
    }
    if (std::fabs(x) > 0 && std::fabs(x) < infinity) continue;
    CHECK(alike(math::exp(x), std::exp(x)));
    CHECK(alike(math::expm1(x), std::expm1(x)));
    CHECK(alike(math::log(x), std::log(x)));
    CHECK(alike(math::log1p(x), std::log1p(x)));
    CHECK(alike(math::sin(x), std::sin(x)));
    CHECK(alike(math::cos(x), std::cos(x)));
    CHECK(alike(math::atan(x), std::atan(x)));
    CHECK(alike(math::erfc(x), std::erfc(x)));
  }
  CHECK(math::exp(710.0) == infinity);
  CHECK(math::exp(-746.0) == 0);
  CHECK(math::log1p(-1) == -infinity);
  for (const double x : {-1.5, -0.1}) {
    CHECK(std::isnan(math::log(x)));
    CHECK(std::isnan(math::pow(x, 0.5)));
  }
  CHECK(std::isnan(math::log1p(-1.5)));
}

TEST_CASE("[core] math: the angle of floats is the exact one, rounded") {
  Random random(9);
  for (int i = 0; i < 100000; ++i) {
    const auto y = static_cast<float>(random.uniform(-3, 3)), x = static_cast<float>(random.uniform(-3, 3));
    REQUIRE(math::atan2(y, x) ==
            static_cast<float>(std::atan2(static_cast<long double>(y), static_cast<long double>(x))));
  }
  for (const float y : {0.0F, -0.0F, 1.0F, -1.0F, std::numeric_limits<float>::infinity()})
    for (const float x : {0.0F, -0.0F, 1.0F, -1.0F, -std::numeric_limits<float>::infinity()})
      CHECK(same_bits(math::atan2(y, x),
                      static_cast<float>(std::atan2(static_cast<double>(y), static_cast<double>(x)))));
}
