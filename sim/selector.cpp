#include "sim/selector.hpp"

#include <algorithm>

#include "sim/scene.hpp"

namespace startle {

bool Selector::selects(std::size_t index, const SceneObject& object) const {
  if (object.is_static()) return false;
  if (kind && object.kind != *kind) return false;
  if (material && object.material != *material) return false;
  if (type && object.type != *type) return false;
  return objects.empty() || std::find(objects.begin(), objects.end(), index) != objects.end();
}

Selector reordered(const Selector& selector, const std::vector<std::size_t>& order) {
  Selector result = selector;
  for (std::size_t& object : result.objects)  // one that does not exist selects nothing, here as there
    object = static_cast<std::size_t>(std::find(order.begin(), order.end(), object) - order.begin());
  return result;
}

}  // namespace startle
