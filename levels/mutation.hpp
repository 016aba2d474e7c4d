#pragma once
/// \file  Small changes of a candidate, by which a search comes nearer to the difficulty that it wants.
#include "core/random.hpp"
#include "sim/level.hpp"
#include "sim/profile.hpp"

namespace startle {

/// The candidate with one small change: the material of a block, or of all blocks that look like it; a pig at
/// another place, one more, or one fewer; another bird.
Level mutated(const Level& candidate, const Profile& profile, Random& random);

}  // namespace startle
