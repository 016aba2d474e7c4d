/// \file  startle surprise agent, agent-calibrate: an agent that detects novelties by a model's surprise, and
/// how surprised it is in the normal world.
#include <algorithm>

#include "agents/built_in.hpp"
#include "agents/programs/serve.hpp"
#include "app/surprise/commands.hpp"
#include "app/surprise/shipped_model.hpp"
#include "app/surprise/surprise_detector.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/random.hpp"
#include "levels/level_set.hpp"
#include "surprise/networks/predrnn.hpp"

namespace startle {
namespace {

struct AgentOptions {
  std::string shooter = "pig-shooter", profile = "startle";
  std::optional<std::string> model;
  int threads = 1;
};

std::unique_ptr<Agent> agent_of(const std::string& shooter, std::unique_ptr<Detector> detector,
                                std::shared_ptr<const Profile> profile) {
  auto agent = make_agent(shooter, std::move(detector), std::move(profile));
  if (!agent) throw Error("--shooter: found '" + shooter + "'; startle agents list names the shooters");
  return agent;
}

int play(const AgentOptions& options) {
  const auto constants = profile(options.profile);
  const std::filesystem::path path = model_path(options.model);
  NormalSurprise normal = read_normal_surprise(normal_surprise_path(path), path);
  const auto agent = agent_of(options.shooter,
                              std::make_unique<SurpriseDetector>(
                                  load_predictor(path, {.threads = options.threads}),
                                  read_model_config(path).clips, rank_contexts(std::move(normal.shots))),
                              constants);
  serve_trials(*agent, *constants);
  return 0;
}

struct CalibrateOptions {
  CommonOptions common;
  std::vector<std::string> levels;
  std::string shooter = "pig-shooter", out;
  std::optional<std::string> model;
  int trials = 1;
  std::uint64_t seed = 1;
};

/// Keeps how surprised the model is by the shots it is asked about.
class SurpriseKeeper : public Detector {
 public:
  SurpriseKeeper(Predictor& model, const ClipFormat& format, std::vector<ContextScore>& shots)
      : model_(model), format_(format), shots_(shots) {}
  double likelihood(const SeenShot& seen, const Expectation&, const ObservationSource& source,
                    Random&) override {
    if (const auto surprise = surprise_of_shot(seen, source, model_, format_)) shots_.push_back(*surprise);
    return 0;
  }

 private:
  Predictor& model_;
  ClipFormat format_;
  std::vector<ContextScore>& shots_;
};

int calibrate(const CalibrateOptions& options) {
  const auto constants = profile(options.common.profile);
  const std::filesystem::path path = model_path(options.model);
  const ClipFormat format = read_model_config(path).clips;
  const auto model = load_predictor(path, {.threads = options.common.threads});
  std::vector<StoredLevel> levels;
  for (const std::string& file : find_levels(options.levels))
    levels.push_back(load_level(file, *constants, options.common.quiet));
  NormalSurprise found{.model_hash = model_hash(path),
                       .command = {},
                       .program = "startle " STARTLE_VERSION,
                       .levels_hash = hexadecimal(level_set_hash(levels)),
                       .shots = {}};
  found.command = "startle surprise agent-calibrate --levels DIR --shooter " + options.shooter +
                  " --trials " + std::to_string(options.trials) + " --seed " + std::to_string(options.seed) +
                  " --profile " + options.common.profile + " --out FILE";
  catch_interrupt();
  {
    Progress progress("trials", levels.size() * static_cast<std::size_t>(options.trials),
                      options.common.quiet);
    for (const StoredLevel& level : levels)
      for (int trial = 0; trial < options.trials; ++trial) {
        if (interrupted()) {
          report("interrupted: nothing was written");
          return exit_interrupted;
        }
        const auto agent = agent_of(options.shooter,
                                    std::make_unique<SurpriseKeeper>(*model, format, found.shots), constants);
        Game game(taken_at_rest(settle(make_scene(level, constants))));
        agent->begin({.seed = stream_seed(options.seed, level.name, static_cast<std::uint64_t>(trial)) >> 11,
                      .levels = 1});
        while (!game.over()) {
          const SeenShot& seen = game.shoot(agent->act(game));
          agent->report(seen, game);
        }
        progress.advance();
      }
  }
  if (found.shots.size() < least_normal_shots)
    throw Error("agent-calibrate: found " + std::to_string(found.shots.size()) +
                " normal shots that move something, needed are " + std::to_string(least_normal_shots) +
                ": more levels, or more --trials");
  write_file(options.out, normal_surprise_json(found));
  emit(std::to_string(found.shots.size()) + " normal shots\n", std::nullopt);
  return 0;
}

}  // namespace

void add_agent_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<AgentOptions>();
  CLI::App* command = app.add_subcommand(
      "agent", "Plays as an agent program: reports how surprised a model is by each shot.");
  add_shared_option(*command, "--shooter", options->shooter);
  add_shared_option(*command, "--model", options->model,
                    "made by startle surprise train; default: the shipped one");
  add_shared_option(*command, "--profile", options->profile, "what the shooter calculates with");
  add_threads_option(*command, options->threads);
  command->footer(
      "It is started by startle agents run, where its name is SHOOTER+surprise. The messages: "
      "docs/agent-protocol.md.\n"
      "Example: startle agents run --agent pig-shooter+surprise --levels levels/benchmark/T2 --out "
      "results.sqlite");
  command->callback([options, &exit_code] { exit_code = play(*options); });
}

void add_agent_calibrate_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<CalibrateOptions>();
  CLI::App* command = app.add_subcommand(
      "agent-calibrate",
      "Finds how surprised the agent is by shots in the normal world, against which it tests.");
  add_shared_option(*command, "--levels", options->levels, "played in the normal world")->required();
  add_shared_option(*command, "--out", options->out,
                    "a file, for example MODEL.detector.json beside the model")
      ->required();
  add_shared_option(*command, "--model", options->model,
                    "made by startle surprise train; default: the shipped one");
  add_shared_option(*command, "--shooter", options->shooter);
  add_shared_option(*command, "--trials", options->trials)->check(CLI::Range(1, 1000000).description(""));
  add_seed_option(*command, options->seed, "of what the shooter leaves to chance");
  add_common_options(*command, options->common);
  command->footer(
      "Example: startle surprise agent-calibrate --levels levels/data --out run/model.detector.json --model "
      "run/model.safetensors");
  command->callback([options, &exit_code] { exit_code = calibrate(*options); });
}

}  // namespace startle
