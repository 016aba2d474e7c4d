/// \file  What the agents' side of a trial costs, against the simulation of the same shots. Processor time of one thread.
#include <algorithm>
#include <ctime>
#include <filesystem>
#include <iostream>

#include "agents/game.hpp"
#include "agents/messages.hpp"
#include "agents/runner.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// Least processor time of three runs.
template <typename Job>
double least_seconds(const Job& job) {
  double least = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double start = processor_seconds();
    job();
    least = std::min(least, processor_seconds() - start);
  }
  return least;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace startle;
  const std::filesystem::path folder = argc > 1 ? argv[1] : "levels/benchmark/T1/easy";
  std::vector<Level> levels;
  for (const auto& file : find_level_files({folder})) levels.push_back(read_level(file));
  const std::vector<PlayableLevel> playable = playable_levels(levels, profile(), std::nullopt, 1);
  const std::vector<TrialPlan> plans = plan_trials(playable, {});

  std::vector<TrialResult> results(plans.size());
  const double trials = least_seconds([&] {
    for (std::size_t i = 0; i < plans.size(); ++i) results[i] = run_trial({.name = "random", .command = {}}, plans[i], playable, {});
  });
  std::size_t shots = 0;
  const double bare = least_seconds([&] {
    shots = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const TrialPlan::Stage& stage = plans[i].stages.front();
      Scene scene = stage.novel ? playable[stage.level].novel : playable[stage.level].normal;
      for (const PlayedShot& played : results[i].levels.front().shots) {
        scene = run_shot(scene, played.shot).scene;
        ++shots;
      }
    }
  });
  std::size_t bytes = 0;
  std::vector<SeenShot> seen;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const TrialPlan::Stage& stage = plans[i].stages.front();
    Game game(stage.novel ? playable[stage.level].novel : playable[stage.level].normal);
    for (const PlayedShot& played : results[i].levels.front().shots) seen.push_back(game.shoot(played.shot));
  }
  const double messages = least_seconds([&] {
    bytes = 0;
    for (const SeenShot& shot : seen) bytes += act_message(shot.before).size() + report_message(shot).size();
  });
  std::cout << plans.size() << " trials, " << shots << " shots\n"
            << "trials per second: " << static_cast<double>(plans.size()) / trials << "\n"
            << "bare simulation of the same shots over trials of a native agent: " << bare / trials << "\n"
            << "messages to a program: " << 1e3 * messages / static_cast<double>(shots) << " ms a shot, " << bytes / shots
            << " bytes a shot, " << messages / bare << " of the simulation\n";
}
