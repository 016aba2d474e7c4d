// Flies a shot at a level in the normal world and where a novelty applies, and says when the two part.
//
//   fly_shot LEVEL NOVELTY DEGREES          for example: fly_shot level.json T2 25
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <startle/level.hpp>
#include <startle/novelty.hpp>
#include <startle/version.hpp>
#include <startle/world.hpp>

/// Whether no body of one is more than a tenth of a unit or a radian away from where it is in the other.
bool look_alike(const startle::Frame& a, const startle::Frame& b) {
  return std::equal(a.bodies.begin(), a.bodies.end(), b.bodies.begin(), b.bodies.end(),
                    [](const startle::BodyState& x, const startle::BodyState& y) {
                      return x.id == y.id && !startle::visibly_apart(x.pose, y.pose, {});
                    });
}

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: fly_shot LEVEL NOVELTY DEGREES\n");
    return 2;
  }
  const startle::StoredLevel level = startle::read_level(argv[1]);
  const startle::Scene normal = startle::settle(startle::make_scene(level, startle::profile()));
  const startle::Scene novel = startle::novel_twin(normal, startle::find_novelty(argv[2], level));
  const startle::Shot shot{.angle = startle::radians(std::atof(argv[3]))};

  const startle::ShotResult a = startle::run_shot(normal, shot, {.record_every = 1});
  const startle::ShotResult b = startle::run_shot(novel, shot, {.record_every = 1});
  std::printf("%s\n", startle::engine_name().c_str());
  std::printf("normal: %d steps, hash %s\n", a.trace.steps, startle::hexadecimal(a.trace.hash).c_str());
  std::printf("novel:  %d steps, hash %s\n", b.trace.steps, startle::hexadecimal(b.trace.hash).c_str());
  if (a.trace.hash == b.trace.hash) {
    std::printf("the novelty changes nothing\n");
    return 0;
  }
  const std::size_t frames = std::min(a.trace.frames.size(), b.trace.frames.size());  // one a step
  std::size_t alike = 0;
  while (alike < frames && look_alike(a.trace.frames[alike], b.trace.frames[alike])) ++alike;
  std::printf("the worlds look different %.2f s after the launch\n",
              static_cast<double>(alike) * a.trace.step_s);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
