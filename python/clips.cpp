/// \file  Clips of shots for the compiled module.
#include <algorithm>
#include <functional>

#include "agents/agent.hpp"
#include "levels/stored_level.hpp"
#include "python/bound.hpp"
#include "render/clip.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

using namespace py::literals;

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
    std::function<Scene(const Scene&)> twin;
    if (what) twin = [&](const Scene& scene) { return novel_twin(scene, *what); };
    cut = cut_shots(level_at_rest(level, profile_name).scene, shots, format, twin);
  }
  py::list result;
  for (const CutShot& one : cut) {
    Array<std::uint8_t> pictures({frames, pixels, pixels, 3});
    std::copy(one.clip.rgb.begin(), one.clip.rgb.end(), pictures.mutable_data());
    result.append(py::dict("level"_a = level.name, "shot"_a = one.number,
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
