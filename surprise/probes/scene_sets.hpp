#pragma once
/// \file  The scenes of probes and of IntPhys sets, and what published sets of both have to learn from, as
/// data sets of clips (make_dataset()).
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

/// The names of published sets.
inline constexpr const char *physical_concepts_profile = "physical-concepts",
                            *intphys_folder_profile = "intphys-folder";
/// What a published data set, or a folder laid out as one, has to learn from, of a split:
/// - IntPhys (intphys_train_clips()), in one of the formats of intphys_format(): every tenth training clip is
///   for validation, the others are for training;
/// - Physical Concepts (PhysicalConceptsVideos), in the format of probe_format(): its freeform videos.
///
/// Throws Error where the folder holds neither, or not that split; the set's clips as read_intphys_clip() and
/// PhysicalConceptsVideos, and for IntPhys where the set asks for more clips than there are.
SceneSet published_scene_set(const std::filesystem::path& folder, Split split);

/// The scene set of generated scenes whose clip sets go under that name; null where there is none, as for the
/// profiles of levels.
const SceneSet* scene_set(const std::string& profile);

}  // namespace startle
