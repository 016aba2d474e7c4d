#pragma once
/// \file  Real roots of polynomials of degree 4 or less in an interval.
#include <array>

namespace startle {

/// c[0] + c[1] x + ... + c[4] x^4. Leading coefficients may be zero.
using Quartic = std::array<double, 5>;

/// Roots found, in ascending order.
struct Roots {
  std::array<double, 4> at{};
  int count = 0;
};

/// Roots in [low, high] at which the polynomial changes sign or that lie on an end, to rounding. Between
/// neighbouring roots of its derivative a polynomial is monotone, so a change of sign there holds exactly one
/// root; the derivative's roots are found the same way. A double root (touching without a change of sign) may
/// be missed.
Roots roots_in(const Quartic& c, double low, double high);

}  // namespace startle
