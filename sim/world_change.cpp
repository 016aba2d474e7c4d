#include "sim/world_change.hpp"

#include <algorithm>

#include "sim/scene.hpp"

namespace startle {

bool WorldChange::acts_on(std::size_t index, const SceneObject& object) const {
  if (object.is_static()) return false;
  if (moves_all() || ground_friction != 1) return true;
  return std::any_of(fields.begin(), fields.end(),
                     [&](const ForceField& field) { return field.on.selects(index, object); }) ||
         std::any_of(events.begin(), events.end(),
                     [&](const WorldEvent& event) { return event.on.selects(index, object); });
}

WorldChange at_strength(const WorldChange& change, double strength) {
  const auto on_the_way = [&](double value) { return 1 + strength * (value - 1); };
  WorldChange scaled = change;
  scaled.gravity = on_the_way(change.gravity);
  scaled.tilt *= strength;
  scaled.air_drag *= strength;
  scaled.ground_friction = std::max(on_the_way(change.ground_friction), 0.0);
  for (ForceField& field : scaled.fields) {
    field.acceleration = strength * field.acceleration;
    field.pull *= strength;
  }
  for (WorldEvent& event : scaled.events) event.velocity = strength * event.velocity;
  if (strength == 0) {
    scaled.fields.clear();
    scaled.events.clear();
  }
  return scaled;
}

WorldChange reordered(const WorldChange& change, const std::vector<std::size_t>& order) {
  WorldChange result = change;
  for (ForceField& field : result.fields) field.on = reordered(field.on, order);
  for (WorldEvent& event : result.events) event.on = reordered(event.on, order);
  return result;
}

}  // namespace startle
