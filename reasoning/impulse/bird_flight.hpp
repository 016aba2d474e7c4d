#pragma once
/// \file  Extended method: the bird from its first contact on; it flies, bounces, rolls and strikes again
/// (knock_on.hpp).
#include "reasoning/impulse/shot_progress.hpp"

namespace startle {

/// Follows the bird along `trajectory`, which reaches the object `target` at `trajectory.time`, until it is
/// too slow or gone, and lets it explode where birds of its kind do.
void follow_bird(ShotProgress& progress, const BirdType& bird, const Trajectory& trajectory,
                 std::size_t target);

}  // namespace startle
