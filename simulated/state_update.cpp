#include "simulated/state_update.hpp"

#include "sim/world.hpp"

namespace startle {

Scene update_by_simulation(const Scene& scene, const Trajectory& trajectory) {
  return run_shot(scene, trajectory.shot).scene;
}

StateUpdate simulated_update() { return {"simulated", update_by_simulation}; }

std::optional<StateUpdate> state_update_from_name(const std::string& name) {
  for (const StateUpdate& update : {StateUpdate{}, simulated_update()})
    if (name == update.name) return update;
  return std::nullopt;
}

}  // namespace startle
