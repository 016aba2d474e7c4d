/// \file  10,000 trials by eight programs at a time that fork for each: whether memory and descriptors of the
/// runner and memory of the programs grow, and throughput beside bare simulation of the same shots. Run as
/// `bench_endurance program`, it is that program.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "agents/programs/serve.hpp"
#include "agents/trials/runner.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"

namespace {

double processor_seconds(int who) {
  rusage use{};
  getrusage(who, &use);
  return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}

/// Memory of a process that is really there, MiB.
double resident_mb(const std::string& process = "self") {
  std::ifstream file("/proc/" + process + "/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
}

long descriptors() { return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}); }

/// Of the programs that this process has started. Their forks are theirs.
double programs_mb() {
  double sum = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream list(thread.path() / "children");
    for (std::string child; list >> child;) sum += resident_mb(child);
  }
  return sum;
}

/// Answers at once, with angles that begin at the place of its fork among all: shots differ.
class Varied : public startle::Agent {
 public:
  void begin(const startle::Briefing&) override { shots_ = getpid() % 60; }
  startle::Shot act(const startle::ObservationSource&) override {
    return {.angle = 0.1 + 0.01 * (shots_++ % 60)};
  }
  startle::Report report(const startle::SeenShot&, const startle::ObservationSource&) override { return {}; }

 private:
  int shots_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  using namespace startle;
  if (argc > 1 && std::string(argv[1]) == "program") {
    Varied agent;
    serve_trials(agent, *profile());
    return 0;
  }
  const std::filesystem::path folder = argc > 1 ? argv[1] : "levels/benchmark/T1/easy";
  const std::size_t wanted = argc > 2 ? std::stoul(argv[2]) : 10000;
  std::vector<StoredLevel> levels;
  for (const auto& file : find_level_files({folder})) levels.push_back(read_level(file));
  const std::vector<PlayableLevel> playable = playable_levels(levels, profile(), std::nullopt, 0);

  const std::filesystem::path out = std::filesystem::temp_directory_path() /
                                    ("startle-endurance-" + std::to_string(getpid()));
  std::filesystem::create_directory(out);
  const std::string command = "'" + std::filesystem::read_symlink("/proc/self/exe").string() + "' program";
  const RunOptions how{
      .agents = {"mine=" + command},
      .program = "bench",
      .plan = {.trials = static_cast<int>((wanted + 2 * levels.size() - 1) / (2 * levels.size()))},
      .trial = {.limits = {.action_s = 60, .trial_s = 600}},
      .threads = 8};
  std::size_t done = 0, failed = 0, next = 1;
  std::printf("trials  seconds  resident, MiB  programs, MiB  descriptors\n");
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double runner_before = processor_seconds(RUSAGE_SELF),
               programs_before = processor_seconds(RUSAGE_CHILDREN);
  const auto progress = [&](const TrialResult& trial) {
    failed += trial.status != Status::ok;
    if (++done != next) return;
    std::printf("%6zu  %7.1f  %13.1f  %13.1f  %11ld\n", done, seconds(), resident_mb(), programs_mb(),
                descriptors());
    std::fflush(stdout);
    next = next < 100 ? 100 : next < 1000 ? 1000 : next + 1000;
  };
  run_agents(playable, profile(), how, out / "results.sqlite", {.progress = progress});
  const double wall = seconds(), runner = processor_seconds(RUSAGE_SELF) - runner_before,
               programs = processor_seconds(RUSAGE_CHILDREN) - programs_before;
  std::printf("%zu trials, %zu failed, %.1f a second; afterwards %.1f MiB, %ld descriptors\n", done, failed,
              static_cast<double>(done) / wall, resident_mb(), descriptors());

  // The same shots without agents, from every tenth trial.
  std::size_t shots = 0, counted = 0;
  const std::vector<TrialResult> results = ResultsStore(out / "results.sqlite").results();
  const double bare_before = processor_seconds(RUSAGE_SELF);
  for (std::size_t i = 0; i < results.size(); i += 10) {
    ++counted;
    const PlayedLevel& played = results[i].levels.front();
    const auto level = std::find_if(playable.begin(), playable.end(),
                                    [&](const PlayableLevel& l) { return l.name == played.level; });
    Scene scene = played.novel ? level->novel : level->normal;
    for (const PlayedShot& shot : played.shots) {
      scene = run_shot(scene, shot.shot).scene;
      ++shots;
    }
  }
  const double bare = (processor_seconds(RUSAGE_SELF) - bare_before) * static_cast<double>(results.size()) /
                      static_cast<double>(counted);
  const auto per_trial = [&](double s) { return 1e3 * s / static_cast<double>(results.size()); };
  std::printf(
      "processor time a trial, ms: runner %.2f, program %.2f, bare simulation of its %.2f shots %.2f\n",
      per_trial(runner), per_trial(programs), static_cast<double>(shots) / static_cast<double>(counted),
      per_trial(bare));
  std::printf("bare simulation over the runner: %.2f, over runner and programs: %.2f\n", bare / runner,
              bare / (runner + programs));
  std::filesystem::remove_all(out);
}
