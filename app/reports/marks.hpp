#pragma once
/// \file  What a picture of a level points out about the difficulty of a novelty in it.
#include "difficulty/difficulty.hpp"
#include "render/scene_svg.hpp"

namespace startle {

/// All targets of the first interaction; of the best one the trajectories and what a hit on it moves and
/// shows.
SceneMarks marks_of(const Difficulty& difficulty);

}  // namespace startle
