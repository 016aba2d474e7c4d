#pragma once
/// \file  A shard: episodes as the bytes of an HDF5 file.
///
/// Layout, for every table and column of rollout_tables():
///   /TABLE/COLUMN     one value a row; columns of codes have the attribute `names`
///   /frames/picture   uint8 [frames, height, width, 3], RGB; only where pictures were asked for
///   /frames/mask      uint16 [frames, height, width], 0 sky, 1 ground and slingshot, 2 + id of the body
///   attributes of /: format "startle-rollouts", version, and the texts given
/// Columns are chunked, shuffled and deflated; a picture is a chunk.
#include <string>
#include <utility>
#include <vector>

#include "rollouts/episode.hpp"
#include "rollouts/tables.hpp"

namespace startle {

inline constexpr const char* rollouts_format = "startle-rollouts";
inline constexpr int rollouts_version = 1;

/// The whole file. The same arguments give the same bytes. Throws Error when HDF5 fails.
std::string shard_bytes(const RolloutTables& tables, const RolloutRecording& recording,
                        const std::vector<std::pair<std::string, std::string>>& attributes);

}  // namespace startle
