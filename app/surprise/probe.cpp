/// \file  startle probe: does a model expect what physics allows?
#include <algorithm>

#include "app/surprise/commands.hpp"
#include "app/surprise/intphys.hpp"
#include "app/surprise/probe_calibration.hpp"
#include "app/surprise/probe_clips.hpp"
#include "app/surprise/probe_scorers.hpp"
#include "app/surprise/shipped_model.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "probes/physical_concepts.hpp"
#include "reports/surprise/probe_report.hpp"
#include "reports/table.hpp"

namespace startle {
namespace {

/// Of each concept: what has learned nothing costs as much as what has, and is known well enough from these.
constexpr std::size_t tuples_of_untrained = 50;

struct ProbeCommandOptions {
  std::string suite = "concepts", out;
  std::vector<std::string> models, predictions;
  std::optional<std::string> from, write_clips, calibrate, calibration;
  std::optional<std::size_t> count;
  ProbeOptions probes;
  IntPhysSuite intphys;
  int threads = 0;
  bool quiet = false;
};

std::string command_of(const ProbeCommandOptions& o) {
  std::string command = "startle probe --suite " + o.suite;
  for (std::size_t i = 0; i < o.predictions.size(); ++i) command += i == 0 ? " --predictions FILE" : " FILE";
  for (std::size_t i = 0; i < o.models.size(); ++i) command += i == 0 ? " --model FILE" : " FILE";
  if (o.from) command += " --from DIR";
  return command + " --count " + std::to_string(o.probes.tuples) + " --seed " +
         std::to_string(o.probes.seed) + " --out DIR";
}

int write_concepts(const ProbeCommandOptions& options) {
  const std::size_t kinds = probe_concepts().size();
  std::optional<PhysicalConcepts> data;
  if (options.from) data.emplace(*options.from);
  const auto make = [&](std::size_t i) {
    const ProbeConcept kind = probe_concepts()[i % kinds];
    const std::optional<ProbeTuple> tuple = data ? data->next(kind)
                                                 : make_probe_tuple(kind, options.probes.seed, i / kinds);
    std::vector<Clip> clips;
    if (tuple)
      for (const auto* pair : {&tuple->possible, &tuple->impossible})
        clips.insert(clips.end(), pair->begin(), pair->end());
    return clips;
  };
  const std::string command = "startle probe" + std::string(data ? " --from DIR" : "") + " --count " +
                              std::to_string(options.probes.tuples) + " --seed " +
                              std::to_string(options.probes.seed) + " --write-clips FILE";
  // Data of others are read in order, by one thread.
  return write_probe_clips(
      *options.write_clips,
      {.format = probe_format(),
       .seed = options.probes.seed,
       .profile = probe_profile,
       .novelty = {},
       .program = {},
       .command = command},
      {.count = options.probes.tuples * kinds, .make = make, .threads = data ? 1 : options.threads},
      options.quiet);
}

int run_concepts(const ProbeCommandOptions& options) {
  if (options.write_clips) return write_concepts(options);
  std::optional<ProbeCalibration> calibration;
  if (options.calibration && !options.calibrate)
    calibration = read_probe_calibration(*options.calibration, options.suite);
  ProbeScorers scorers = load_probe_scorers(
      options.predictions, options.models, probe_format(), {.threads = options.threads},
      calibration ? calibration->seed : options.probes.seed, options.quiet);
  if (options.calibrate) {
    const std::vector<ProbeConcept>& kinds = probe_concepts();
    return calibrate_scorers(scorers,
                             {.suite = options.suite,
                              .seed = options.probes.seed,
                              .count = options.probes.tuples * kinds.size(),
                              .clips =
                                  [&](std::size_t i) {
                                    return make_probe_tuple(kinds[i % kinds.size()], options.probes.seed,
                                                            i / kinds.size())
                                        .possible;
                                  },
                              .threads = options.threads},
                             *options.calibrate, options.quiet);
  }
  if (calibration) add_calibrated(scorers, *calibration);
  std::optional<PhysicalConcepts> data;
  if (options.from) data.emplace(*options.from);
  const std::filesystem::path folder = options.out;
  catch_interrupt();
  prepare_folder(folder);

  ProbeReport result{.version = STARTLE_VERSION,
                     .command = command_of(options),
                     .models = scorers.models,
                     .model_hashes = scorers.model_hashes,
                     .calibrated = scorers.calibrated,
                     .run = {},
                     .tables = {},
                     .examples = {}};
  result.metrics = {.seed = options.probes.seed, .threads = options.threads};
  const std::size_t count = options.probes.tuples * probe_concepts().size();
  {
    Progress progress("tuples", count, options.quiet);
    ProbeOptions probes = options.probes;
    probes.threads = options.threads;
    for (std::size_t p = 0; p + scorers.calibrated.size() < scorers.all.size(); ++p)
      probes.shown.push_back(p < scorers.models || p >= scorers.models + scorers.untrained
                                 ? options.probes.tuples
                                 : std::min(options.probes.tuples, tuples_of_untrained));
    for (const auto& [calibrated, of] : scorers.calibrated) probes.shown.push_back(probes.shown[of]);
    if (data)
      probes.source = [&](ProbeConcept kind) {
        std::optional<ProbeTuple> tuple = data->next(kind);
        if (tuple && tuple->number == 0) result.examples.push_back({*tuple, {}});
        return tuple;
      };
    result.run = run_probes(
        scorers.pointers(), probes, [&] { progress.advance(); }, [] { return !interrupted(); });
  }
  if (result.run.tuples.empty() && !interrupted()) throw Error(*options.from + ": found no tuple");
  if (result.run.tuples.empty()) {
    report("interrupted before any tuple was done");
    return exit_interrupted;
  }
  result.complete = data ? !interrupted() : result.run.tuples.size() == count;
  if (!result.complete)
    report("interrupted: " + std::to_string(result.run.tuples.size()) + " of " + std::to_string(count) +
           " tuples done; the tables are over those");
  result.tables = probe_tables(result.run, result.metrics);
  for (std::size_t i = 0; i < std::min(probe_concepts().size(), result.run.tuples.size()) && !data; ++i) {
    const ProbedTuple& tuple = result.run.tuples[i];
    result.examples.push_back(
        {make_probe_tuple(tuple.kind, result.run.seed, tuple.number), tuple.predictors});
  }
  if (data)
    for (ProbeExample& example : result.examples)
      for (const ProbedTuple& tuple : result.run.tuples)
        if (tuple.kind == example.tuple.kind && tuple.number == 0) example.errors = tuple.predictors;
  write_file(folder / "results.json", probe_json(result));
  write_file(folder / "cells.csv", comma_separated(probe_cell_rows(result)));
  write_file(folder / "tuples.csv", comma_separated(probe_tuple_rows(result)));
  write_file(folder / "report.html", probe_report(result));
  emit(probe_text(result), std::nullopt);
  if (!options.quiet) report("wrote report.html, results.json, cells.csv and tuples.csv to " + options.out);
  return result.complete ? 0 : exit_interrupted;
}

int run_suite(ProbeCommandOptions options, const CLI::App& command) {
  const auto only_for = [&](const std::string& suite, const std::vector<std::string>& names) {
    for (const std::string& name : names)
      if (options.suite != suite && command.count(name) > 0) throw Error(name + ": is for --suite " + suite);
  };
  only_for("intphys", {"--answers"});
  if (options.suite != "concepts" && options.suite != "intphys")
    throw Error("--suite: found '" + options.suite + "', allowed are concepts and intphys");
  if (options.write_clips) {
    for (const char* name :
         {"--out", "--model", "--predictions", "--answers", "--calibrate", "--calibration"})
      if (command.count(name) > 0)
        throw Error(std::string(name) + ": is for testing, --write-clips writes the clips alone");
  } else if (options.calibrate) {
    for (const char* name : {"--out", "--answers", "--from", "--calibration"})
      if (command.count(name) > 0)
        throw Error(std::string(name) + ": is for testing, --calibrate writes a calibration alone");
  } else if (options.out.empty()) {
    throw Error("--out: is missing, the folder for report.html, results.json and tables as CSV");
  }
  // Data of others may have no masks, or fewer frames than the shipped models read.
  if (options.models.empty() && options.predictions.empty() && !options.write_clips && !options.from)
    options.models = shipped_probe_models(options.suite);
  if (!options.calibration && !options.calibrate && !options.write_clips)
    if (const auto shipped = shipped_probe_calibration(options.suite))
      options.calibration = shipped->string();
  if (options.suite == "concepts") {
    options.probes.tuples = options.count.value_or(options.probes.tuples);
    return run_concepts(options);
  }
  IntPhysSuite suite = options.intphys;
  suite.data = options.from;
  suite.sets = options.count.value_or(suite.sets);
  if (!suite.answers.empty() && !suite.data)
    throw Error("--answers: needs --from, the clips that they are about");
  if (suite.data && command.count("--count") > 0)
    throw Error("--count: is for generated sets, --from brings its own");
  suite.models = options.models;
  suite.predictions = options.predictions;
  suite.write_clips = options.write_clips;
  suite.calibrate = options.calibrate;
  suite.calibration = options.calibration;
  suite.out = options.out;
  suite.seed = options.probes.seed;
  suite.threads = options.threads;
  suite.quiet = options.quiet;
  return run_intphys_suite(suite);
}

}  // namespace

void add_probe_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ProbeCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "probe", "Says how often a model is the more surprised by what physics does not allow.");
  command
      ->add_option("--suite", options->suite,
                   "concepts: five physical concepts; intphys: blocks O1 to O3 of IntPhys")
      ->check(some_values({"concepts", "intphys"}))
      ->type_name("NAME")
      ->capture_default_str();
  add_shared_option(*command, "--model", options->models,
                    "several are compared; default: the shipped ones, but the controls alone with "
                    "--predictions or --from");
  command
      ->add_option("--predictions", options->predictions,
                   "HDF5 files of what programs of your own predict for the clips of --write-clips; they "
                   "stand beside the models; default: none")
      ->type_name("FILE...");
  command
      ->add_option("--write-clips", options->write_clips,
                   "writes the clips of the suite to a file, for a program of your own, and scores nothing; "
                   "default: none")
      ->type_name("FILE.h5");
  command
      ->add_option("--calibrate", options->calibrate,
                   "scores possible clips alone, and writes a calibration of all scorers for single clips; "
                   "default: none")
      ->type_name("FILE.json");
  command
      ->add_option(
          "--calibration", options->calibration,
          "made by --calibrate; scorers in it stand there once more, calibrated; default: the one of "
          "the shipped models")
      ->type_name("FILE.json");
  add_shared_option(*command, "--out", options->out,
                    "a folder for report.html, results.json and tables as CSV; default: required without "
                    "--write-clips and --calibrate");
  add_shared_option(*command, "--count", options->count,
                    "tuples of each concept, or sets of each of the 54 scenarios; of --from, at most; "
                    "default: by --suite (500 tuples, 5 sets)")
      ->check(CLI::Range(1, 1000000).description(""));
  command
      ->add_option(
          "--from", options->from,
          "concepts: tuples of the Physical Concepts data set, up to --count of each concept; intphys: "
          "quadruplets in the original's layout (a folder with O1, O2, O3); default: none (generated ones)")
      ->type_name("DIR");
  command
      ->add_option(
          "--answers", options->intphys.answers,
          "intphys: answer files of other programs on --from, to stand beside the models; default: none")
      ->type_name("FILE...");
  add_seed_option(*command, options->probes.seed,
                  "of the tuples, the untrained network, splits and intervals");
  add_threads_option(*command, options->threads);
  add_quiet_option(*command, options->quiet);
  command->footer(
      "What the probes are: docs/probes.md.\n"
      "Examples: startle probe --model run/model.safetensors --out probes\n"
      "          startle probe --suite intphys --model run/model.safetensors --count 20 --out intphys\n"
      "          startle probe --count 200 --write-clips clips.h5\n"
      "          startle probe --count 200 --predictions predictions.h5 --out probes");
  command->callback([options, command, &exit_code] { exit_code = run_suite(*options, *command); });
}

}  // namespace startle
