#pragma once
/// \file  Direction relations between objects [Pinto §4.1].
#include <functional>

#include "sim/geometry.hpp"

namespace startle {

/// left_of(oi, oj): object j is left of object i: xmax(oi) > xmin(oj). The caller sees to oi != oj.
bool left_of(const Bounds& oi, const Bounds& oj);
/// Likewise: j is right of i when xmin(oi) < xmax(oj).
bool right_of(const Bounds& oi, const Bounds& oj);
/// j is on the top side of i when ymin(oi) < ymax(oj).
bool top_of(const Bounds& oi, const Bounds& oj);
/// j is on the bottom side of i when ymax(oi) > ymin(oj).
bool bottom_of(const Bounds& oi, const Bounds& oj);

/// The relation by which targets() decides which objects may stand in the way.
using Relation = std::function<bool(const Bounds&, const Bounds&)>;

}  // namespace startle
