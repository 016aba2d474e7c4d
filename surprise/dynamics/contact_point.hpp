#pragma once
/// \file  Where two shapes touch or would touch first: gap, normal and place, as a physics engine sees a
/// contact.
#include "sim/geometry.hpp"

namespace startle {

struct ContactPoint {
  double gap = 0;  ///< between the shapes along the normal, world units; negative: they overlap. Never more
                   ///< than their distance
  Vec2 normal;     ///< unit, out of `other` towards `self`
  Vec2 place;      ///< middle of what touches, in the world
};

/// Of the pair of pieces with the smallest gap. Two polygons by their separating axes, so that corners that
/// pass each other far apart count as nearer than they are. Both shapes in the world, each with at least one
/// piece.
ContactPoint touch(const Shape& self, const Shape& other);

}  // namespace startle
