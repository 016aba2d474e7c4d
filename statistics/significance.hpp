#pragma once
/// \file  Small tools of significance tests: paired yes/no outcomes, simulated nulls, and many tests at once.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/random.hpp"

namespace startle {

/// McNemar's exact test of two scorers on the same pairs: `only_first` were right with the first alone, `only_second` with the second alone;
/// pairs that both or none got right say nothing. Two-sided p of a fair coin: min(1, 2 P(X <= min)), X ~ Binomial(sum, 1/2).
double mcnemar_p(std::size_t only_first, std::size_t only_second);

/// p of a statistic whose null distribution can be simulated: (1 + #{simulated >= observed})/(1 + simulations). Simulation i draws from
/// its own stream of the seed, so the same seed gives the same p.
double monte_carlo_p(double observed, const std::function<double(Random&)>& simulate, std::uint64_t seed, int simulations = 999);

/// p-values of one table adjusted for their number (Holm 1979), in the order given: rejecting those below alpha keeps the chance of any false
/// rejection below alpha, however they depend on each other. Throws Error when one is outside [0, 1].
std::vector<double> holm_adjusted(const std::vector<double>& p);

}  // namespace startle
