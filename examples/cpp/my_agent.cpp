// An agent of one's own, in C++: it measures how fast things fall, and reports a novelty where one falls
// otherwise than in the normal world. Without an argument it is a program for startle agents run:
//
//   startle agents run --agent mine=build/my_agent --levels FOLDER --out mine.sqlite
//
// With a folder it plays each level there in both worlds by itself, and prints its scores by tier:
//
//   my_agent FOLDER          for example: my_agent levels/benchmark/stone-gravity_scale-down
#include <cmath>
#include <cstdio>
#include <exception>
#include <map>
#include <startle/agent.hpp>
#include <startle/level.hpp>
#include <startle/statistics.hpp>
#include <startle/world.hpp>
#include <vector>

namespace {

constexpr double normal_fall = 9.81 * 0.48;  // of blocks and pigs, m/s^2

class Measuring : public startle::Agent {
 public:
  startle::Shot act(const startle::ObservationSource& source) override {
    // A little higher with each shot.
    return {.angle = startle::radians(10.0 + 12.0 * source.now().shot)};
  }

  startle::Report report(const startle::SeenShot& seen, const startle::ObservationSource&) override {
    std::map<int, std::vector<startle::Vec2>> paths;
    for (const startle::SeenFrame& frame : seen.frames)
      for (const startle::SeenBody& body : frame.bodies)
        if (body.id < seen.first_bird) paths[body.id].push_back(body.pose.position);
    for (const auto& [id, path] : paths)
      for (std::size_t i = 3; i < path.size(); ++i) {
        const double fall = pull(path, i), before = pull(path, i - 1);
        const bool steady = std::abs(fall - before) < 0.003 && fall > 0.3;
        if (steady && std::abs(fall - normal_fall) > 0.15)
          return {.novelty = 0.9, .description = "object " + std::to_string(id) + " falls otherwise"};
      }
    return {.novelty = 0.1, .description = {}};
  }

 private:
  /// Downward acceleration from three frames on end, m/s^2.
  static double pull(const std::vector<startle::Vec2>& path, std::size_t i) {
    const double h = startle::frame_interval;
    return -(path[i].y - 2 * path[i - 1].y + path[i - 2].y) / (h * h);
  }
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 1) {
    Measuring agent;
    startle::serve_trials(agent, *startle::profile());
    return 0;
  }
  std::vector<startle::StoredLevel> levels;
  for (const auto& file : startle::find_level_files({argv[1]})) levels.push_back(startle::read_level(file));
  const auto playable = startle::playable_levels(levels, startle::profile(), std::nullopt, 0);

  std::vector<startle::TrialResult> results;
  for (const startle::TrialPlan& plan :
       startle::plan_trials(playable, {.secret = startle::RunSecret::fresh()})) {
    Measuring agent;
    results.push_back(startle::play_trial(agent, plan, playable));
    results.back().agent = "measuring";
  }
  for (const startle::AgentScore& score : startle::agent_scores(results, startle::ScoreBy::agent_tier))
    std::printf("%-6s  detected %.2f  false alarms %.2f  of %zu trials\n", score.tier.c_str(),
                score.detected.value().value_or(0), score.false_positive.value().value_or(0), score.trials);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
