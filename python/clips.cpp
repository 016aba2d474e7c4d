/// \file  Clips of shots for the compiled module.
#include "core/error.hpp"
#include "levels/stored_level.hpp"
#include "python/bound.hpp"
#include "render/clip.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

using namespace py::literals;

struct CutShot {
  int shot = 1;  ///< from 1
  bool novel = false;
  int first_step = 0;
  Clip clip;
};

/// Shot after shot in the normal world; with a novelty each shot again in the twin of the state it was shot
/// from, seen by the same camera at the same times.
std::vector<CutShot> cut_shots(Scene scene, const std::vector<Shot>& shots,
                               const std::optional<Novelty>& novelty, const ClipFormat& format) {
  if (shots.size() > scene.birds_left())
    throw Error("shots: found " + std::to_string(shots.size()) +
                ", allowed are as many as there are birds, " + std::to_string(scene.birds_left()));
  std::vector<CutShot> cut;
  for (std::size_t i = 0; i < shots.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    ShotClip normal = make_clip(scene, shots[i], format);
    cut.push_back({number, false, normal.cut.first_step, std::move(normal.clip)});
    if (novelty)
      cut.push_back({number, true, normal.cut.first_step,
                     make_clip(novel_twin(scene, *novelty), shots[i], format, normal.cut).clip});
    if (i + 1 < shots.size()) scene = run_shot(scene, shots[i]).scene;
  }
  return cut;
}

py::list clips(const StoredLevel& level, const Array<double>& rows, const std::optional<std::string>& novelty,
               int frames, int pixels, int stride, int lead, double view, const std::string& profile_name) {
  const std::vector<Shot> shots = shots_of(rows);
  for (const Shot& shot : shots) check(shot);
  const ClipFormat format{.frames = frames, .pixels = pixels, .stride = stride, .lead = lead, .view = view};
  require_valid(format);
  const std::optional<Novelty> what = novelty ? std::optional(find_novelty(*novelty, level)) : std::nullopt;
  std::vector<CutShot> cut;
  {
    const py::gil_scoped_release release;
    cut = cut_shots(level_at_rest(level, profile_name).scene, shots, what, format);
  }
  py::list result;
  for (const CutShot& one : cut) {
    Array<std::uint8_t> pictures({frames, pixels, pixels, 3});
    std::copy(one.clip.rgb.begin(), one.clip.rgb.end(), pictures.mutable_data());
    result.append(py::dict("level"_a = level.name, "shot"_a = one.shot,
                           "world"_a = one.novel ? what->name : "normal", "first_step"_a = one.first_step,
                           "stride"_a = stride, "frames"_a = pictures));
  }
  return result;
}

}  // namespace

void add_clips(py::module_& module) {
  module.def("clips", clips, "level"_a, "shots"_a, "novelty"_a, "frames"_a, "pixels"_a, "stride"_a, "lead"_a,
             "view"_a, "profile"_a);
}

}  // namespace startle
