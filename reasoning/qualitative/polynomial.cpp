#include "reasoning/qualitative/polynomial.hpp"

#include <cmath>

namespace startle {
namespace {

double value(const double* c, int degree, double x) {
  double v = c[degree];
  for (int k = degree - 1; k >= 0; --k) v = v * x + c[k];
  return v;
}

double slope(const double* c, int degree, double x) {
  double v = degree * c[degree];
  for (int k = degree - 1; k >= 1; --k) v = v * x + k * c[k];
  return v;
}

/// The root between a and b, where the values fa and fb differ in sign: Newton, kept inside the shrinking
/// bracket.
double bracketed_root(const double* c, int degree, double a, double b, double fa) {
  double x = 0.5 * (a + b);
  for (int i = 0; i < 100; ++i) {
    const double fx = value(c, degree, x);
    if (fx == 0) return x;
    if ((fx < 0) == (fa < 0))
      a = x;
    else
      b = x;
    const double dx = slope(c, degree, x);
    double next = dx != 0 ? x - fx / dx : a;
    if (!(next > a && next < b)) next = 0.5 * (a + b);
    if (std::abs(next - x) <= 1e-15 * (1 + std::abs(x))) return next;
    x = next;
  }
  return x;
}

int roots_of(const double* c, int degree, double low, double high, double* out) {
  while (degree > 0 && c[degree] == 0) --degree;
  if (degree == 0) return 0;
  if (degree == 1) {
    const double x = -c[0] / c[1];
    if (x < low || x > high) return 0;
    out[0] = x;
    return 1;
  }
  double derivative[4]{};
  for (int k = 1; k <= degree; ++k) derivative[k - 1] = k * c[k];
  double turns[5];
  int pieces = roots_of(derivative, degree - 1, low, high, turns);
  turns[pieces++] = high;

  int count = 0;
  double a = low, fa = value(c, degree, a);
  if (fa == 0) out[count++] = a;
  for (int i = 0; i < pieces; ++i) {
    const double b = turns[i], fb = value(c, degree, b);
    if (fb == 0 && b > a)
      out[count++] = b;
    else if (fa != 0 && fb != 0 && (fa < 0) != (fb < 0))
      out[count++] = bracketed_root(c, degree, a, b, fa);
    if (count == degree) break;
    a = b;
    fa = fb;
  }
  return count;
}

}  // namespace

Roots roots_in(const Quartic& c, double low, double high) {
  Roots result;
  result.count = roots_of(c.data(), 4, low, high, result.at.data());
  return result;
}

}  // namespace startle
