#pragma once
/// \file  Making shapes: boxes, discs, and outlines with holes cut into convex parts.
#include "sim/geometry.hpp"

namespace startle {

/// Axis-parallel box centred on the body's origin. Both sides > 0.
Shape box_shape(double width, double height);

/// Disc with the given centre in the body's frame. Radius > 0.
Shape disc_shape(double radius, Vec2 centre = {});

/// Outline with holes, cut into convex parts of at most 8 vertices: vertices nearer than `tolerance` to
/// the simplified border are dropped (Douglas-Peucker), holes are joined to the border by bridges, ears
/// are clipped, and triangles merged while the union stays convex (Hertel-Mehlhorn). Area and centroid are
/// those of the outline as given. The outline must be simple and have at least 3 vertices; either order is
/// accepted. Throws Error when it cannot be cut.
Shape polygon_shape(const Polygon& outline, const std::vector<Polygon>& holes = {}, double tolerance = 0.005);

/// The shape scaled along the body's axes. Both factors > 0; a disc needs equal ones.
Shape scaled(const Shape& shape, double sx, double sy);

}  // namespace startle
