/// \file  What the agents' side of a trial costs, against the simulation of the same shots: processor time of one thread; and what talking to a
/// program by JSON lines adds to an action: wall-clock time, as two processes take turns. Run as `bench_agents program`, it is that program.
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <string>

#include "agents/game.hpp"
#include "agents/messages.hpp"
#include "agents/process.hpp"
#include "agents/runner.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"

namespace {

double processor_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double wall_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Least time of three runs.
template <typename Job>
double least_seconds(const Job& job, double (*clock)() = processor_seconds) {
  double least = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const double start = clock();
    job();
    least = std::min(least, clock() - start);
  }
  return least;
}

/// An agent that answers at once, without reading what it is told.
int answer_lines() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    if (line.starts_with(R"({"type":"act")")) std::cout << R"({"type":"shot","angle":0.5})" << std::endl;
    if (line.starts_with(R"({"type":"report")")) std::cout << R"({"type":"report","novelty":0})" << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace startle;
  if (argc > 1 && std::string(argv[1]) == "program") return answer_lines();
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
  const std::string command = "'" + std::filesystem::read_symlink("/proc/self/exe").string() + "' program";
  const double exchange = least_seconds(
      [&] {
        ChildProcess process(command, {.trial_s = 1e6, .output_mb = 1024});
        for (const SeenShot& shot : seen) {
          process.start_clock();
          process.write_line(act_message(shot.before));
          parse_action(process.read_line(), shot.before);
          process.write_line(report_message(shot));
          parse_report(process.read_line());
        }
        process.finish(end_message());
      },
      wall_seconds);
  constexpr int starts = 50;
  const double start = least_seconds(
      [&] {
        for (int i = 0; i < starts; ++i) {
          ChildProcess process(command, {});
          process.start_clock();
          process.write_line(act_message(seen.front().before));
          process.read_line();
          process.finish(end_message());
        }
      },
      wall_seconds);
  std::cout << plans.size() << " trials, " << shots << " shots\n"
            << "trials per second: " << static_cast<double>(plans.size()) / trials << "\n"
            << "bare simulation of the same shots over trials of a native agent: " << bare / trials << "\n"
            << "messages to a program: " << 1e3 * messages / static_cast<double>(shots) << " ms a shot, " << bytes / shots
            << " bytes a shot, " << messages / bare << " of the simulation\n"
            << "exchange with a program that answers at once: " << 1e3 * exchange / static_cast<double>(shots) << " ms a shot, wall clock, "
            << exchange / bare << " of the simulation\n"
            << "start and end of a program: " << 1e3 * start / starts << " ms a trial, wall clock\n";
}
