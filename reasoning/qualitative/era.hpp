#pragma once
/// \file  Extended Rectangle Algebra: 27 relations between intervals (Zhang and Renz 2014).
#include "sim/geometry.hpp"

namespace startle {

struct Interval {
  double start = 0, end = 0;
  double centre() const { return 0.5 * (start + end); }
};

/// Symbols as in the literature; i marks the inverse. "Most" (m) means that the overlap covers at least half
/// of that interval, "less" (l) that it covers less; the first letter speaks of x, the second of y.
enum class Era {
  before,
  after,
  meet,
  met_by,
  mom,
  mol,
  lom,
  lol,
  momi,
  moli,
  lomi,
  loli,
  ms,
  msi,
  ls,
  lsi,
  mf,
  mfi,
  lf,
  lfi,
  ld,
  ldi,
  rd,
  rdi,
  cd,
  cdi,
  eq
};
const char* name(Era relation);

/// The one relation x stands in to y, both with start <= end. Ends no further apart than `tolerance` count as
/// equal, and equality is tested first, so that noisy data still gives starts, finishes and equal. tolerance
/// >= 0, world units.
Era era(const Interval& x, const Interval& y, double tolerance = 0);

/// Where a supporter reaches under an object, by the ERA relation of (supporter, object) on x: centre when it
/// spans the object's centre, left or right when it lies on that side of it, none when it does not reach
/// under the object.
enum class SupporterClass { none, left, centre, right };
const char* name(SupporterClass kind);
SupporterClass supporter_class(Era relation);

}  // namespace startle
