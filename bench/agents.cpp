/// \file  What the agents' side of a trial costs, against the simulation of the same shots: processor time of
/// one thread; and what talking to a program by JSON lines adds to an action: processor time of both
/// processes. Run as `bench_agents program`, it is that program; as `bench_agents ready`, one that plays each
/// trial in a fork. `bench_agents LEVELS COMMAND` takes another program in place of that one.
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <string>

#include "agents/game.hpp"
#include "agents/programs/messages.hpp"
#include "agents/programs/process.hpp"
#include "agents/programs/program_agent.hpp"
#include "agents/programs/serve.hpp"
#include "agents/trials/runner.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"

namespace {

double processor_seconds(int who) {
  double seconds = 0;
  rusage use{};
  getrusage(who, &use);
  for (const timeval& time : {use.ru_utime, use.ru_stime})
    seconds += static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  return seconds;
}

/// Of this process and of the programs that it started and that have ended.
double processor_seconds() { return processor_seconds(RUSAGE_SELF) + processor_seconds(RUSAGE_CHILDREN); }

/// Least time of three runs.
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

/// An agent that answers at once, without reading what it is given.
int answer_lines() {
  std::ios::sync_with_stdio(false);
  for (std::string line; std::getline(std::cin, line);) {
    if (line.starts_with(R"({"type":"act")")) std::cout << R"({"type":"shot","angle":0.5})" << std::endl;
    if (line.starts_with(R"({"type":"report")")) std::cout << R"({"type":"report","novelty":0})" << std::endl;
  }
  return 0;
}

/// The same, which reads what it is given, and plays each trial in a fork.
class Fixed : public startle::Agent {
 public:
  startle::Shot act(const startle::ObservationSource&) override { return {.angle = 0.5}; }
  startle::Report report(const startle::SeenShot&, const startle::ObservationSource&) override { return {}; }
};

}  // namespace

int main(int argc, char** argv) {
  using namespace startle;
  if (argc > 1 && std::string(argv[1]) == "program") return answer_lines();
  if (argc > 1 && std::string(argv[1]) == "ready") {
    Fixed agent;
    serve_trials(agent, *profile());
    return 0;
  }
  const std::filesystem::path folder = argc > 1 ? argv[1] : "levels/benchmark/T1/easy";
  std::vector<StoredLevel> levels;
  for (const auto& file : find_level_files({folder})) levels.push_back(read_level(file));
  const std::vector<PlayableLevel> playable = playable_levels(levels, profile(), std::nullopt, 1);
  const std::vector<TrialPlan> plans = plan_trials(playable, {});

  std::vector<TrialResult> results(plans.size());
  const auto play_trials = [&] {
    for (std::size_t i = 0; i < plans.size(); ++i)
      results[i] = run_trial({.name = "random", .command = {}}, plans[i], playable, {});
  };
  std::size_t shots = 0;
  const auto fly_shots = [&] {
    shots = 0;
    for (std::size_t i = 0; i < plans.size(); ++i) {
      const TrialPlan::PlannedLevel& planned = plans[i].levels.front();
      Scene scene = planned.novel ? playable[planned.level].novel : playable[planned.level].normal;
      for (const PlayedShot& played : results[i].levels.front().shots) {
        scene = run_shot(scene, played.shot).scene;
        ++shots;
      }
    }
  };
  double trials = 1e300, bare = 1e300;
  for (int round = 0; round < 3; ++round) {  // in turns: what else the machine does changes with time
    trials = std::min(trials, least_seconds(play_trials));
    bare = std::min(bare, least_seconds(fly_shots));
  }
  std::size_t bytes = 0;
  std::vector<SeenShot> seen;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const TrialPlan::PlannedLevel& planned = plans[i].levels.front();
    Game game(planned.novel ? playable[planned.level].novel : playable[planned.level].normal);
    for (const PlayedShot& played : results[i].levels.front().shots) seen.push_back(game.shoot(played.shot));
  }
  const double messages = least_seconds([&] {
    bytes = 0;
    for (const SeenShot& shot : seen) bytes += act_message(shot.before).size() + report_message(shot).size();
  });
  std::vector<std::pair<std::string, std::string>> lines;
  for (const SeenShot& shot : seen) lines.emplace_back(act_message(shot.before), report_message(shot));
  const double reading = least_seconds([&] {
    for (std::size_t i = 0; i < seen.size(); ++i)
      parse_report_request(lines[i].second, parse_act(lines[i].first, *profile()), *profile());
  });
  const std::string command = "'" + std::filesystem::read_symlink("/proc/self/exe").string() + "' program";
  const double exchange = least_seconds([&] {
    AgentProcess process(command, {.action_s = 60, .trial_s = 1e6, .output_mb = 1024});
    for (const SeenShot& shot : seen) {
      process.start_clock();
      process.ask(act_message(shot.before));
      parse_action(process.read_line(), shot.before);
      process.ask(report_message(shot));
      parse_report(process.read_line());
    }
    process.finish(end_message(), 60);
  });
  constexpr int starts = 50;
  const double start = least_seconds([&] {
    for (int i = 0; i < starts; ++i) {
      AgentProcess process(command, {.action_s = 60});
      process.start_clock();
      process.ask(act_message(seen.front().before));
      process.read_line();
      process.finish(end_message(), 60);
    }
  });
  // What forks take is counted when the program that made them has ended. In turns, as above.
  const std::string ready = argc > 2
                                ? argv[2]
                                : "'" + std::filesystem::read_symlink("/proc/self/exe").string() + "' ready";
  const auto play_by_program = [&] {
    ReadyPrograms programs;
    for (std::size_t i = 0; i < plans.size(); ++i)
      results[i] = run_trial({.name = "ready", .command = ready}, plans[i], playable, {}, &programs);
  };
  double by_program = 1e300, by_runner = 1e300, by_itself = 1e300;
  for (int round = 0; round < 3; ++round) {
    const double runner_before = processor_seconds(RUSAGE_SELF), all_before = processor_seconds();
    play_by_program();
    by_runner = std::min(by_runner, processor_seconds(RUSAGE_SELF) - runner_before);
    by_program = std::min(by_program, processor_seconds() - all_before);
    const double itself_before = processor_seconds();
    fly_shots();
    by_itself = std::min(by_itself, processor_seconds() - itself_before);
  }
  const auto shots_by_program = static_cast<double>(shots);  // its own: another program shoots otherwise
  std::cout << plans.size() << " trials, " << seen.size() << " shots\n"
            << "trials per second: " << static_cast<double>(plans.size()) / trials << "\n"
            << "bare simulation of the same shots over trials of a native agent: " << bare / trials << "\n"
            << "messages to a program: " << 1e3 * messages / static_cast<double>(seen.size())
            << " ms a shot, " << bytes / seen.size() << " bytes a shot, " << messages / bare
            << " of the simulation\n"
            << "reading them: " << 1e3 * reading / static_cast<double>(seen.size()) << " ms a shot, "
            << reading / bare << " of the simulation\n"
            << "exchange with a program that answers at once: "
            << 1e3 * exchange / static_cast<double>(seen.size()) << " ms a shot, both processes, "
            << exchange / bare << " of the simulation\n"
            << "start and end of a program: " << 1e3 * start / starts << " ms a trial, both processes\n"
            << "bare simulation of the same shots over trials of a program that forks for each: "
            << by_itself / by_program << ", all processes; " << by_itself / by_runner
            << ", the runner's alone; " << 1e3 * (by_program - by_itself) / shots_by_program
            << " ms a shot besides\n";
}
