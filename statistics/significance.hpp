#pragma once
/// \file  Small tools of significance tests: paired yes/no outcomes, and many tests at once.
#include <cstddef>
#include <vector>

namespace startle {

/// McNemar's exact test of two scorers on the same pairs: `only_first` were right with the first alone,
/// `only_second` with the second alone; pairs that both or none got right say nothing. Two-sided p of a fair
/// coin: min(1, 2 P(X <= min)), X ~ Binomial(sum, 1/2).
double mcnemar_p(std::size_t only_first, std::size_t only_second);

/// p-values of one table adjusted for their number (Holm 1979), in the order given: rejecting those below
/// alpha keeps the chance of any false rejection below alpha, however they depend on each other. Throws Error
/// when one is outside [0, 1].
std::vector<double> holm_adjusted(const std::vector<double>& p);

}  // namespace startle
