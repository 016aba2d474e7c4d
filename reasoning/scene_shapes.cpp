#include "reasoning/scene_shapes.hpp"

namespace startle {

SceneShapes scene_shapes(const Scene& scene) {
  SceneShapes result;
  result.shapes.resize(scene.objects.size());
  result.bounds.resize(scene.objects.size());
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    if (!scene.objects[i].alive) continue;
    result.shapes[i] = scene.objects[i].world_shape();
    result.bounds[i] = bounds(result.shapes[i]);
  }
  return result;
}

}  // namespace startle
