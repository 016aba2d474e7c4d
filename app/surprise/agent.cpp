/// \file  startle surprise agent, agent-threshold: an agent that detects novelties by a model's surprise, and where it draws the line.
#include <algorithm>
#include <iostream>

#include "agents/built_in.hpp"
#include "agents/serve.hpp"
#include "app/surprise/commands.hpp"
#include "app/surprise/shipped_model.hpp"
#include "app/surprise/surprise_detector.hpp"
#include "levels/files.hpp"
#include "levels/level_set.hpp"
#include "networks/predrnn.hpp"
#include "sim/error.hpp"
#include "sim/random.hpp"
#include "statistics/percentile.hpp"

namespace startle {
namespace {

struct AgentOptions {
  std::string shooter = "pig-shooter", profile = "startle";
  std::optional<std::string> model, detector;
  int threads = 1;
};

std::unique_ptr<Agent> agent_of(const std::string& shooter, std::unique_ptr<Detector> detector, std::shared_ptr<const Profile> profile) {
  auto agent = make_agent(shooter, std::move(detector), std::move(profile));
  if (!agent) throw Error("--shooter: found '" + shooter + "'; startle agents list names the shooters");
  return agent;
}

int play(const AgentOptions& options) {
  const auto constants = profile(options.profile);
  const std::filesystem::path path = model_path(options.model);
  const DetectorThreshold threshold = read_threshold(options.detector ? std::filesystem::path(*options.detector) : threshold_path(path), path);
  const auto agent = agent_of(options.shooter,
                              std::make_unique<SurpriseDetector>(load_predrnn(path, {.threads = options.threads}), read_model_config(path).clips, threshold.threshold), constants);
  serve_agent(*agent, *constants, std::cin, std::cout);
  return 0;
}

struct ThresholdOptions {
  CommonOptions common;
  std::vector<std::string> levels;
  std::string shooter = "pig-shooter", out;
  std::optional<std::string> model;
  double false_alarms = 0.05;
  int trials = 1;
  std::uint64_t seed = 1;
};

/// Keeps the largest surprise of the shots it is asked about.
class LargestSurprise : public Detector {
 public:
  LargestSurprise(Predictor& model, const ClipFormat& format, double& largest) : model_(model), format_(format), largest_(largest) {}
  double likelihood(const SeenShot& seen, const Expectation&, const Sight& sight, Random&) override {
    largest_ = std::max(largest_, surprise_of_shot(seen, sight, model_, format_));
    return 0;
  }

 private:
  Predictor& model_;
  ClipFormat format_;
  double& largest_;
};

int find_threshold(const ThresholdOptions& options) {
  const auto constants = profile(options.common.profile);
  const std::filesystem::path path = model_path(options.model);
  const ClipFormat format = read_model_config(path).clips;
  const auto model = load_predrnn(path, {.threads = options.common.threads});
  std::vector<Level> levels;
  for (const std::string& file : find_levels(options.levels)) levels.push_back(load_level(file, *constants, options.common.quiet));
  DetectorThreshold found{.model_hash = model_hash(path), .false_alarms = options.false_alarms, .command = {}, .program = "startle " STARTLE_VERSION, .levels_hash = hexadecimal(level_set_hash(levels)),
                          .trials = {}};
  found.command = "startle surprise agent-threshold --levels DIR --shooter " + options.shooter + " --trials " + std::to_string(options.trials) + " --false-alarms " +
                  shortest(options.false_alarms) + " --seed " + std::to_string(options.seed) + " --profile " + options.common.profile + " --out FILE";
  catch_interrupt();
  {
    Progress progress("trials", levels.size() * static_cast<std::size_t>(options.trials), options.common.quiet);
    for (const Level& level : levels)
      for (int trial = 0; trial < options.trials; ++trial) {
        if (interrupted()) {
          report("interrupted: no threshold was written");
          return exit_interrupted;
        }
        double largest = 0;
        const auto agent = agent_of(options.shooter, std::make_unique<LargestSurprise>(*model, format, largest), constants);
        Game game(taken_at_rest(settle(make_scene(level, constants))));
        agent->begin({.seed = stream_seed(options.seed, level.name, static_cast<std::uint64_t>(trial)) >> 11, .levels = 1});
        while (!game.over()) {
          const SeenShot& seen = game.shoot(agent->act(game));
          agent->report(seen, game);
        }
        found.trials.push_back(largest);
        progress.advance();
      }
  }
  found.threshold = percentile(found.trials, 100 * (1 - options.false_alarms));
  if (!(found.threshold > 0)) throw Error("agent-threshold: no shot moved anything in " + std::to_string(found.trials.size()) + " trials; there is nothing to find a threshold by");
  write_file(options.out, threshold_json(found));
  emit("threshold " + fixed(found.threshold, 3) + ", above which " + fixed(100 * options.false_alarms, 1) + " % of " + std::to_string(found.trials.size()) + " normal trials lie\n",
       std::nullopt);
  return 0;
}

}  // namespace

void add_agent_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<AgentOptions>();
  CLI::App* command = app.add_subcommand("agent", "Plays as an agent program: reports how surprised a model is by each shot.");
  command->add_option("--shooter", options->shooter, "how it shoots: a shooter of startle agents list")->type_name("NAME")->capture_default_str();
  command->add_option("--model", options->model, "model made by startle surprise train; without it, the shipped one")->type_name("FILE");
  command->add_option("--detector", options->detector, "threshold made by startle surprise agent-threshold; without it, MODEL.detector.json beside the model")->type_name("FILE");
  command->add_option("--profile", options->profile, "physical constants the shooter reckons with: startle, anu or classic")->type_name("NAME")->capture_default_str();
  command->add_option("--threads", options->threads, "threads to use; 0: all of the machine")->check(CLI::Range(0, 1024).description(""))->type_name("N")->capture_default_str();
  command->footer("It is started by startle agents run, where its name is SHOOTER+surprise. The messages: docs/agents.md.\n"
                  "Example: startle agents run --agent pig-shooter+surprise --levels levels/benchmark/T2 --out results.sqlite");
  command->callback([options, &exit_code] { exit_code = play(*options); });
}

void add_agent_threshold_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ThresholdOptions>();
  CLI::App* command = app.add_subcommand("agent-threshold", "Finds the surprise at which the agent declares a novelty, by trials in the normal world alone.");
  command->add_option("--levels", options->levels, "level files or folders of them; played in the normal world")->required()->type_name("PATH ...");
  command->add_option("--out", options->out, "file to write, for example MODEL.detector.json beside the model")->required()->type_name("FILE");
  command->add_option("--model", options->model, "model made by startle surprise train; without it, the shipped one")->type_name("FILE");
  command->add_option("--shooter", options->shooter, "how it shoots: a shooter of startle agents list")->type_name("NAME")->capture_default_str();
  command->add_option("--trials", options->trials, "of each level")->check(CLI::Range(1, 1000000).description(""))->type_name("N")->capture_default_str();
  command->add_option("--false-alarms", options->false_alarms, "share of normal trials that may be declared novel")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->type_name("X")
      ->capture_default_str();
  add_seed_option(*command, options->seed, "of what the shooter leaves to chance");
  add_common_options(*command, options->common);
  command->footer("Example: startle surprise agent-threshold --levels levels/data --out run/model.detector.json --model run/model.safetensors");
  command->callback([options, &exit_code] { exit_code = find_threshold(*options); });
}

}  // namespace startle
