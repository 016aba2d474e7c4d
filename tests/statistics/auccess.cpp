/// \file  AUCCESS by its definition.
#include "statistics/auccess.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// As PHYRE writes it, sum by sum.
double by_definition(const std::vector<std::optional<std::size_t>>& attempts, std::size_t most) {
  double above = 0, below = 0;
  for (std::size_t k = 1; k <= most; ++k) {
    double solved = 0;
    for (const auto& task : attempts) solved += task && *task <= k;
    const double weight = std::log(static_cast<double>(k) + 1) - std::log(static_cast<double>(k));
    above += weight * solved / static_cast<double>(attempts.size());
    below += weight;
  }
  return above / below;
}

}  // namespace

TEST_CASE("[statistics] AUCCESS by hand") {
  // Three attempts at most; weights ln 2, ln 3/2, ln 4/3, in all ln 4. Tasks solved at 1, at 2 and never:
  // shares 1/3, 2/3, 2/3. (ln 2 + 2 ln 3/2 + 2 ln 4/3)/(3 ln 4) = ln(2 x 9/4 x 16/9)/(3 ln 4) = ln 8/(3 ln 4)
  // = 1/2.
  CHECK(*auccess({1, 2, std::nullopt}, 3) == Approx(0.5));
  CHECK(*auccess({1, 1}, 3) == 1);
  CHECK(*auccess({std::nullopt, 4}, 3) == 0);  // the fourth attempt is none
  CHECK(success_weight(2, 3) == Approx(0.5));  // 1 - ln 2/ln 4
  CHECK(success_weight(1, 1) == 1);
  // Solved always, at the second attempt of 100: 1 - ln 2/ln 101.
  CHECK(*auccess({2}) == Approx(0.8498096));
  CHECK_FALSE(auccess({}));
  CHECK_THROWS_AS(auccess({0}), Error);
  CHECK_THROWS_AS(auccess({1}, 0), Error);
}

TEST_CASE("[statistics] AUCCESS is what its definition says, for many results") {
  Random random(7);
  for (int round = 0; round < 200; ++round) {
    const std::size_t most = static_cast<std::size_t>(random.integer(1, 100));
    std::vector<std::optional<std::size_t>> attempts;
    for (int i = random.integer(1, 20); i > 0; --i) {
      const int n = random.integer(0, static_cast<int>(most) + 2);
      attempts.push_back(n == 0 ? std::nullopt : std::optional(static_cast<std::size_t>(n)));
    }
    INFO(round);
    CHECK(*auccess(attempts, most) == Approx(by_definition(attempts, most)).margin(1e-12));
  }
}
