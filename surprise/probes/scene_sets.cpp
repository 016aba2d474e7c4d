#include "surprise/probes/scene_sets.hpp"

#include "core/error.hpp"
#include "core/random.hpp"
#include "surprise/probes/intphys/folder.hpp"
#include "surprise/probes/intphys/scene.hpp"
#include "surprise/probes/physical_concepts.hpp"
#include "surprise/probes/training_scenes.hpp"

namespace startle {
namespace {

/// Of a scene set's own stream of random numbers.
Random scene_random(const char* profile, const DatasetInfo& settings, std::uint64_t number) {
  return Random(
      stream_seed(settings.seed, std::string("surprise/") + profile + "/" + name(settings.split), number));
}

MadeClip made_clip(const DatasetInfo& settings, std::uint64_t number, const std::string& kind, Vec2 centre,
                   Clip clip) {
  if (!settings.masks) clip.masks.clear();
  return {.origin = {.family = kind,
                     .level = number,
                     .shot = {},
                     .cut = {.view = {.centre = centre, .width = probe_view}}},
          .clip = std::move(clip)};
}

constexpr Vec2 probe_centre{probe_view / 2, probe_view / 2};

/// Still scenes have little to teach: one clip in so many.
MadeClip probe_clip(const DatasetInfo& settings, std::uint64_t number) {
  constexpr std::uint64_t still_every = 20;
  Random random = scene_random(probe_profile, settings, number);
  std::string kind = "still";
  if (number % still_every != 0)
    while (kind == "still") kind = random.choice(event_kinds());
  return made_clip(settings, number, kind, probe_centre, record(event_scene(kind, random)));
}

MadeClip freeform_clip(const DatasetInfo& settings, std::uint64_t number) {
  Random random = scene_random(freeform_profile, settings, number);
  return made_clip(settings, number, "freeform", probe_centre, record(freeform_scene(random)));
}

/// Still scenes have little to teach here, too, but for what screens hide.
MadeClip intphys_clip(const DatasetInfo& settings, std::uint64_t number) {
  Random random = scene_random(intphys_profile, settings, number);
  const std::string kind = random.choice(intphys_kinds());
  return made_clip(settings, number, kind, {},
                   record(intphys_freeform(kind, settings.format, random), settings.format).clip);
}

void require_probe_format(const DatasetInfo& settings) {
  if (!(settings.format == probe_format()))
    throw Error(
        "clip set: scenes of probes: found another format of clips, allowed is that of probe_format()");
}

void require_intphys_format(const DatasetInfo& settings) {
  const ClipFormat& format = settings.format;
  if (!(format == intphys_format(format.frames, format.pixels)))
    throw Error(
        "clip set: scenes of IntPhys: found another format of clips, allowed are those of intphys_format()");
}

SceneSet intphys_folder_scene_set(const std::filesystem::path& folder,
                                  std::vector<std::filesystem::path> clips, Split split) {
  constexpr std::size_t validation_every = 10;
  if (split == Split::test)
    throw Error(folder.string() +
                ": found training clips of IntPhys, which are for --split train and validation");
  std::vector<std::filesystem::path> kept;
  for (std::size_t i = 0; i < clips.size(); ++i)
    if ((i % validation_every == validation_every - 1) == (split == Split::validation))
      kept.push_back(clips[i]);
  return {.profile = intphys_folder_profile,
          .require_valid =
              [folder, most = kept.size()](const DatasetInfo& settings) {
                require_intphys_format(settings);
                if (settings.count > most)
                  throw Error(folder.string() + ": found " + std::to_string(most) + " clips for --split " +
                              name(settings.split) + ", asked for are " + std::to_string(settings.count));
              },
          .clip =
              [kept](const DatasetInfo& settings, std::uint64_t number) {
                const Clip clip = read_intphys_clip(kept[number], settings.format.frames,
                                                    settings.format.pixels, settings.masks);
                return made_clip(settings, number, "train", {}, clip);
              }};
}

}  // namespace

const SceneSet& probe_scene_set() {
  static const SceneSet set{probe_profile, require_probe_format, probe_clip};
  return set;
}

const SceneSet& freeform_scene_set() {
  static const SceneSet set{freeform_profile, require_probe_format, freeform_clip};
  return set;
}

const SceneSet& intphys_scene_set() {
  static const SceneSet set{intphys_profile, require_intphys_format, intphys_clip};
  return set;
}

SceneSet published_scene_set(const std::filesystem::path& folder, Split split) {
  std::vector<std::filesystem::path> clips = intphys_train_clips(folder);
  if (!clips.empty()) return intphys_folder_scene_set(folder, std::move(clips), split);
  const auto videos = std::make_shared<PhysicalConceptsVideos>(folder, split);
  return {.profile = physical_concepts_profile,
          .require_valid = require_probe_format,
          .clip =
              [videos](const DatasetInfo& settings, std::uint64_t number) {
                return made_clip(settings, number, "freeform", probe_centre, videos->clip(number));
              },
          .in_order = true};
}

const SceneSet* scene_set(const std::string& profile) {
  for (const SceneSet* set : {&probe_scene_set(), &freeform_scene_set(), &intphys_scene_set()})
    if (set->profile == profile) return set;
  return nullptr;
}

}  // namespace startle
