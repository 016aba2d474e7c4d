#pragma once
/// \file  Percentiles of a sample.
#include <vector>

namespace startle {

/// Percentile by linear interpolation between order statistics (definition 7 of Hyndman and Fan 1996, the
/// default of R and NumPy): with the values sorted as v_0 <= ... <= v_(n-1), h = (n - 1) percent/100 and k =
/// floor(h), v_k + (h - k) (v_(k+1) - v_k). Throws Error when there are no values, one is not finite, or
/// percent is outside [0, 100].
double percentile(std::vector<double> values, double percent);

}  // namespace startle
