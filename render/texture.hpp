#pragma once
/// \file  Where lines and flecks of a texture may lie within a shape.
#include <utility>
#include <vector>

#include "sim/geometry.hpp"

namespace startle {

/// Parameters t at which the line origin + t direction lies inside the shape, as disjoint intervals in order, each
/// shortened by `inset` at both ends. `direction` has unit length.
std::vector<std::pair<double, double>> inside(const Shape& shape, Vec2 origin, Vec2 direction, double inset);

bool contains(const Shape& shape, Vec2 point);

}  // namespace startle
