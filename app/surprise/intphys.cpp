/// \file  startle probe --suite intphys, and startle surprise intphys.
#include "app/surprise/intphys.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "app/reports/surprise/intphys_report.hpp"
#include "app/reports/table.hpp"
#include "app/surprise/clips_file.hpp"
#include "app/surprise/commands.hpp"
#include "app/surprise/named_scorer.hpp"
#include "app/surprise/probe_calibration.hpp"
#include "app/surprise/probe_scorers.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "surprise/probes/intphys/folder.hpp"

namespace startle {
namespace {

std::size_t sets_of_each(const ProbeCommandOptions& options) {
  return options.count.value_or(IntPhysSource{}.sets);
}

std::string data_of(const ProbeCommandOptions& o) {
  return (o.from ? " --from DIR" : "") +
         (o.count || !o.from ? " --count " + std::to_string(sets_of_each(o)) : "");
}

std::string intphys_command(const ProbeCommandOptions& o) {
  std::string command = scorers_command(o) + data_of(o);
  for (std::size_t i = 0; i < o.answers.size(); ++i) command += i == 0 ? " --answers FILE" : " FILE";
  return command + " --seed " + std::to_string(o.seed) + " --out DIR";
}

/// The format that the models read; without models, that of the data, at most 64 x 64 pixels.
ClipFormat clip_format(const ProbeCommandOptions& options, const std::vector<IntPhysRecord>& records) {
  if (!options.models.empty()) {
    const ClipFormat format = read_model_config(options.models[0]).clips;
    return intphys_format(format.frames, format.pixels);
  }
  if (records.empty()) return intphys_format();
  const Clip clip = read_intphys_clip(records[0].clips[0], 0, 0);
  const ClipFormat standard = intphys_format();
  return intphys_format(clip.frames, std::min(clip.pixels / 4 * 4, standard.pixels));
}

/// The sets of --from, or generated ones.
struct IntPhysData {
  bool generated = true;
  std::vector<IntPhysRecord> records;  ///< those of --from
  IntPhysSource source;

  std::size_t count() const { return generated ? source.count() : records.size(); }
  IntPhysClips clips(std::size_t i) const {
    return generated ? source.clips(i)
                     : read_intphys_clips(records[i], source.format.frames, source.format.pixels);
  }
};

/// The first `count` of each block and scenario; those of an unknown one count together.
std::vector<IntPhysRecord> first_of_each(std::vector<IntPhysRecord> records, std::size_t count) {
  std::map<std::pair<IntPhysBlock, std::string>, std::size_t> taken;
  std::erase_if(records, [&](const IntPhysRecord& record) {
    return ++taken[{record.block, record.scenario ? name(*record.scenario) : ""}] > count;
  });
  return records;
}

IntPhysData data_for(const ProbeCommandOptions& options) {
  IntPhysData data{.generated = !options.from,
                   .records = {},
                   .source = {.sets = sets_of_each(options), .seed = options.seed}};
  if (options.from) data.records = read_intphys_records(*options.from);
  if (options.from && options.count) data.records = first_of_each(std::move(data.records), *options.count);
  data.source.format = clip_format(options, data.records);
  return data;
}

int write_sets(const ProbeCommandOptions& options, const IntPhysData& data) {
  const auto clips = [&](std::size_t i) {
    IntPhysClips set = data.clips(i);
    return std::vector<Clip>(std::make_move_iterator(set.clips.begin()),
                             std::make_move_iterator(set.clips.end()));
  };
  return write_clips_file(*options.write_clips,
                          {.format = data.source.format,
                           .seed = options.seed,
                           .profile = intphys_profile,
                           .command = "startle probe --suite intphys" + data_of(options) + " --seed " +
                                      std::to_string(options.seed) + " --write-clips FILE"},
                          {.count = data.count(), .make = clips, .threads = options.threads}, "sets",
                          options.quiet);
}

/// Of each block the first visible and the first occluded set of moving things, or where scenarios are not
/// known the first one.
std::vector<std::size_t> example_sets(const IntPhysRun& run) {
  std::vector<std::size_t> chosen;
  for (const IntPhysBlock block : intphys_blocks()) {
    for (const bool occluded : {false, true})
      for (std::size_t i = 0; i < run.sets.size(); ++i) {
        const ScoredIntPhys& set = run.sets[i];
        if (set.block != block || (set.scenario && (set.scenario->occluded != occluded ||
                                                    set.scenario->motion == IntPhysMotion::still)))
          continue;
        if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) chosen.push_back(i);
        break;
      }
  }
  return chosen;
}

/// The scores of all sets, or of those done before an interruption, without answers of other programs.
IntPhysReport score_sets(const ProbeCommandOptions& options, const IntPhysData& data,
                         const ProbeScorers& scorers) {
  IntPhysReport result{.version = STARTLE_VERSION,
                       .command = intphys_command(options),
                       .models = scorers.models,
                       .model_hashes = scorers.model_hashes,
                       .calibrated = scorers.calibrated,
                       .generated = data.generated,
                       .format = data.source.format,
                       .plausibility = Plausibility::sum};
  result.metrics = {.seed = options.seed, .threads = options.threads};
  const std::size_t count = data.count();
  {
    Progress progress("sets", count, options.quiet);
    result.run = run_intphys(
        scorers.pointers(), count, [&](std::size_t i) { return data.clips(i); }, options.threads,
        [&] { progress.advance(); }, [] { return !interrupted(); });
  }
  result.run.seed = options.seed;
  const std::size_t done = result.run.sets.size();
  result.complete = done == count;
  if (done == 0)
    report("interrupted before any set was done");
  else if (!result.complete)
    report("interrupted: " + std::to_string(done) + " of " + std::to_string(count) +
           " sets done; the tables are over those");
  return result;
}

/// One file for each of the first so many scorers, in the format that the original's test asks for.
void write_answers(const IntPhysRun& run, std::size_t scorers, const std::filesystem::path& folder) {
  prepare_folder(folder);
  for (std::size_t s = 0; s < scorers; ++s) {
    std::string file = file_name(run.scorers[s]);
    std::replace(file.begin(), file.end(), ' ', '-');
    write_file(folder / (file + ".txt"), intphys_answers(run, s, Plausibility::sum));
  }
}

void write_intphys_results(const IntPhysReport& result, const std::filesystem::path& folder) {
  write_file(folder / "results.json", intphys_json(result));
  write_file(folder / "cells.csv", comma_separated(intphys_cell_rows(result)));
  write_file(folder / "clips.csv", comma_separated(intphys_clip_rows(result)));
  write_file(folder / "report.html", intphys_report(result));
}

}  // namespace

int run_intphys_suite(const ProbeCommandOptions& options) {
  const IntPhysData data = data_for(options);
  for (const std::string& path : options.answers)
    read_intphys_answers(read_file(path), path);  // bad ones are refused before the work
  if (options.write_clips) return write_sets(options, data);
  const ProbeScorers scorers = load_calibrated_scorers(options, data.source.format);
  if (options.calibrate)
    return calibrate_scorers(options, scorers, data.count(), [&](std::size_t i) {
      const IntPhysSet set = data.source.set(i);
      return std::array<Clip, 2>{set.clip(0), set.clip(1)};
    });
  const std::filesystem::path folder = options.out;
  catch_interrupt();
  prepare_folder(folder);
  IntPhysReport result = score_sets(options, data, scorers);
  if (result.run.sets.empty()) return exit_interrupted;
  const int exit_code = result.complete ? exit_done : exit_interrupted;
  for (const std::string& path : options.answers)
    add_answers(result.run, unique_name(std::filesystem::path(path).stem().string(), result.run.scorers),
                read_intphys_answers(read_file(path), path), path);
  write_answers(result.run, scorers.all.size(), folder / "answers");
  const bool known = std::any_of(result.run.sets.begin(), result.run.sets.end(),
                                 [](const ScoredIntPhys& set) { return set.possible.has_value(); });
  if (!known) {
    if (!options.quiet)
      report("the data do not say what is possible: wrote the answer files alone, to " +
             (folder / "answers").string());
    return exit_code;
  }
  result.tables = intphys_tables(result.run, result.metrics);
  for (const std::size_t i : example_sets(result.run)) result.examples.push_back({data.clips(i), i});
  write_intphys_results(result, folder);
  emit(intphys_text(result), std::nullopt);
  if (!options.quiet)
    report("wrote report.html, results.json, cells.csv, clips.csv and answers to " + options.out);
  return exit_code;
}

namespace {

struct FolderOptions {
  IntPhysFolderSettings settings;
  int frames = intphys_format().frames, pixels = intphys_format().pixels;
  std::string out;
  int threads = 0;
  bool quiet = false;
};

int run_folder(FolderOptions options) {
  options.settings.format = intphys_format(options.frames, options.pixels);
  const IntPhysFolderSettings& settings = options.settings;
  const std::size_t count = settings.train + (settings.dev + settings.test) * intphys_blocks().size() *
                                                 intphys_scenarios().size();
  if (count == 0)
    throw Error("--train-clips, --dev-sets, --test-sets: found 0 of each, needed is one at least");
  catch_interrupt();
  bool finished = false;
  {
    Progress progress("clips and sets", count, options.quiet);
    finished = write_intphys_folder(
        options.out, settings, STARTLE_VERSION, options.threads, [&] { progress.advance(); },
        [] { return !interrupted(); });
  }
  if (!finished) {
    report("interrupted: the same command goes on from what is in " + options.out);
    return exit_interrupted;
  }
  if (!options.quiet) report(options.out + ": " + std::to_string(count) + " clips and sets");
  return 0;
}

}  // namespace

void add_intphys_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<FolderOptions>();
  CLI::App* command = app.add_subcommand(
      "intphys",
      "Writes IntPhys sets and training clips as folders of pictures, laid out as the original data set.");
  const auto count = CLI::Range(0, 1000000).description("");
  add_shared_option(*command, "--out", options->out, "a folder; an unfinished one is gone on with")
      ->required();
  command->add_option("--train-clips", options->settings.train, "training clips")
      ->check(count)
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--dev-sets", options->settings.dev,
                   "dev sets of each of the 54 scenarios, four clips each")
      ->check(count)
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--test-sets", options->settings.test, "test sets of each scenario")
      ->check(count)
      ->type_name("N")
      ->capture_default_str();
  add_shared_option(*command, "--frames", options->frames, "41 to 1000; the original has 100");
  add_shared_option(*command, "--frame-size", options->pixels, "the original has 288");
  add_seed_option(*command, options->settings.seed);
  add_threads_option(*command, options->threads);
  add_quiet_option(*command, options->quiet);
  command->footer(
      "The layout: docs/probes.md.\n"
      "Example: startle surprise intphys --dev-sets 2 --out intphys-data");
  command->callback([options, &exit_code] { exit_code = run_folder(*options); });
}

}  // namespace startle
