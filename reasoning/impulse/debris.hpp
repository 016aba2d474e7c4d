#pragma once
/// \file  Extended method: what an object that slides, topples or flies off strikes (knock_on.hpp).
#include "reasoning/impulse/shot_progress.hpp"

namespace startle {

/// Moves the object along its way and strikes the first that stands in it: sliding until friction stops it,
/// toppling over a quarter circle about the end of its base; where it leaves its place, also in free fall.
void follow_debris(ShotProgress& progress, const Debris& debris);

}  // namespace startle
