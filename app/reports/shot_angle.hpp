#pragma once
/// \file  Launch angles as results have them.
#include <cmath>

#include "sim/geometry.hpp"
#include "sim/shot.hpp"

namespace startle {

/// In degrees, to nine decimals: without what the conversion from radians leaves in the last ones.
inline double angle_deg(const Shot& shot) { return std::round(degrees(shot.angle) * 1e9) / 1e9; }

}  // namespace startle
