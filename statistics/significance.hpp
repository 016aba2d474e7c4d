#pragma once
/// \file  Small tools of significance tests: paired yes/no outcomes, and many tests at once.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace startle {

/// McNemar's exact test of two scorers on the same pairs: `only_first` were right with the first alone,
/// `only_second` with the second alone; pairs that both or none got right say nothing. Two-sided p of a fair
/// coin: min(1, 2 P(X <= min)), X ~ Binomial(sum, 1/2).
double mcnemar_p(std::size_t only_first, std::size_t only_second);

/// Sign-flip test of paired differences [Fisher 1935]: tests whether their mean is 0 by giving each a random
/// sign. Two-sided p: the share of sign patterns whose sum is at least as far from 0. Exact up to 14
/// differences; for more, the observed pattern and 1999 random ones drawn with `seed`. Its only assumption is
/// that differences are symmetric about 0 under the null hypothesis. 1 without differences.
double sign_flip_p(const std::vector<double>& differences, std::uint64_t seed = 1);

/// p-values of one table adjusted for their number (Holm 1979), in the order given: rejecting those below
/// alpha keeps the chance of any false rejection below alpha, however they depend on each other. Throws Error
/// when one is outside [0, 1].
std::vector<double> holm_adjusted(const std::vector<double>& p);

}  // namespace startle
