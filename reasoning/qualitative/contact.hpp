#pragma once
/// \file  How two convex pieces of world-frame shapes touch.
#include <array>
#include <optional>

#include "reasoning/qualitative/era.hpp"
#include "sim/geometry.hpp"

namespace startle {

struct Contact {
  Vec2 normal;                 ///< unit, from the first to the second piece
  double gap = 0;              ///< world units; negative when they overlap
  Interval x;                  ///< of the touching parts
  std::array<Vec2, 2> points;  ///< ends of the touching part; equal where it is a point
};

/// The contact of two pieces no further apart than `tolerance` (world units); empty when they are. A disc and
/// a polygon, or two discs, touch in a point; two discs about the same centre have no contact.
std::optional<Contact> contact(const Polygon& a, const Polygon& b, double tolerance);
std::optional<Contact> contact(const Polygon& a, const Disc& b, double tolerance);
std::optional<Contact> contact(const Disc& a, const Disc& b, double tolerance);

/// The point of a shape's border that is nearest to `point`, inside or outside; from the centre of a disc its
/// highest point. Where parts overlap, borders within others count too.
Vec2 nearest_border_point(Vec2 point, const Shape& shape);

}  // namespace startle
