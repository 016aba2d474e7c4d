#pragma once
/// \file  The state after a shot by simulation, in place of the reasoning's (difficulty/state_update.hpp).
#include <optional>
#include <string>

#include "difficulty/state_update.hpp"
#include "reasoning/qualitative/trajectory.hpp"
#include "sim/scene.hpp"

namespace startle {

/// The scene after the trajectory's shot has been simulated from `scene` with its next bird. Throws Error
/// when none is left.
Scene update_by_simulation(const Scene& scene, const Trajectory& trajectory);

/// State update "simulated": the shot is simulated in the normal world.
StateUpdate simulated_update();

/// "qualitative" or "simulated"; nothing for other names.
std::optional<StateUpdate> state_update_from_name(const std::string& name);

}  // namespace startle
