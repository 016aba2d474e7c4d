/// \file  Why a novel world starts at the places of the normal one and is not settled again under the changed
/// parameters (simulated/twin.hpp).
///
/// Every shot at a target is flown in the normal world and in a second one in which *no* parameter is
/// changed: once left as it is, once settled again. Shots after which some object visibly differs owe it to
/// the places alone. Then the level is settled under each novelty of the catalogue: how far does anything
/// move without a shot?
///
/// Usage: bench_resettling [levels] [seed]      (default: 14 levels, seed 2; families by turns, as in startle
/// validate)
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/generators.hpp"
#include "sim/world.hpp"
#include "simulated/simulated_difficulty.hpp"

using namespace startle;

namespace {

struct Differing {
  std::size_t shots = 0, shots_differing = 0;
  std::size_t moved = 0, moved_differing = 0;  ///< objects that moved in the first world

  void add(const Scene& scene, const NormalShot& first, const NormalShot& second) {
    const VisibleDifference least;
    bool any = false;
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      const ObjectTrack &a = first.tracks[i], &b = second.tracks[i];
      const auto pose = [&](const ObjectTrack& track, std::size_t step) {
        return track.poses.empty() ? scene.objects[i].pose
                                   : track.poses[std::min(step, track.poses.size() - 1)];
      };
      bool differs = a.destroyed != b.destroyed;
      int apart = 0;
      for (std::size_t step = 0; !differs && step < std::max(a.poses.size(), b.poses.size()); ++step) {
        apart = visibly_apart(pose(a, step), pose(b, step), least) ? apart + 1 : 0;
        differs = apart == least.hold_steps;
      }
      any = any || differs;
      moved += first.motions[i].moved;
      moved_differing += first.motions[i].moved && differs;
    }
    ++shots;
    shots_differing += any;
  }
  Differing& operator+=(const Differing& other) {
    shots += other.shots;
    shots_differing += other.shots_differing;
    moved += other.moved;
    moved_differing += other.moved_differing;
    return *this;
  }
  void print(const char* what) const {
    const auto percent = [](std::size_t part, std::size_t all) {
      return all > 0 ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0.0;
    };
    std::printf("%-24s %5zu of %5zu shots differ (%.1f %%), %6zu of %6zu moved objects (%.1f %%)\n", what,
                shots_differing, shots, percent(shots_differing, shots), moved_differing, moved,
                percent(moved_differing, moved));
  }
};

/// Let go once more, at the same places, until it rests.
Scene settled_again(Scene scene) {
  scene.rest_mark = 0;
  return settle(scene);
}

struct Found {
  Differing left, settled;
  double shift = 0;  ///< world units, the farthest that a novelty moves anything without a shot
};

Found measure(const Scene& scene) {
  Found found;
  const Scene again = settled_again(scene);
  const FlownStates states(scene);
  for (const FlownTarget& target : states.first()->targets) {
    for (const NormalShot& shot : target.shots) {
      found.left.add(scene, shot, fly_normal(scene, shot.shot));
      found.settled.add(scene, shot, fly_normal(again, shot.shot));
    }
  }
  for (const Novelty& novelty : novelty_catalogue()) {
    Scene novel = scene;
    if (apply(novelty, novel) == 0) continue;
    novel = settled_again(std::move(novel));
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
      found.shift = std::max(found.shift,
                             length(novel.objects[i].pose.position - scene.objects[i].pose.position));
  }
  return found;
}

}  // namespace

int main(int count, char** arguments) try {
  const auto levels = static_cast<std::size_t>(count > 1 ? std::atoi(arguments[1]) : 14);
  const auto seed = static_cast<std::uint64_t>(count > 2 ? std::atoll(arguments[2]) : 2);
  const std::vector<GeneratorInfo>& families = generator_families();
  std::vector<Found> of_levels(levels);
  parallel_for(levels, 0, [&](std::size_t i) {
    of_levels[i] = measure(settle(make_scene(
        generate_level(families[i % families.size()], seed, i / families.size(), profile()), profile())));
  });
  Found sum;
  for (const Found& found : of_levels) {
    sum.left += found.left;
    sum.settled += found.settled;
    sum.shift = std::max(sum.shift, found.shift);
  }
  std::printf("%zu levels, seed %llu, no parameter changed:\n", levels,
              static_cast<unsigned long long>(seed));
  sum.left.print("left as it is");
  sum.settled.print("settled again");
  std::printf(
      "farthest that a novelty of the catalogue moves anything when the level is settled again: %.4f world "
      "units\n",
      sum.shift);
} catch (const Error& error) {
  std::fprintf(stderr, "bench_resettling: %s\n", error.what());
  return 2;
}
