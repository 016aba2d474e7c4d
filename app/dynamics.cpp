/// \file  startle dynamics: the dynamics model of the normal world, and what it detects in a shot.
#include <nlohmann/json.hpp>

#include "agents/game.hpp"
#include "agents/normal_levels.hpp"
#include "app/command.hpp"
#include "app/reports/shot_angle.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/generators.hpp"
#include "simulated/twin.hpp"
#include "surprise/dynamics/dynamics_model.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_deviations = 5;

struct DynamicsTrainOptions {
  bool quiet = false;
  int threads = 0;
  DynamicsTraining training;
  std::string out;
};

struct DynamicsCalibrateOptions {
  bool quiet = false;
  NormalLevels levels;
  std::optional<std::size_t> calibration_levels;
  std::string model, out;
};

struct DynamicsDetectOptions {
  CommonOptions common;
  std::string level, novelty;
  std::vector<std::string> shots;
  std::optional<std::string> model;
  Output output;
  bool video = false;
};

void train_command(const DynamicsTrainOptions& options) {
  require_valid(options.training);
  const DynamicsModel model = train_dynamics(options.training, options.threads, [&](const std::string& what) {
    if (!options.quiet) report(what);
  });
  emit(dynamics_model_json(model), options.out);
}

int calibrate_command(const DynamicsCalibrateOptions& options) {
  DynamicsModel model = read_dynamics_model(options.model);
  const auto constants = profile(model.training.profile);
  if (options.calibration_levels) model.training.calibration_levels = *options.calibration_levels;
  rank_normal_shots(model, options.levels.threads, [&](const std::string& what) {
    if (!options.quiet) report(what);
  });
  catch_interrupt();
  if (model.training.stride == steps_a_frame(*constants) && !model.training.video) {
    Progress progress("levels", generator_families().size() * options.levels.count, options.quiet);
    model.normal_levels = play_normal_levels(
        model, options.levels, constants, [&] { progress.advance(); }, [] { return !interrupted(); });
  }
  if (interrupted()) {
    report("interrupted: nothing was written");
    return exit_interrupted;
  }
  emit(dynamics_model_json(model), options.out);
  return exit_done;
}

Json finding_json(const Deviation& finding) {
  return {{"material", name(finding.material)},
          {"mechanism", name(finding.mechanism)},
          {"direction", finding.more ? "more" : "less"},
          {"p", finding.p},
          {"sigmas", finding.sigmas}};
}

void detect_command(const DynamicsDetectOptions& options) {
  std::vector<Shot> shots;
  for (const std::string& text : options.shots) shots.push_back(parse_shot(text));
  const auto constants = profile(options.common.profile);
  const DynamicsModel read = options.model ? read_dynamics_model(*options.model) : DynamicsModel{};
  const DynamicsModel& model = options.model   ? read
                               : options.video ? shipped_video_dynamics()
                                               : shipped_dynamics(2);
  const Level level = load_level(options.level, *constants, options.common.quiet, {}, options.novelty);
  const std::optional<Novelty> novelty = chosen_novelty(options.novelty, level);
  const Scene normal = settled_level(level, constants, options.level, options.common.quiet).scene;
  const Scene world = novelty ? novel_twin(normal, *novelty) : normal;
  std::string text;
  Json all = Json::array();
  for (const Shot& shot : shots) {
    const DynamicsDetection found = detect(
        model, normal,
        seen_by(model, normal, shot, run_shot(world, shot, {.record_every = model.training.stride}).trace));
    Json one{{"angle_deg", shortest(angle_deg(shot))}, {"p", found.p}, {"findings", Json::array()}};
    text += "shot at " + shortest(angle_deg(shot)) + " degrees: p " + fixed(found.p, 4) + "\n";
    for (std::size_t i = 0; i < std::min(most_deviations, found.findings.size()); ++i) {
      const Deviation& finding = found.findings[i];
      one["findings"].push_back(finding_json(finding));
      text += "  " + std::string(name(finding.material)) + " " + name(finding.mechanism) + ", " +
              (finding.more ? "more" : "less") + " than normal: p " + fixed(finding.p, 4) + ", " +
              fixed(finding.sigmas, 1) + " sigmas\n";
    }
    all.push_back(std::move(one));
  }
  emit(options.output.is("json") ? Json{{"program", "startle " STARTLE_VERSION},
                                        {"level", level.name},
                                        {"novelty", novelty ? Json(novelty->name) : Json()},
                                        {"shots", all}}
                                           .dump(2) +
                                       "\n"
                                 : text,
       options.output.out);
}

}  // namespace

void add_dynamics_command(CLI::App& app, int& exit_code) {
  CLI::App* dynamics = app.add_subcommand(
      "dynamics", "The dynamics model of the normal world: what single bodies do, tested one by one.");
  dynamics->require_subcommand(1);

  const auto training = std::make_shared<DynamicsTrainOptions>();
  CLI::App* train = dynamics->add_subcommand("train",
                                             "Learns the dynamics model from shots in the normal world.");
  add_shared_option(*train, "--out", training->out, "a file, the model")->required();
  add_shared_option(*train, "--count", training->training.levels, "levels to learn from");
  train
      ->add_option("--calibration-count", training->training.calibration_levels,
                   "levels to rank normal shots by: N plain ones and N verified ones")
      ->type_name("N")
      ->capture_default_str();
  add_shared_option(*train, "--steps", training->training.steps);
  train->add_option("--width", training->training.width, "units of each hidden layer")
      ->type_name("N")
      ->capture_default_str();
  add_shared_option(*train, "--stride", training->training.stride);
  add_shared_option(*train, "--pixel-size", training->training.pixel, "0: exactly");
  add_shared_option(*train, "--video", training->training.video);
  add_shared_option(*train, "--profile", training->training.profile);
  add_seed_option(*train, training->training.seed, "of levels, shots and networks");
  add_threads_option(*train, training->threads);
  add_quiet_option(*train, training->quiet);
  train->footer(
      "The model that is shipped was made with the defaults; what it is: docs/dynamics.md.\n"
      "Example: startle dynamics train --out mechanisms.json");
  train->callback([training] { train_command(*training); });

  const auto calibrating = std::make_shared<DynamicsCalibrateOptions>();
  CLI::App* calibrate = dynamics->add_subcommand(
      "calibrate",
      "Ranks normal shots anew and, for a model that agents can use, plays normal levels to bound its false "
      "alarms.");
  add_shared_option(*calibrate, "--model", calibrating->model, "made by startle dynamics train")->required();
  add_shared_option(*calibrate, "--out", calibrating->out,
                    "a file, the model with what was found; may be --model")
      ->required();
  add_shared_option(*calibrate, "--count", calibrating->levels.count,
                    "normal levels of each family; played only for a model made with --stride 5");
  calibrate
      ->add_option("--calibration-count", calibrating->calibration_levels,
                   "levels to rank normal shots by: N plain ones and N verified ones; "
                   "default: the model's own")
      ->type_name("N");
  add_seed_option(*calibrate, calibrating->levels.seed, "of levels and shots");
  add_threads_option(*calibrate, calibrating->levels.threads);
  add_quiet_option(*calibrate, calibrating->quiet);
  calibrate->footer(
      "The agents' detector `dynamics` has the shipped model, of 1000 levels a family.\n"
      "Example: startle dynamics calibrate --model mechanisms.json --out mechanisms.json");
  calibrate->callback([calibrating, &exit_code] { exit_code = calibrate_command(*calibrating); });

  const auto detecting = std::make_shared<DynamicsDetectOptions>();
  CLI::App* detector = dynamics->add_subcommand(
      "detect", "How likely a shot is under the dynamics model, and what seems off.");
  add_shared_option(*detector, "LEVEL", detecting->level)->required();
  add_shots_option(*detector, detecting->shots, "each is the first one at the level")->required();
  add_shared_option(*detector, "--novelty", detecting->novelty,
                    "own: the one that the level's file carries; default: none (the normal world)");
  CLI::Option* model = add_shared_option(*detector, "--model", detecting->model,
                                         "made by startle dynamics train; default: the shipped one");
  add_shared_option(*detector, "--video", detecting->video, "by the shipped model for videos")
      ->excludes(model);
  add_output_options(*detector, detecting->output, {"text", "json"});
  add_common_options(*detector, detecting->common);
  detector->footer("Example: startle dynamics detect level.json --shot 40 --novelty T2");
  detector->callback([detecting] { detect_command(*detecting); });
}

}  // namespace startle
