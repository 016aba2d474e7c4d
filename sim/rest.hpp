#pragma once
/// \file  Whether a scene is at rest: its objects then stay asleep, exactly where they are, until something
/// touches them.
#include "sim/scene.hpp"

namespace startle {

/// True when World will leave the objects of this scene asleep where they are: it settled and was not changed
/// since.
bool at_rest(const Scene& scene);

/// The scene taken to be at rest as it stands, velocities zero, whatever its parameters. For twin simulation,
/// where a changed parameter must not move anything before the shot does.
Scene taken_at_rest(Scene scene);

}  // namespace startle
