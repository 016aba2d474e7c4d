#pragma once
/// \file  Elementary functions that give the same bits on every machine.
///
/// Those of the C library may differ in the last place between versions and processors, with and without
/// fused multiply-add. Whatever a trace, a level, a plan or a p-value depends on uses these. They are made of
/// + - * / sqrt and floor in double, which IEEE 754 defines to the bit.
///
/// Box2D calls the C library's sinf, cosf, sincosf, atan2f and expf. core/math_symbols.cpp defines these
/// names, so that a program gives its own to Box2D, too.
///
/// Special values are those of C: NaN gives NaN, and so does what has no result.

#include <limits>

namespace startle::math {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// In double by the algorithm of Arm's Optimized Routines (sinf.c, cosf.c, by W. Dijkstra), rounded once:
/// bit-equal, for all floats, to the GNU C library's (2.28 and later) on a processor without FMA. Radians.
float sin(float x);
float cos(float x);
void sincos(float x, float& sine, float& cosine);
/// e^x, and the angle of (x, y) from -pi to pi; calculated in double, rounded once.
float exp(float x);
float atan2(float y, float x);

// Within one unit in the last place. By the algorithms of FDLIBM 5.3 (Sun Microsystems, 1993, freely
// distributable), but for the power, which is calculated with twice the precision.

/// Radians. From |x| = 2^20 on, the angle is first taken modulo the double nearest to 2 pi.
double sin(double x);
double cos(double x);
/// -pi/2 to pi/2.
double atan(double x);
/// e^x; e^x - 1, exact near 0 as well.
double exp(double x);
double expm1(double x);
/// Natural logarithm; of 1 + x, exact near 0 as well.
double log(double x);
double log1p(double x);
/// x^y, x >= 0 or y whole.
double pow(double x, double y);
/// 1 - erf(x) = 2/sqrt(pi) times the integral of exp(-t^2) from x on.
double erfc(double x);

}  // namespace startle::math
