/// \file  startle probe: does a model expect what physics allows?
#include "app/surprise/probe.hpp"

#include <algorithm>

#include "app/reports/surprise/probe_report.hpp"
#include "app/reports/table.hpp"
#include "app/surprise/clips_file.hpp"
#include "app/surprise/commands.hpp"
#include "app/surprise/intphys.hpp"
#include "app/surprise/probe_calibration.hpp"
#include "app/surprise/probe_scorers.hpp"
#include "app/surprise/shipped_model.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "surprise/probes/physical_concepts.hpp"
#include "surprise/probes/training_scenes.hpp"

namespace startle {
namespace {

/// Tuples of each concept for an untrained network: each costs as much as for a trained one; these suffice.
constexpr std::size_t tuples_of_untrained = 50;

std::size_t tuples_of_each(const ProbeCommandOptions& options) {
  return options.count.value_or(ProbeOptions{}.tuples);
}

std::string concepts_command(const ProbeCommandOptions& o) {
  return scorers_command(o) + (o.from ? " --from DIR" : "") + " --count " +
         std::to_string(tuples_of_each(o)) + " --seed " + std::to_string(o.seed) + " --out DIR";
}

/// Number i of all, the concepts by turns.
ProbeTuple generated_tuple(std::size_t i, const ProbeCommandOptions& options) {
  const std::vector<ProbeConcept>& kinds = probe_concepts();
  return make_probe_tuple(kinds[i % kinds.size()], options.seed, i / kinds.size());
}

int write_concepts(const ProbeCommandOptions& options) {
  std::optional<PhysicalConcepts> data;
  if (options.from) data.emplace(*options.from);
  const auto make = [&](std::size_t i) {
    const std::optional<ProbeTuple> tuple = data ? data->next(probe_concepts()[i % probe_concepts().size()])
                                                 : generated_tuple(i, options);
    std::vector<Clip> clips;
    if (tuple)
      for (const auto* pair : {&tuple->possible, &tuple->impossible})
        clips.insert(clips.end(), pair->begin(), pair->end());
    return clips;
  };
  const std::string command = "startle probe" + std::string(data ? " --from DIR" : "") + " --count " +
                              std::to_string(tuples_of_each(options)) + " --seed " +
                              std::to_string(options.seed) + " --write-clips FILE";
  // Data of others are read in order, by one thread.
  return write_clips_file(
      *options.write_clips,
      {.format = probe_format(), .seed = options.seed, .profile = probe_profile, .command = command},
      {.count = tuples_of_each(options) * probe_concepts().size(),
       .make = make,
       .threads = data ? 1 : options.threads},
      "tuples", options.quiet);
}

/// How many tuples of each concept each scorer is shown.
std::vector<std::size_t> tuples_shown(const ProbeScorers& scorers, std::size_t tuples) {
  std::vector<std::size_t> shown;
  for (std::size_t p = 0; p + scorers.calibrated.size() < scorers.all.size(); ++p)
    shown.push_back(p < scorers.models || p >= scorers.models + scorers.untrained
                        ? tuples
                        : std::min(tuples, tuples_of_untrained));
  for (const auto& [calibrated, of] : scorers.calibrated) shown.push_back(shown[of]);
  return shown;
}

/// Shows the tuples, those of the data or generated ones, to the scorers. The first one of each concept
/// becomes an example.
void show_tuples(ProbeReport& result, const ProbeScorers& scorers, const ProbeCommandOptions& options,
                 std::optional<PhysicalConcepts>& data) {
  const std::size_t tuples = tuples_of_each(options), count = tuples * probe_concepts().size();
  ProbeOptions probes{.tuples = tuples,
                      .seed = options.seed,
                      .threads = options.threads,
                      .shown = tuples_shown(scorers, tuples)};
  if (data)
    probes.source = [&](ProbeConcept kind) {
      std::optional<ProbeTuple> tuple = data->next(kind);
      if (tuple && tuple->number == 0) result.examples.push_back({*tuple, {}});
      return tuple;
    };
  {
    Progress progress("tuples", count, options.quiet);
    result.run = run_probes(
        scorers.pointers(), probes, [&] { progress.advance(); }, [] { return !interrupted(); });
  }
  const std::vector<ProbedTuple>& done = result.run.tuples;
  result.complete = data ? !interrupted() : done.size() == count;
  for (std::size_t i = 0; i < std::min(probe_concepts().size(), done.size()) && !data; ++i)
    result.examples.push_back({make_probe_tuple(done[i].kind, result.run.seed, done[i].number), {}});
  for (ProbeExample& example : result.examples)
    for (const ProbedTuple& tuple : done)
      if (tuple.kind == example.tuple.kind && tuple.number == example.tuple.number)
        example.errors = tuple.predictors;
  if (!result.complete && !done.empty())
    report("interrupted: " + std::to_string(done.size()) + " of " + std::to_string(count) +
           " tuples done; the tables are over those");
}

void write_probe_results(const ProbeReport& result, const std::filesystem::path& folder) {
  write_file(folder / "results.json", probe_json(result));
  write_file(folder / "cells.csv", comma_separated(probe_cell_rows(result)));
  write_file(folder / "tuples.csv", comma_separated(probe_tuple_rows(result)));
  write_file(folder / "report.html", probe_report(result));
}

int run_concepts(const ProbeCommandOptions& options) {
  if (options.write_clips) return write_concepts(options);
  const ProbeScorers scorers = load_calibrated_scorers(options, probe_format());
  if (options.calibrate)
    return calibrate_scorers(options, scorers, tuples_of_each(options) * probe_concepts().size(),
                             [&](std::size_t i) { return generated_tuple(i, options).possible; });
  std::optional<PhysicalConcepts> data;
  if (options.from) data.emplace(*options.from);
  catch_interrupt();
  prepare_folder(options.out);
  ProbeReport result{.version = STARTLE_VERSION,
                     .command = concepts_command(options),
                     .models = scorers.models,
                     .model_hashes = scorers.model_hashes,
                     .calibrated = scorers.calibrated};
  result.metrics = {.seed = options.seed, .threads = options.threads};
  result.few_shot = options.few_shot;
  show_tuples(result, scorers, options, data);
  if (result.run.tuples.empty() && !interrupted()) throw Error(*options.from + ": found no tuple");
  if (result.run.tuples.empty()) {
    report("interrupted before any tuple was done");
    return exit_interrupted;
  }
  result.tables = probe_tables(result.run, result.metrics, result.few_shot);
  write_probe_results(result, options.out);
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
  only_for("concepts", {"--k", "--gamma"});
  if (options.suite != "concepts" && options.suite != "intphys")
    throw Error("--suite: found '" + options.suite + "', allowed are concepts and intphys");
  if (options.write_clips) {
    for (const char* name :
         {"--out", "--model", "--predictions", "--answers", "--calibrate", "--calibration", "--k", "--gamma"})
      if (command.count(name) > 0)
        throw Error(std::string(name) + ": is for testing, --write-clips writes the clips alone");
  } else if (options.calibrate) {
    for (const char* name : {"--out", "--answers", "--from", "--calibration", "--k", "--gamma"})
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
  if (options.suite == "concepts") return run_concepts(options);
  if (!options.answers.empty() && !options.from)
    throw Error("--answers: needs --from, the clips that they are about");
  return run_intphys_suite(options);
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
  add_shared_option(*command, "--predictions", options->predictions,
                    "they stand beside the models; default: none");
  add_shared_option(*command, "--write-clips", options->write_clips, "those of the suite; default: none");
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
  add_shared_option(*command, "--from", options->from,
                    "concepts: tuples of the Physical Concepts data set, up to --count of each concept; "
                    "intphys: quadruplets "
                    "in the original's layout (a folder with O1, O2, O3); default: none (generated ones)");
  command
      ->add_option(
          "--answers", options->answers,
          "intphys: answer files of other programs on --from, to stand beside the models; default: none")
      ->type_name("FILE...");
  command
      ->add_option("--k", options->few_shot.k,
                   "concepts: surprise_KNN takes the distance to the k-th nearest known violation")
      ->check(CLI::Range(1, 100000).description(""))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--gamma", options->few_shot.gamma, "concepts: weight of that distance in surprise_KNN")
      ->check(CLI::Range(0.0, 1e9).description(""))
      ->type_name("G")
      ->capture_default_str();
  add_seed_option(*command, options->seed, "of the tuples, the untrained network, splits and intervals");
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
