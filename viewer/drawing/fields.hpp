#pragma once
/// \file  What a novelty's force fields look like: regions tinted, an arrow of the acceleration; magnets as a
/// point in a ring.
#include "sim/scene.hpp"
#include "viewer/drawing/pen.hpp"

namespace startle {

/// The fields of the scene's world that act on its next bird, in the part of the world that is `seen`. An
/// arrow is as long as a body at rest comes in 0.7 s. Do not draw it for a player who must not know the
/// novelty.
void draw_fields(const Pen& pen, const Scene& scene, const Bounds& seen);

}  // namespace startle
