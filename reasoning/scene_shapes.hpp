#pragma once
/// \file  The geometry of a scene where it stands, computed once and read by every predicate.
#include <vector>

#include "sim/scene.hpp"

namespace startle {

/// World-frame shape and bounds of each object, by object index. Entries of dead objects are empty: look at
/// SceneObject::alive first. Valid as long as no object moves or dies; parameters may change.
struct SceneShapes {
  std::vector<Shape> shapes;
  std::vector<Bounds> bounds;
};
SceneShapes scene_shapes(const Scene& scene);

}  // namespace startle
