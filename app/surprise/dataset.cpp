/// \file  startle surprise dataset: clips of the normal world for models to learn from.
#include "surprise/dataset.hpp"

#include "app/surprise/commands.hpp"
#include "core/error.hpp"
#include "surprise/probes/intphys/scene.hpp"
#include "surprise/probes/scene_sets.hpp"
#include "surprise/probes/training_scenes.hpp"

namespace startle {
namespace {

struct DatasetCommandOptions {
  CommonOptions common;
  std::string out;
  std::string split = "train", scenes = "levels";
  std::optional<int> frames;
  std::optional<std::string> from;
  DatasetInfo settings;
};

/// In the formats of intphys_format(): our scenes, and clips of the published set.
bool is_intphys(const DatasetInfo& settings) {
  return settings.profile == intphys_profile || settings.profile == intphys_folder_profile;
}

/// The command that makes these very bytes.
std::string command_of(const DatasetInfo& settings, bool from) {
  const ClipFormat& format = settings.format;
  const std::string masks = settings.masks ? " --masks" : "";
  if (from || scene_set(settings.profile))
    return "startle surprise dataset " + (from ? "--from DIR" : "--scenes " + settings.profile) +
           " --count " + std::to_string(settings.count) +
           (from ? "" : " --seed " + std::to_string(settings.seed)) + " --split " + name(settings.split) +
           (is_intphys(settings) ? " --frames " + std::to_string(format.frames) + " --frame-size " +
                                       std::to_string(format.pixels)
                                 : "") +
           masks + " --out FILE";
  std::string command = "startle surprise dataset --count " + std::to_string(settings.count) + " --seed " +
                        std::to_string(settings.seed) + " --split " + name(settings.split) + " --profile " +
                        settings.profile + " --frames " + std::to_string(format.frames) + " --frame-size " +
                        std::to_string(format.pixels) + " --stride " + std::to_string(format.stride) +
                        " --lead " + std::to_string(format.lead) + " --view " + shortest(format.view);
  if (!settings.novelty.empty()) command += " --novelty " + settings.novelty;
  return command + masks + " --out FILE";
}

int run_dataset(const DatasetCommandOptions& options) {
  DatasetInfo settings = options.settings;
  const std::optional<Split> split = split_from_name(options.split);
  if (!split) throw Error("--split: found '" + options.split + "', allowed are train, validation and test");
  settings.split = *split;
  if (options.from && options.scenes != "levels")
    throw Error("--from: found --scenes " + options.scenes + ", allowed is one of the two");
  const std::string in_place = options.from ? "--from" : "--scenes " + options.scenes;  // of levels
  SceneSet published;
  if (options.from) published = published_scene_set(*options.from, settings.split);
  const SceneSet* scenes = options.from ? &published : scene_set(options.scenes);
  if (options.scenes != "levels" && !scenes)
    throw Error("--scenes: found '" + options.scenes + "', allowed are levels, probes, freeform and intphys");
  settings.profile = scenes ? scenes->profile : options.common.profile;
  if (is_intphys(settings)) {
    const ClipFormat levels;
    if (settings.format.stride != levels.stride || settings.format.lead != levels.lead ||
        settings.format.view != levels.view)
      throw Error(in_place + ": --stride, --lead and --view are for levels");
    settings.format = intphys_format(options.frames.value_or(intphys_format().frames),
                                     settings.format.pixels);
  } else if (scenes) {
    if (!(settings.format == ClipFormat{}) || options.frames)
      throw Error(in_place +
                  ": has one format of clips; --frames, --frame-size, --stride, --lead and --view are for "
                  "levels");
    settings.format = probe_format();
  } else {
    settings.format.frames = options.frames.value_or(settings.format.frames);
  }
  settings.program = STARTLE_VERSION;
  settings.command = command_of(settings, options.from.has_value());
  catch_interrupt();
  std::unique_ptr<Progress> progress;
  std::size_t counted = 0;
  const bool finished = make_dataset(options.out, settings,
                                     {.scenes = scenes,
                                      .threads = options.common.threads,
                                      .progress =
                                          [&](std::size_t clips) {
                                            if (!progress) {
                                              progress = std::make_unique<Progress>(
                                                  "clips", settings.count - clips, options.common.quiet);
                                              counted = clips;
                                            }
                                            for (; counted < clips; ++counted) progress->advance();
                                          },
                                      .keep_going = [] { return !interrupted(); }});
  progress.reset();
  if (!finished) {
    report("interrupted: " + std::to_string(counted) + " of " + std::to_string(settings.count) +
           " clips are in " + options.out + ".partial; the same command goes on from there");
    return exit_interrupted;
  }
  if (!options.common.quiet) report(options.out + ": " + std::to_string(settings.count) + " clips");
  return 0;
}

}  // namespace

void add_dataset_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<DatasetCommandOptions>();
  CLI::App* command = app.add_subcommand(
      "dataset",
      "Makes clips for models to learn from, of shots at generated levels or of the scenes of probes.");
  DatasetInfo& settings = options->settings;
  add_shared_option(*command, "--out", options->out, "an HDF5 file; unfinished work is kept in FILE.partial")
      ->required();
  add_shared_option(*command, "--count", settings.count, "clips")
      ->required()
      ->check(CLI::Range(1, 100000000).description(""));
  add_seed_option(*command, settings.seed);
  command->add_option("--split", options->split, "train, validation or test: they share no level")
      ->check(some_values({"train", "validation", "test"}))
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option(
          "--scenes", options->scenes,
          "levels: shots at generated levels; probes, intphys: events of the suites of startle probe; "
          "freeform: bodies that move at random, in the world of the first of these")
      ->check(some_values({"levels", "probes", "freeform", "intphys"}))
      ->type_name("NAME")
      ->capture_default_str();
  add_shared_option(
      *command, "--from", options->from,
      "the first --count in place of scenes: of Physical Concepts its freeform videos of --split train or "
      "test; of IntPhys, or a folder laid out so, its training clips, every tenth for --split validation; "
      "default: none (generated ones)");
  add_shared_option(*command, "--novelty", settings.novelty,
                    "of the catalogue: clips of its world; default: none (the normal world)");
  command->add_flag("--masks", settings.masks, "which object each pixel shows, too");
  add_shared_option(*command, "--frames", options->frames, "default: by --scenes (15, or 50 for intphys)");
  add_shared_option(*command, "--frame-size", settings.format.pixels);
  add_shared_option(*command, "--stride", settings.format.stride);
  command->add_option("--lead", settings.format.lead, "frames before the bird's first contact")
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--view", settings.format.view, "world units across a frame")
      ->type_name("W")
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "What the clips show, and the layout of the file: docs/surprise-data.md.\n"
      "Example: startle surprise dataset --out train.h5 --count 20000 --seed 1");
  command->callback([options, &exit_code] { exit_code = run_dataset(*options); });
}

}  // namespace startle
