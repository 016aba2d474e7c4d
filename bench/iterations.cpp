// How many solver iterations are enough? Plays the same shots at the same structures with different counts
// and compares each outcome with that of 100/100, the original's.
//
//   bench_iterations [structures per family, default 12 [profile, default startle]]
//   STARTLE_LEVELS=<folder>  plays the level files below that folder too
//
// The row "100/100 + 1e-6 rad" is the floor: the same counts and a shot turned by a millionth of a radian.
// Shots into structures are chaotic, so single outcomes differ from those of 100/100 with any change; counts
// are good enough when they agree as well as that row does, and when the means show no bias.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/error.hpp"
#include "core/random.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"

namespace {

using namespace startle;

struct Case {
  Scene scene;
  std::vector<Shot> shots;
};

std::shared_ptr<const Profile> with_iterations(const Profile& profile, int velocity, int position) {
  auto changed = std::make_shared<Profile>(profile);
  changed->velocity_iterations = velocity;
  changed->position_iterations = position;
  return changed;
}

std::vector<Case> make_cases(int per_family, const std::shared_ptr<const Profile>& chosen) {
  std::vector<Level> levels;
  for (const GeneratorInfo& family : generator_families()) {
    Random random(stream_seed(1, "bench/iterations/" + family.name));
    for (int i = 0; i < per_family; ++i) levels.push_back(generate_candidate(family, *chosen, random));
  }
  if (const char* folder = std::getenv("STARTLE_LEVELS"))
    for (const auto& file : find_level_files({folder})) try {
        levels.push_back(read_level(file));
      } catch (const Error& error) {
        std::fprintf(stderr, "left out: %s\n", error.what());
      }
  std::vector<Case> cases;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].birds.empty()) continue;
    Case c{make_scene(levels[i], chosen), {}};
    Random random(stream_seed(2, "bench/iterations/shots", i));
    const bool left = levels[i].slingshot.x > 5;
    for (int k = 0; k < 5; ++k) {
      const double angle = random.uniform(-0.1, 1.2);
      c.shots.push_back({.angle = left ? radians(180) - angle : angle, .tap_time = random.uniform(0.6, 1.4)});
    }
    cases.push_back(std::move(c));
  }
  return cases;
}

struct Outcome {
  double settle_shift = 0;
  int pigs = 0, blocks = 0;
  std::vector<Vec2> places;  ///< of the objects that live on
  std::vector<bool> alive;
};

struct Row {
  std::vector<Outcome> outcomes;  ///< a case's shots one after the other
  double milliseconds = 0;        ///< per shot
};

Row play_all(const std::vector<Case>& cases, int velocity, int position, double turn) {
  Row row;
  for (const Case& c : cases) {
    Scene scene = c.scene;
    scene.profile = with_iterations(*c.scene.profile, velocity, position);
    const SettleResult settled = settle_scene(scene);
    for (Shot shot : c.shots) {
      shot.angle += turn;
      const auto start = std::chrono::steady_clock::now();
      const ShotResult result = run_shot(settled.scene, shot);
      row.milliseconds +=
          std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
      Outcome outcome{settled.shift, result.trace.pigs_killed, result.trace.blocks_destroyed, {}, {}};
      for (const SceneObject& object : result.scene.objects) {
        outcome.places.push_back(object.pose.position);
        outcome.alive.push_back(object.alive);
      }
      row.outcomes.push_back(std::move(outcome));
    }
  }
  row.milliseconds /= static_cast<double>(row.outcomes.size());
  return row;
}

void print(const char* label, const Row& row, const Row& reference) {
  const double n = static_cast<double>(row.outcomes.size());
  double shift = 0, shift_change = 0, pigs = 0, blocks = 0, same_pigs = 0, same_blocks = 0;
  std::vector<double> moved;  // mean distance of an outcome's objects from their places in the reference
  for (std::size_t i = 0; i < row.outcomes.size(); ++i) {
    const Outcome& a = row.outcomes[i];
    const Outcome& b = reference.outcomes[i];
    shift += a.settle_shift;
    shift_change = std::max(shift_change, std::fabs(a.settle_shift - b.settle_shift));
    pigs += a.pigs;
    blocks += a.blocks;
    same_pigs += a.pigs == b.pigs;
    same_blocks += a.blocks == b.blocks;
    double sum = 0;
    int both = 0;
    for (std::size_t k = 0; k < a.places.size(); ++k)
      if (a.alive[k] && b.alive[k]) {
        sum += length(a.places[k] - b.places[k]);
        ++both;
      }
    if (both > 0) moved.push_back(sum / both);
  }
  std::sort(moved.begin(), moved.end());
  double mean_moved = 0;
  for (const double m : moved) mean_moved += m / static_cast<double>(moved.size());
  std::printf("%-20s %8.2f %8.4f %8.3f %8.3f %8.3f %9.1f %9.1f %9.4f %9.4f\n", label, row.milliseconds,
              shift / n, shift_change, pigs / n, blocks / n, 100 * same_pigs / n, 100 * same_blocks / n,
              moved[moved.size() / 2], mean_moved);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<Case> cases = make_cases(argc > 1 ? std::atoi(argv[1]) : 12,
                                             profile(argc > 2 ? argv[2] : "startle"));
  const Row reference = play_all(cases, 100, 100, 0);
  std::printf("%zu structures, %zu shots\n", cases.size(), reference.outcomes.size());
  std::printf(
      "velocity/position     ms/shot   settle  settle    pigs   blocks  same pigs same bl. median    mean\n");
  std::printf(
      "                                shift   max diff  killed destr.  %%         %%        moved     "
      "moved\n");
  print("100/100", reference, reference);
  print("100/100 + 1e-6 rad", play_all(cases, 100, 100, 1e-6), reference);
  constexpr int counts[][2] = {{60, 60}, {100, 20}, {60, 20}, {40, 20}, {30, 20}, {30, 15},
                               {24, 16}, {20, 20},  {20, 10}, {16, 16}, {12, 6},  {8, 3}};
  for (const auto& [velocity, position] : counts) {
    char label[32];
    std::snprintf(label, sizeof label, "%d/%d", velocity, position);
    print(label, play_all(cases, velocity, position, 0), reference);
  }
}
