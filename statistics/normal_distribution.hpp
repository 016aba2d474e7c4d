#pragma once
/// \file  The standard normal distribution.

namespace startle {

/// P(Z > z).
double normal_survival(double z);
/// log P(Z > z), finite also where P underflows (z > 38).
double log_normal_survival(double z);
/// P(|Z| > |z|).
double normal_two_sided(double z);

}  // namespace startle
