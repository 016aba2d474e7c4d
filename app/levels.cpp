/// \file  startle levels: making, converting, checking and listing level files.
#include <algorithm>

#include "app/command.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "levels/level_set.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"

namespace startle {
namespace {

struct GenerateOptions {
  CommonOptions common;
  std::string family, out;
  int count = 10;
  std::uint64_t seed = 1;
};

int generate(const GenerateOptions& options) {
  const auto constants = profile(options.common.profile);
  find_generator(options.family);
  prepare_folder(options.out);
  catch_interrupt();
  std::vector<Level> levels;
  {
    Progress progress(options.family, static_cast<std::size_t>(options.count), options.common.quiet);
    levels = generate_levels(options.family, options.count, options.seed, constants, options.common.threads,
                             [&](int) { progress.advance(); }, [] { return !interrupted(); });
  }
  write_level_set(levels, options.out,
                  {.version = STARTLE_VERSION,
                   .command = "startle levels generate --family " + options.family + " --count " + std::to_string(levels.size()) +
                              " --seed " + std::to_string(options.seed) + " --profile " + options.common.profile + " --out DIR",
                   .seed = options.seed,
                   .profile = options.common.profile});
  if (!options.common.quiet) report("wrote " + std::to_string(levels.size()) + " levels to " + options.out);
  return interrupted() ? exit_interrupted : 0;
}

struct ConvertOptions {
  CommonOptions common;
  std::string in, out;
};

void convert(const ConvertOptions& options) {
  const Level level = read_level(options.in);
  if (!options.common.quiet)
    for (const UnknownElement& unknown : level.unknown)
      report(options.in + ": element " + unknown.element + " is kept, but Startle does not simulate it");
  write_level(level, options.out);
}

struct CheckOptions {
  CommonOptions common;
  std::vector<std::string> files;
};

/// What is said about one file, and whether it can be used.
struct Check {
  std::string text;
  bool good = false;
};

Check check_file(const std::string& path, std::shared_ptr<const Profile> constants) {
  Level level;
  try {
    level = read_level(path);
  } catch (const Error& error) {
    const std::string message = error.what();
    return {(message.starts_with(path) ? message : path + ": " + message) + "\n"};
  }
  const LevelProblems problems = validate(level, *constants);
  std::string notes;
  for (const std::string& error : problems.errors) notes += "  error: " + error + "\n";
  for (const std::string& warning : problems.warnings) notes += "  warning: " + warning + "\n";
  if (!problems.errors.empty()) return {path + ": cannot be used\n" + notes};

  const SettleResult settled = settle_scene(make_scene(level, constants));
  std::string line = path + ": birds " + std::to_string(level.birds.size()) + ", pigs " + std::to_string(settled.scene.pigs_left()) +
                     ", objects " + std::to_string(level.objects.size()) + ", settling moves " + fixed(settled.shift, 4);
  if (!settled.settled) notes += "  warning: still moving after " + fixed(settled.seconds, 1) + " s\n";
  bool good = true;
  if (level.provenance && !level.provenance->solution.empty()) {
    const std::size_t shots = level.provenance->solution.size();
    const auto proved_under = profile(level.provenance->profile);
    const PlayResult replay = play(settle(make_scene(level, proved_under)), level.provenance->solution);
    good = replay.cleared;
    line += good ? ", stored solution clears it, shots " + std::to_string(replay.traces.size()) : "";
    if (!good) notes += "  error: the stored solution of " + std::to_string(shots) + " shots does not clear the level\n";
  }
  return {line + (good ? "" : ": wrong") + "\n" + notes, good};
}

int check(const CheckOptions& options) {
  const auto constants = profile(options.common.profile);
  const std::vector<std::string> files = find_levels(options.files);
  catch_interrupt();
  std::vector<Check> checks(files.size());
  {
    Progress progress("levels", files.size(), options.common.quiet);
    parallel_for(
        files.size(), options.common.threads,
        [&](std::size_t i) {
          checks[i] = check_file(files[i], constants);
          progress.advance();
        },
        [] { return !interrupted(); });
  }
  std::string text;
  std::size_t good = 0, done = 0;
  for (const Check& result : checks) {
    text += result.text;
    done += result.text.empty() ? 0 : 1;
    good += result.good ? 1 : 0;
  }
  emit(text + std::to_string(good) + " of " + std::to_string(done) + " files can be used\n", {});
  if (good != done) return exit_bad_input;
  return interrupted() ? exit_interrupted : 0;
}

struct ListOptions {
  CommonOptions common;
  std::vector<std::string> paths;
};

int list(const ListOptions& options) {
  std::vector<std::vector<std::string>> rows;
  if (options.paths.empty()) {
    rows.push_back({"family", "description"});
    for (const GeneratorInfo& family : generator_families()) rows.push_back({family.name, family.description});
    emit(aligned(rows), {});
    return 0;
  }
  rows.push_back({"file", "birds", "pigs", "wood", "ice", "stone", "tnt", "platforms", "family"});
  int exit_code = 0;
  for (const std::string& file : find_levels(options.paths)) {
    Level level;
    try {
      level = read_level(file);
    } catch (const Error& error) {
      report(error.what());
      exit_code = exit_bad_input;
      continue;
    }
    const auto count = [&](Kind kind, Material material) {
      return std::to_string(std::count_if(level.objects.begin(), level.objects.end(),
                                          [&](const LevelObject& o) { return o.kind == kind && o.material == material; }));
    };
    rows.push_back({file, std::to_string(level.birds.size()), count(Kind::pig, Material::none), count(Kind::block, Material::wood),
                    count(Kind::block, Material::ice), count(Kind::block, Material::stone), count(Kind::tnt, Material::none),
                    count(Kind::platform, Material::none), level.provenance ? level.provenance->family : "-"});
  }
  emit(aligned(rows), {});
  return exit_code;
}

std::string family_names() {
  std::string names;
  for (const GeneratorInfo& family : generator_families()) names += (names.empty() ? "" : ", ") + family.name;
  return names;
}

}  // namespace

void add_levels_command(CLI::App& app, int& exit_code) {
  CLI::App* levels = app.add_subcommand("levels", "Makes, converts, checks and lists level files.");
  levels->require_subcommand(0, 1);
  levels->callback([levels] {
    if (levels->get_subcommands().empty()) throw Error("levels: a command is needed: generate, convert, check or list; --help says more");
  });
  levels->footer("Example: startle levels generate --family castles --count 20 --seed 1 --out castles");

  const auto generating = std::make_shared<GenerateOptions>();
  CLI::App* generate_command = levels->add_subcommand("generate", "Makes levels, each proved stable and solvable.");
  generate_command->add_option("--family", generating->family, "one of " + family_names())->required()->type_name("F");
  generate_command->add_option("--count", generating->count, "number of levels")->check(CLI::Range(1, 1000000).description(""))->type_name("N")->capture_default_str();
  generate_command->add_option("--seed", generating->seed, "the same seed gives the same bytes")->check(CLI::NonNegativeNumber.description(""))->type_name("S")->capture_default_str();
  generate_command->add_option("--out", generating->out, "folder for the levels and their manifest.json")->required()->type_name("DIR");
  add_common_options(*generate_command, generating->common);
  generate_command->footer("Interrupted, it writes the levels that are finished.\n"
                           "Example: startle levels generate --family castles --count 20 --seed 1 --out castles");
  generate_command->callback([generating, &exit_code] { exit_code = generate(*generating); });

  const auto converting = std::make_shared<ConvertOptions>();
  CLI::App* convert_command = levels->add_subcommand("convert", "Turns a level into the other format: .json (Startle) or .xml (Science Birds).");
  convert_command->add_option("IN", converting->in, "level file; its format shows in its text")->required()->type_name("");
  convert_command->add_option("OUT", converting->out, "file to write; its format is that of its extension")->required()->type_name("");
  add_common_options(*convert_command, converting->common);
  convert_command->footer("Example: startle levels convert level-04.xml level-04.json");
  convert_command->callback([converting] { convert(*converting); });

  const auto checking = std::make_shared<CheckOptions>();
  CLI::App* check_command = levels->add_subcommand("check", "Says whether levels can be used, and what is odd about them.");
  check_command->add_option("FILES", checking->files, "level files or folders")->required()->type_name("");
  add_common_options(*check_command, checking->common);
  check_command->footer("A level can be used when it reads, its objects are known and in range, and the solution stored in it, if any, still\n"
                        "clears it. The exit code is 2 when one cannot. Settling is in world units: how far the object that moved most moved\n"
                        "while the level came to rest.\n"
                        "Example: startle levels check levels/data");
  check_command->callback([checking, &exit_code] { exit_code = check(*checking); });

  const auto listing = std::make_shared<ListOptions>();
  CLI::App* list_command = levels->add_subcommand("list", "Lists the generator families, or the levels below the folders given.");
  list_command->add_option("PATHS", listing->paths, "level files or folders; none: the families")->type_name("");
  add_common_options(*list_command, listing->common);
  list_command->footer("Example: startle levels list levels/data");
  list_command->callback([listing, &exit_code] { exit_code = list(*listing); });
}

}  // namespace startle
