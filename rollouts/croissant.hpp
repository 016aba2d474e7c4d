#pragma once
/// \file  What a folder of rollouts is, for programs that look for data sets: Croissant 1.1 of MLCommons,
/// JSON of schema.org's words, with the fields on responsible AI.
#include <string>
#include <vector>

#include "rollouts/rollouts.hpp"

namespace startle {

/// croissant.json of the folder. The same arguments give the same bytes.
std::string rollouts_croissant(const RolloutSettings& settings, const std::vector<ShardRecord>& shards);

}  // namespace startle
