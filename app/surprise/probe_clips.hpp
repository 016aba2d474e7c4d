#pragma once
/// \file  startle probe --write-clips.
#include <string>

#include "surprise/prediction_file.hpp"

namespace startle {

/// Writes the clips of a suite to a file, with progress. `info`: format, seed, profile and command. Returns
/// the exit code. Throws Error as write_clips_to_score().
int write_probe_clips(const std::string& path, DatasetInfo info, ClipsToScore clips, bool quiet);

}  // namespace startle
