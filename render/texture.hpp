#pragma once
/// \file  Where lines and flecks of materials lie within a shape; how they look is each picture's own.
/// Lengths are world units.
#include <functional>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "sim/geometry.hpp"

namespace startle {

/// Parameters t at which the line origin + t direction lies inside the shape, as disjoint intervals in order,
/// each shortened by `inset` at both ends. `direction` has unit length.
std::vector<std::pair<double, double>> inside(const Shape& shape, Vec2 origin, Vec2 direction, double inset);

bool contains(const Shape& shape, Vec2 point);

using DrawLine = std::function<void(Vec2 from, Vec2 to)>;

/// Grain of wood: lines along the longer side of the shape's box.
struct Grain {
  double spacing;    ///< about one line for each
  double low, high;  ///< where in its lane a line may lie, from 0 to 1
  double inset;      ///< from the shape's border
  double ragged;     ///< share of a line's length by which it may be shorter, at either end
};
void draw_grain(const Grain& grain, const Shape& shape, Random& random, const DrawLine& draw);

/// Shine of ice: slanting lines, each with a fine one beside it. `draw` is given which.
void draw_shine(double spacing, double inset, const Shape& shape,
                const std::function<void(Vec2 from, Vec2 to, bool fine)>& draw);

/// Flecks of stone: ellipses of the half axes 1.5 size and size; three of five are dark.
struct Flecks {
  double density;                 ///< how many are tried for each square unit of the shape's box
  int fewest, most;               ///< that are tried
  double smallest, largest;       ///< size
  double room_beside, room_over;  ///< sizes by which the shape must reach beyond a fleck's middle
};
void draw_flecks(const Flecks& flecks, const Shape& shape, Random& random,
                 const std::function<void(Vec2 at, double size, bool dark)>& draw);

/// Hatching of platforms: slanting lines.
void draw_hatch(double inset, const Shape& shape, const DrawLine& draw);

}  // namespace startle
