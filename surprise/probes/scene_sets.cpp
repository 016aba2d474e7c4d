#include "surprise/probes/scene_sets.hpp"

#include "core/error.hpp"
#include "core/random.hpp"
#include "surprise/probes/intphys/scene.hpp"
#include "surprise/probes/probe_scene.hpp"

namespace startle {
namespace {

/// One clip of the scene set of probes. Still scenes have little to teach: one clip in so many.
MadeClip probe_clip(const DatasetInfo& settings, std::uint64_t number) {
  constexpr std::uint64_t still_every = 20;
  Random random(stream_seed(settings.seed, std::string("surprise/probes/") + name(settings.split), number));
  std::string kind = "still";
  if (number % still_every != 0)
    while (kind == "still") kind = random.choice(freeform_kinds());
  MadeClip made{
      .origin = {.family = kind,
                 .level = number,
                 .shot = {},
                 .cut = {.view = {.centre = {probe_view / 2, probe_view / 2}, .width = probe_view}}},
      .clip = record(freeform_scene(kind, random))};
  if (!settings.masks) made.clip.masks.clear();
  return made;
}

/// One clip of the scene set of IntPhys. Still scenes have little to teach here, too, but for what screens
/// hide.
MadeClip intphys_clip(const DatasetInfo& settings, std::uint64_t number) {
  Random random(stream_seed(settings.seed, std::string("surprise/intphys/") + name(settings.split), number));
  const std::string kind = random.choice(intphys_kinds());
  MadeClip made{.origin = {.family = kind,
                           .level = number,
                           .shot = {},
                           .cut = {.view = {.centre = {0, 0}, .width = probe_view}}},
                .clip = record(intphys_freeform(kind, settings.format, random), settings.format).clip};
  if (!settings.masks) made.clip.masks.clear();
  return made;
}

void require_probe_format(const ClipFormat& format) {
  if (!(format == probe_format()))
    throw Error(
        "clip set: scenes of probes: found another format of clips, allowed is that of probe_format()");
}

void require_intphys_format(const ClipFormat& format) {
  if (!(format == intphys_format(format.frames, format.pixels)))
    throw Error(
        "clip set: scenes of IntPhys: found another format of clips, allowed are those of intphys_format()");
}

}  // namespace

const SceneSet& probe_scene_set() {
  static const SceneSet set{probe_profile, require_probe_format, probe_clip};
  return set;
}

const SceneSet& intphys_scene_set() {
  static const SceneSet set{intphys_profile, require_intphys_format, intphys_clip};
  return set;
}

const SceneSet* scene_set(const std::string& profile) {
  for (const SceneSet* set : {&probe_scene_set(), &intphys_scene_set()})
    if (set->profile == profile) return set;
  return nullptr;
}

}  // namespace startle
