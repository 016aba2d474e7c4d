#pragma once
/// \file  --write-clips of startle probe and startle surprise evaluate.
#include <string>

#include "surprise/prediction_file.hpp"

namespace startle {

/// Writes clips to a file, with progress. `info`: format, seed, profile and command; `groups`: what groups of
/// clips are called. Returns the exit code. Throws Error as write_clips_to_score().
int write_clips_file(const std::string& path, DatasetInfo info, ClipsToScore clips, const char* groups,
                     bool quiet);

}  // namespace startle
