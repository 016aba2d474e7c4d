#pragma once
/// \file  The worlds of probes and of IntPhys sets as data sets of clips, for models to learn from
/// (make_dataset()).
#include <string>

#include "surprise/dataset.hpp"

namespace startle {

/// Scenes in the format of probe_format(), under the name probe_profile.
const ClipWorld& probe_world();
/// Scenes in one of the formats of intphys_format(), under the name intphys_profile.
const ClipWorld& intphys_world();

/// The world whose clip sets go under that name; null where there is none, as for the profiles of levels.
const ClipWorld* clip_world(const std::string& profile);

}  // namespace startle
