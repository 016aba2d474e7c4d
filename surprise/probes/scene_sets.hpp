#pragma once
/// \file  The scenes of probes and of IntPhys sets as data sets of clips, for models to learn from
/// (make_dataset()).
#include <filesystem>
#include <string>

#include "surprise/dataset.hpp"

namespace startle {

/// The probes' kinds of events in the format of probe_format(), under the name probe_profile.
const SceneSet& probe_scene_set();
/// Freeform scenes in the same format, under the name freeform_profile.
const SceneSet& freeform_scene_set();
/// Scenes in one of the formats of intphys_format(), under the name intphys_profile.
const SceneSet& intphys_scene_set();

/// The freeform videos of the Physical Concepts data set, of the split of its sets; `folder` as in
/// PhysicalConceptsVideos. make_dataset() needs one thread for it. Throws Error as PhysicalConceptsVideos.
SceneSet physical_concepts_scene_set(const std::filesystem::path& folder, Split split);

/// The scene set of generated scenes whose clip sets go under that name; null where there is none, as for the
/// profiles of levels.
const SceneSet* scene_set(const std::string& profile);

}  // namespace startle
