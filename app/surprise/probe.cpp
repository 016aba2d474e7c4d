/// \file  startle probe: does a model expect what physics allows?
#include <algorithm>

#include "app/surprise/commands.hpp"
#include "app/surprise/named_scorer.hpp"
#include "app/surprise/probe_report.hpp"
#include "levels/files.hpp"
#include "sim/error.hpp"
#include "surprise/learned_scorer.hpp"

namespace startle {
namespace {

struct ProbeCommandOptions {
  std::string suite = "concepts", out;
  std::vector<std::string> models;
  ProbeOptions probes;
  double tie_tolerance = default_tie_tolerance;
  int threads = 0;
  bool quiet = false;
};

std::string command_of(const ProbeCommandOptions& o) {
  std::string command = "startle probe --suite " + o.suite;
  for (std::size_t i = 0; i < o.models.size(); ++i) command += i == 0 ? " --model FILE" : " FILE";
  return command + " --tuples " + std::to_string(o.probes.tuples) + " --tie-tolerance " + shortest(o.tie_tolerance) + " --seed " + std::to_string(o.probes.seed) + " --out DIR";
}

/// "model" where it is the only one; else the name of its file and folder, with a number where several are called so: tables and
/// results.json tell predictors by their names.
std::string model_name(const std::filesystem::path& path, std::size_t models, const std::vector<std::unique_ptr<ClipScorer>>& before) {
  if (models == 1) return "model";
  const std::string name = std::filesystem::absolute(path).parent_path().filename().string() + "/" + path.filename().string();
  std::string unique = name;
  const auto taken = [&](const std::unique_ptr<ClipScorer>& predictor) { return predictor->name() == unique; };
  for (int i = 2; std::any_of(before.begin(), before.end(), taken); ++i) unique = name + " (" + std::to_string(i) + ")";
  return unique;
}

int run_probe(const ProbeCommandOptions& options) {
  if (options.suite != "concepts") throw Error("--suite: found '" + options.suite + "', allowed is concepts");
  const PredictionOptions prediction{.threads = options.threads};
  std::vector<std::unique_ptr<ClipScorer>> predictors;
  for (std::size_t i = 0; i < options.models.size(); ++i) {
    const std::filesystem::path path = options.models[i];
    const ModelConfig of_model = read_model_config(path);
    const ClipFormat wanted = probe_format();
    if (of_model.clips.frames != wanted.frames || of_model.clips.pixels != wanted.pixels)
      throw Error(path.string() + ": reads clips of " + std::to_string(of_model.clips.frames) + " frames of " + std::to_string(of_model.clips.pixels) + " pixels, probes have " +
                  std::to_string(wanted.frames) + " of " + std::to_string(wanted.pixels));
    if (!(of_model.clips == wanted) && !options.quiet) report(path.string() + ": was trained on clips of another world than that of the probes");
    predictors.push_back(std::make_unique<NamedScorer>(model_name(path, options.models.size(), predictors), load_scorer(path, prediction)));
  }
  // As many as there are kinds of models: an untrained network of one kind says nothing of another.
  std::vector<std::string> kinds;
  for (const std::string& path : options.models) {
    const ModelConfig config = read_model_config(path);
    const std::string kind = std::string("untrained ") + name(config.network) + (config.masks ? " on masks" : "");
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    kinds.push_back(kind);
    predictors.push_back(std::make_unique<NamedScorer>(options.models.size() == 1 ? "untrained" : kind, load_untrained_scorer(path, options.probes.seed, prediction)));
  }
  if (options.models.empty()) {
    ModelConfig config;
    config.clips = probe_format();
    predictors.push_back(make_untrained(config, options.probes.seed, prediction));
  }
  predictors.push_back(make_copy_last());
  predictors.push_back(make_linear_extrapolation());
  std::vector<ClipScorer*> pointers;
  for (const auto& predictor : predictors) pointers.push_back(predictor.get());
  const std::filesystem::path folder = options.out;
  catch_interrupt();
  prepare_folder(folder);

  ProbeReport result{.version = STARTLE_VERSION, .command = command_of(options), .models = options.models.size(), .run = {}, .tables = {}, .examples = {}};
  result.metrics = {.tie_tolerance = options.tie_tolerance, .seed = options.probes.seed, .threads = options.threads};
  const std::size_t count = options.probes.tuples * probe_concepts().size();
  {
    Progress progress("tuples", count, options.quiet);
    ProbeOptions probes = options.probes;
    probes.threads = options.threads;
    result.run = run_probes(pointers, probes, [&] { progress.advance(); }, [] { return !interrupted(); });
  }
  if (result.run.tuples.empty()) {
    report("interrupted before any tuple was done");
    return exit_interrupted;
  }
  result.complete = result.run.tuples.size() == count;
  if (!result.complete) report("interrupted: " + std::to_string(result.run.tuples.size()) + " of " + std::to_string(count) + " tuples done; the tables are over those");
  result.tables = probe_tables(result.run, result.metrics);
  for (std::size_t i = 0; i < std::min(probe_concepts().size(), result.run.tuples.size()); ++i) {
    const ProbedTuple& tuple = result.run.tuples[i];
    result.examples.push_back({make_probe_tuple(tuple.kind, result.run.seed, tuple.number), tuple.predictors[0]});
  }
  write_file(folder / "results.json", probe_json(result));
  write_file(folder / "cells.csv", comma_separated(probe_cell_rows(result)));
  write_file(folder / "tuples.csv", comma_separated(probe_tuple_rows(result)));
  write_file(folder / "report.html", probe_report(result));
  emit(probe_text(result), std::nullopt);
  if (!options.quiet) report("wrote report.html, results.json, cells.csv and tuples.csv to " + options.out);
  return result.complete ? 0 : exit_interrupted;
}

}  // namespace

void add_probe_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ProbeCommandOptions>();
  CLI::App* command = app.add_subcommand("probe", "Says how often a model is the more surprised by what physics does not allow.");
  command->add_option("--suite", options->suite, "concepts: five physical concepts")->type_name("NAME")->capture_default_str();
  command->add_option("--model", options->models, "models to compare; without any, the controls alone")->type_name("FILE...");
  command->add_option("--out", options->out, "folder for report.html, results.json, cells.csv and tuples.csv")->required()->type_name("DIR");
  command->add_option("--tuples", options->probes.tuples, "tuples of each concept")->check(CLI::Range(1, 1000000).description(""))->type_name("N")->capture_default_str();
  command->add_option("--tie-tolerance", options->tie_tolerance, "surprises nearer than this share of their sum are tied")
      ->check(CLI::Range(0.0, 1.0).description(""))
      ->type_name("X")
      ->capture_default_str();
  add_seed_option(*command, options->probes.seed, "of the tuples, the untrained network, splits and intervals");
  command->add_option("--threads", options->threads, "threads to use; 0: all of the machine")->check(CLI::Range(0, 1024).description(""))->type_name("N")->capture_default_str();
  command->add_flag("--quiet", options->quiet, "no progress on standard error");
  command->footer("What the probes are: docs/probes.md.\n"
                  "Example: startle probe --model run/model.safetensors --out probes");
  command->callback([options, &exit_code] { exit_code = run_probe(*options); });
}

}  // namespace startle
