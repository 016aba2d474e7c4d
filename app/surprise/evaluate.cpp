/// \file  startle surprise evaluate: does surprise detect the novelties of a level set, by tier of
/// difficulty?
#include "app/reports/surprise/detection_report.hpp"
#include "app/reports/surprise/evaluation_report.hpp"
#include "app/reports/table.hpp"
#include "app/surprise/clips_file.hpp"
#include "app/surprise/commands.hpp"
#include "app/surprise/named_scorer.hpp"
#include "app/surprise/shipped_model.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/level_set.hpp"
#include "surprise/direction_test.hpp"
#include "surprise/networks/predrnn.hpp"
#include "surprise/prediction_file.hpp"
#include "surprise/predictor.hpp"
#include "surprise/shot_detector.hpp"

namespace startle {
namespace {

struct EvaluateOptions {
  CommonOptions common;
  std::string levels, out;
  std::optional<std::string> model, violation_model, write_clips;
  std::vector<std::string> predictions, scores;  ///< files of programs of the user's own
  std::vector<std::string> dynamics_models;
  bool video = false, observer = false, trials = false;
  std::size_t limit = 0;
  int random_targets = 1;
  std::uint64_t seed = 1;
};

/// What made the report, with what changes results; paths of the user's machine left out.
std::string command_of(const EvaluateOptions& o) {
  std::string command = "startle surprise evaluate --levels DIR";
  for (std::size_t i = 0; i < o.predictions.size(); ++i) command += i == 0 ? " --predictions FILE" : " FILE";
  for (std::size_t i = 0; i < o.scores.size(); ++i) command += i == 0 ? " --scores FILE" : " FILE";
  if (o.model) command += " --model FILE";
  for (std::size_t i = 0; i < o.dynamics_models.size(); ++i) command += " --dynamics-model FILE";
  if (o.video) command += " --video";
  if (o.observer) command += " --observer";
  if (o.trials) command += " --with-trials";
  if (o.limit > 0) command += " --limit " + std::to_string(o.limit);
  if (o.violation_model) command += " --violation-model FILE";
  return command + " --random-targets " + std::to_string(o.random_targets) + " --seed " +
         std::to_string(o.seed) + " --profile " + o.common.profile +
         (o.write_clips ? " --write-clips FILE" : " --out DIR");
}

/// Dynamics models of files, of which each takes the place of the shipped ones of its kind.
struct GivenDynamics {
  std::optional<DynamicsModel> objects, video;
};

GivenDynamics read_given_dynamics(const std::vector<std::string>& paths) {
  GivenDynamics given;
  for (const std::string& path : paths) {
    DynamicsModel model = read_dynamics_model(path);
    std::optional<DynamicsModel>& place = model.training.video ? given.video : given.objects;
    if (place)
      throw Error(path + ": found a second dynamics model of " +
                  (model.training.video ? "videos" : "objects") + ", allowed is one of each kind");
    place = std::move(model);
  }
  return given;
}

/// What the user gave to be evaluated, the first where there are several; without any the shipped model.
EvaluationSubject subject_of(const EvaluateOptions& options) {
  if (!options.predictions.empty() || !options.scores.empty() || options.model) return {};
  const auto file = [](const std::string& path) { return std::filesystem::path(path).filename().string(); };
  if (options.dynamics_models.empty()) return {};
  const std::string& path = options.dynamics_models.front();
  return {.detector = read_dynamics_model(path).training.video ? "dynamics-video" : "dynamics",
          .name = "The dynamics model " + file(path)};
}

/// What is evaluated.
struct Scorers {
  std::vector<std::unique_ptr<ClipScorer>> clips;  ///< models, controls, then the violation model
  std::size_t models = 0;                          ///< so many: of programs of the user's own, then ours
  std::string file;                                ///< of the first model, its name
  Predictor* pictures = nullptr;                   ///< the first model, where it predicts pictures
  std::vector<std::unique_ptr<ShotDetector>> shots;
};

/// The models of programs of the user's own; none where no file was given.
void add_own_models(const EvaluateOptions& options, const ClipFormat& format, Scorers& scorers) {
  const auto add = [&](const std::string& path, std::unique_ptr<ClipScorer> scorer) {
    std::vector<std::string> taken{"PredRNN",
                                   "untrained",
                                   "physics",
                                   "physics, exact speeds",
                                   "physics, 2 frames ahead",
                                   "physics, exact speeds, 2 frames ahead",
                                   "violation-model"};
    for (const auto& control : make_controls()) taken.push_back(control->name());
    require_other_name(path, scorer->name(), taken);
    if (scorers.clips.empty()) {
      scorers.file = std::filesystem::path(path).filename().string();
      scorers.pictures = dynamic_cast<Predictor*>(scorer.get());
    }
    const std::string name = unique_name(scorer->name(), scorers.clips);
    scorers.clips.push_back(std::make_unique<NamedScorer>(name, std::move(scorer)));
  };
  for (const std::string& path : options.predictions) add(path, load_predictions(path, format));
  for (const std::string& path : options.scores) add(path, load_scores(path));
  scorers.models = scorers.clips.size();
}

Scorers scorers_of(const EvaluateOptions& options, const std::filesystem::path& path,
                   const ModelConfig& config) {
  const PredictionOptions prediction{.threads = options.common.threads};
  const auto require_same_clips = [&](const std::string& other) {
    if (!(read_model_config(other).clips == config.clips))
      throw Error(other + ": reads clips of another format than " + path.string());
  };
  Scorers scorers;
  const auto add = [&](const char* name, std::unique_ptr<ClipScorer> scorer) {
    scorers.clips.push_back(std::make_unique<NamedScorer>(name, std::move(scorer)));
  };
  add_own_models(options, config.clips, scorers);  // before ours: where a clip is missing the run ends early
  std::unique_ptr<Predictor> model = load_predictor(path, prediction);
  if (scorers.models == 0) {
    scorers.file = path.filename().string();
    scorers.pictures = model.get();
  }
  add(scorers.models == 0 ? "model" : "PredRNN", std::move(model));
  ++scorers.models;
  add("untrained", make_untrained(config, options.seed, prediction));
  for (auto& control : make_controls()) scorers.clips.push_back(std::move(control));
  if (options.violation_model) {
    require_same_clips(*options.violation_model);
    add("violation-model", load_predictor(*options.violation_model, prediction));
  }
  const GivenDynamics given = read_given_dynamics(options.dynamics_models);
  scorers.shots.push_back(make_dynamics_detector(given.objects ? *given.objects : shipped_dynamics(2)));
  if (given.video || options.video)
    scorers.shots.push_back(make_dynamics_detector(given.video ? *given.video : shipped_video_dynamics()));
  if (options.observer) {
    scorers.shots.push_back(make_observer_detector({.seed = options.seed}));
    scorers.shots.push_back(make_clip_observer_detector({.seed = options.seed}, config.clips));
  }
  return scorers;
}

/// Sets the hash of the levels and whether all `levels` were evaluated, and reports those that were not.
/// Throws Error where none was evaluated, unless the run was interrupted.
void set_levels(EvaluationRun& run, std::size_t levels, bool quiet) {
  if (run.evaluation.twins.empty() && !interrupted())
    throw Error("evaluate: no level holds an object that its novelty changes");
  run.complete = run.evaluation.levels.size() + run.evaluation.without_novelty.size() == levels;
  std::vector<StoredLevel> used;
  for (const EvaluationLevel& level : run.evaluation.levels) used.push_back(level.level);
  run.level_set_hash = level_set_hash(used);
  if (run.evaluation.twins.empty()) return report("interrupted before any level was done");
  if (!run.complete)
    report("interrupted: " + std::to_string(used.size()) + " of " + std::to_string(levels) +
           " levels done; the tables are over those");
  for (const std::string& name : run.evaluation.without_novelty)
    if (!quiet) report(name + ": holds no object that its novelty changes; left out");
}

/// The clips and predictions of the examples.
void show_examples(EvaluationRun& run, Predictor& model, const ClipFormat& format,
                   std::shared_ptr<const Profile> constants) {
  run.examples = choose_examples(run.evaluation);
  for (EvaluationExample& example : run.examples) {
    const EvaluatedTwin& twin = run.evaluation.twins[example.twin];
    TwinClips clips = make_twin_clips(shot_of(run.evaluation, twin, constants),
                                      *run.evaluation.levels[twin.level].novelty, format);
    std::vector<Prediction> predictions = model.predict({&clips.normal.clip, &clips.novel.clip});
    example.normal = std::move(clips.normal.clip);
    example.novel = std::move(clips.novel.clip);
    example.normal_prediction = std::move(predictions[0]);
    example.novel_prediction = std::move(predictions[1]);
  }
}

int write_clips(const EvaluateOptions& options) {
  const auto constants = profile(options.common.profile);
  const ClipFormat format = read_model_config(model_path(options.model)).clips;
  const std::vector<EvaluationLevel> levels = read_evaluation_levels(options.levels, *constants,
                                                                     options.limit);
  const EvaluationOptions evaluation{
      .format = format, .random_targets = options.random_targets, .seed = options.seed};
  return write_clips_file(
      *options.write_clips,
      {.format = format,
       .seed = options.seed,
       .profile = options.common.profile,
       .command = command_of(options)},
      {.count = levels.size(),
       .make = [&](std::size_t i) { return clips_of_level(levels[i], evaluation, constants); },
       .threads = options.common.threads},
      "levels", options.common.quiet);
}

void write_results(const EvaluationRun& run, const std::filesystem::path& folder) {
  write_file(folder / "results.json", evaluation_json(run));
  write_file(folder / "cells.csv", comma_separated(cell_rows(run)));
  write_file(folder / "detection.csv", comma_separated(detection_rows(run.evaluation, run.detection)));
  write_file(folder / "twins.csv", comma_separated(twin_rows(run)));
  write_file(folder / "report.html", evaluation_report(run));
}

int evaluate_command(const EvaluateOptions& options) {
  const auto constants = profile(options.common.profile);
  const std::filesystem::path path = model_path(options.model);
  const ModelConfig config = read_model_config(path);
  const Scorers scorers = scorers_of(options, path, config);
  std::vector<const ShotDetector*> detectors;
  for (const auto& detector : scorers.shots) detectors.push_back(detector.get());
  std::vector<ClipScorer*> clip_scorers;
  for (const auto& scorer : scorers.clips) clip_scorers.push_back(scorer.get());
  const std::vector<EvaluationLevel> levels = read_evaluation_levels(options.levels, *constants,
                                                                     options.limit);
  const std::filesystem::path folder = options.out;
  catch_interrupt();
  prepare_folder(folder);

  EvaluationRun run;
  run.version = STARTLE_VERSION;
  run.command = command_of(options);
  run.profile = options.common.profile;
  run.model = scorers.file;
  run.models = scorers.models;
  run.subject = subject_of(options);
  run.seed = options.seed;
  run.random_targets = options.random_targets;
  run.metrics = {.seed = options.seed, .threads = options.common.threads};
  KnownShotsOptions known{.seed = options.seed, .threads = options.common.threads};
  if (options.violation_model) known.violation_model = clip_scorers.size() - 1;
  {
    Progress progress("levels", levels.size(), options.common.quiet);
    run.evaluation = evaluate(
        levels, clip_scorers, detectors,
        {.format = config.clips,
         .random_targets = options.random_targets,
         .seed = options.seed,
         .threads = options.common.threads,
         .physics = true},
        constants, [&] { progress.advance(); }, [] { return !interrupted(); });
  }
  set_levels(run, levels.size(), options.common.quiet);
  if (run.evaluation.twins.empty()) return exit_interrupted;

  run.tables = evaluation_tables(run.evaluation, run.metrics);
  run.evaluation = with_direction_tests(with_calibrated_predictors(std::move(run.evaluation)));
  run.detection = detection_tables(run.evaluation, run.metrics, options.trials);
  run.flights = flight_rows(run.evaluation, options.seed, options.common.threads);
  run.known = known_shots_tables(run.evaluation, constants, known);
  if (scorers.pictures) show_examples(run, *scorers.pictures, config.clips, constants);
  write_results(run, folder);
  emit(evaluation_text(run), std::nullopt);
  if (!options.common.quiet)
    report("wrote report.html, results.json, cells.csv, detection.csv and twins.csv to " + options.out);
  return run.complete ? 0 : exit_interrupted;
}

int run_command(const EvaluateOptions& options, const CLI::App& command) {
  if (!options.write_clips) {
    if (options.out.empty()) throw Error("--out: is missing, the folder for report.html and the tables");
    if (options.violation_model && options.predictions.size() + options.scores.size() > 0)
      throw Error("--violation-model: is for --model, of which it is compared with the squared errors");
    return evaluate_command(options);
  }
  for (const char* name : {"--out", "--predictions", "--scores", "--dynamics-model", "--video", "--observer",
                           "--with-trials", "--violation-model"})
    if (command.count(name) > 0)
      throw Error(std::string(name) + ": is for testing, --write-clips writes the clips alone");
  return write_clips(options);
}

}  // namespace

void add_evaluate_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand(
      "evaluate", "Says how often a model is the more surprised by the novel world, by novelty and tier.");
  add_shared_option(*command, "--levels", options->levels,
                    "made for novelties and tiers, for example levels/benchmark")
      ->required();
  add_shared_option(*command, "--model", options->model,
                    "made by startle surprise train; default: the shipped one");
  add_shared_option(*command, "--predictions", options->predictions,
                    "they stand before the model; default: none");
  command
      ->add_option("--scores", options->scores,
                   "files of one number a clip, higher for what is more surprising, .csv or .h5; they stand "
                   "before the model; default: none")
      ->type_name("FILE...");
  add_shared_option(*command, "--write-clips", options->write_clips,
                    "those of the levels, in an order that gives nothing away; default: none");
  add_shared_option(*command, "--out", options->out,
                    "a folder for report.html, results.json, cells.csv, detection.csv and twins.csv; "
                    "default: required without --write-clips");
  add_shared_option(*command, "--limit", options->limit);
  command->add_option("--random-targets", options->random_targets, "shots at random targets, a level")
      ->check(CLI::Range(0, 1000).description(""))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option(
          "--dynamics-model", options->dynamics_models,
          "model made by startle dynamics train; once for objects, once for videos; default: the shipped "
          "ones")
      ->allow_extra_args(false)
      ->type_name("FILE");
  add_shared_option(*command, "--video", options->video, "test by dynamics from video, too");
  command->add_flag(
      "--observer", options->observer,
      "test shots by the reference observer, too: a third of a second of processor time a shot");
  command->add_flag(
      "--with-trials", options->trials,
      "add up evidence in trials of normal and then novel levels; needs 20 levels, and four of a "
      "novelty and tier");
  command
      ->add_option("--violation-model", options->violation_model,
                   "model trained on novel clips, for surprise_naive; default: none")
      ->type_name("FILE");
  add_seed_option(*command, options->seed, "of random targets, the untrained network, splits and intervals");
  add_common_options(*command, options->common);
  command->footer(
      "What is done and why: docs/surprise.md.\n"
      "Examples: startle surprise evaluate --levels levels/benchmark --out evaluation\n"
      "          startle surprise evaluate --levels levels/benchmark --limit 4 --write-clips clips.h5\n"
      "          startle surprise evaluate --levels levels/benchmark --limit 4 --scores mine.csv --out mine");
  command->callback([options, command, &exit_code] { exit_code = run_command(*options, *command); });
}

}  // namespace startle
