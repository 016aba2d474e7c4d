/// \file  The C library's names that Box2D calls, with the functions of core/math.hpp.
///
/// Debian's Box2D is a shared library: it takes these names from the program that loads it, before the C
/// library. Programs that link startle_sim ask the linker for them (sim/CMakeLists.txt).
#include "core/math.hpp"

#pragma GCC visibility push(default)  // the modules are compiled with hidden symbols

extern "C" {
float sinf(float x) noexcept { return startle::math::sin(x); }
float cosf(float x) noexcept { return startle::math::cos(x); }
void sincosf(float x, float* sine, float* cosine) noexcept { startle::math::sincos(x, *sine, *cosine); }
float atan2f(float y, float x) noexcept { return startle::math::atan2(y, x); }
float expf(float x) noexcept { return startle::math::exp(x); }
}

#pragma GCC visibility pop
