// How well, and how fast, are places read off videos? Shots in the normal world at generated levels of all
// families, each recorded and read.
//
//   bench_video_tracking [levels a family, default 2]
//
// Of all bodies that can move and are wholly in the picture: the share not found, and found over a pixel
// away. Of those that move: by how many pixels they are found away, beside it what one is away who says that
// a body goes on as in the two pictures before; by how much speeds from picture to picture are wrong, m/s.
// And milliseconds of processor time a picture, painting and reading.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "levels/generators.hpp"
#include "sim/world.hpp"
#include "surprise/dynamics/video_tracker.hpp"

namespace {

using namespace startle;

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

const Pose* pose_of(const Trace& trace, std::size_t frame, BodyId id) {
  for (const BodyState& state : trace.frames[frame].bodies)
    if (state.id == id) return &state.pose;
  return nullptr;
}

struct Figures {
  std::size_t shots = 0, frames = 0, bodies = 0, missed = 0, astray = 0;
  std::vector<double> errors, going_on, speeds;  // of what moves
  double painting = 0, observation = 0;          // s
};

void record_and_track(const Scene& scene, const Shot& shot, Figures& f) {
  const int every = 2;
  const Trace happened = run_shot(scene, shot, {.record_every = every}).trace;
  const VideoCamera camera = video_camera(scene);
  const double pixel = camera.view.width / camera.width, seconds = every * happened.step_s;
  Trace silent = happened;
  silent.events.clear();
  FramePainter painter(scene, silent, Style::people);
  VideoTracker reader(scene, shot, camera, every);
  Bitmap picture(camera.width, camera.height);
  for (const Frame& frame : happened.frames) {
    const double start = processor_seconds();
    painter.paint(frame, camera.view, picture);
    const double painted = processor_seconds();
    reader.frame(picture);
    f.painting += painted - start, f.observation += processor_seconds() - painted;
  }
  const Trace seen = reader.trace();
  ++f.shots;
  f.frames += happened.frames.size();
  for (std::size_t k = 0; k < happened.frames.size(); ++k)
    for (const BodyState& state : happened.frames[k].bodies) {
      const auto id = static_cast<std::size_t>(state.id);
      if (id > scene.objects.size() || (id < scene.objects.size() && scene.objects[id].is_static()))
        continue;  // what came out of a bird is left out: who is who is anybody's guess
      const Shape& shape = id < scene.objects.size() ? *scene.objects[id].shape : *scene.bird().shape;
      const auto centre = [&](const Pose& pose) { return transformed(shape.centroid, pose); };
      const Vec2 at = centre(state.pose), off = at - camera.view.centre;
      if (std::fabs(off.x) > 0.5 * camera.view.width - 0.6 ||
          std::fabs(off.y) > 0.5 * pixel * camera.height - 0.6)
        continue;
      ++f.bodies;
      const Pose* read = pose_of(seen, k, state.id);
      if (!read) {
        ++f.missed;
        continue;
      }
      const double error = length(centre(*read) - at) / pixel;
      f.astray += error > 1;
      const Pose* last = k > 1 ? pose_of(happened, k - 1, state.id) : nullptr;
      const Pose* before = k > 1 ? pose_of(happened, k - 2, state.id) : nullptr;
      const Pose* read_last = k > 1 ? pose_of(seen, k - 1, state.id) : nullptr;
      if (!last || !before || !read_last || length(at - centre(*last)) < 0.05 * seconds) continue;
      f.errors.push_back(error);
      f.going_on.push_back(length(at - centre(*last) - (centre(*last) - centre(*before))) / pixel);
      f.speeds.push_back(length((centre(*read) - centre(*read_last)) - (at - centre(*last))) / seconds);
    }
}

void print(const char* what, std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  std::printf("%-38s", what);
  for (const double share : {0.5, 0.75, 0.9, 0.95, 0.99})
    std::printf(" %8.4f",
                values.empty()
                    ? 0
                    : values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]);
  std::printf("\n");
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const auto levels = static_cast<std::size_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2);
    const auto constants = profile();
    Figures f;
    Random random(7);
    for (const GeneratorInfo& family : generator_families())
      for (std::size_t i = 0; i < levels; ++i) {
        const Scene scene = settle(make_scene(generate_level(family, 7, i, constants), constants));
        for (int shot = 0; shot < 2; ++shot) record_and_track(scene, {.angle = random.uniform(0, 1.3)}, f);
      }
    std::printf("%zu shots, %zu pictures; bodies in them %zu, not found %.4f, over a pixel away %.4f\n",
                f.shots, f.frames, f.bodies, static_cast<double>(f.missed) / static_cast<double>(f.bodies),
                static_cast<double>(f.astray) / static_cast<double>(f.bodies));
    std::printf("%-38s %8s %8s %8s %8s %8s\n", "of what moves, quantiles", "50 %", "75 %", "90 %", "95 %",
                "99 %");
    print("found away, pixels", f.errors);
    print("going on as before is away, pixels", f.going_on);
    print("speed wrong, m/s", f.speeds);
    std::printf("milliseconds a picture: painting %.2f, reading %.2f\n",
                1e3 * f.painting / static_cast<double>(f.frames),
                1e3 * f.observation / static_cast<double>(f.frames));
  } catch (const Error& error) {
    std::fprintf(stderr, "bench_video_tracking: %s\n", error.what());
    return 1;
  }
  return 0;
}
