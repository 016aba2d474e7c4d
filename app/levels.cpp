/// \file  startle levels: making, converting, checking and listing level files.
#include <algorithm>

#include "app/command.hpp"
#include "app/level_sets.hpp"
#include "app/reports/table.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/generators.hpp"
#include "levels/level_file.hpp"
#include "levels/level_set.hpp"
#include "levels/search.hpp"
#include "sim/novelty_elements.hpp"

namespace startle {
namespace {

constexpr const char* p_level_measure = "p_level";

struct GenerateOptions {
  CommonOptions common;
  std::string family, out, novelty, tier, range, measure = p_level_measure, method = name(Method::extended);
  bool simulated = false;
  int count = 10;
  std::uint64_t seed = 1;

  bool of_p_level() const { return measure == p_level_measure; }
};

/// The command with the options that decide on the bytes.
std::string command_line(const GenerateOptions& options, std::size_t count) {
  std::string line = "startle levels generate";
  if (!options.family.empty()) line += " --family " + options.family;
  if (!options.novelty.empty()) line += " --novelty " + options.novelty;
  if (!options.tier.empty()) line += " --tier " + options.tier;
  if (!options.range.empty()) line += " --range " + options.range;
  if (!options.of_p_level())
    line += " --measure " + options.measure +
            (options.simulated ? std::string(" --simulated") : " --method " + options.method);
  return line + " --count " + std::to_string(count) + " --seed " + std::to_string(options.seed) +
         " --profile " + options.common.profile + " --out DIR";
}

LevelSetInfo set_info(const GenerateOptions& options, std::size_t count) {
  return {.version = STARTLE_VERSION,
          .command = command_line(options, count),
          .seed = options.seed,
          .profile = options.common.profile};
}

int generate_family(const GenerateOptions& options) {
  if (options.family.empty())
    throw Error("levels generate: --family is needed, or --novelty with --tier or --range");
  if (!options.tier.empty() || !options.range.empty() || !options.of_p_level() || options.simulated)
    throw Error("levels generate: a difficulty needs --novelty");
  const auto constants = profile(options.common.profile);
  find_generator(options.family);
  prepare_folder(options.out);
  require_place_for_set(options.out, command_line(options, 0));
  catch_interrupt();
  std::vector<StoredLevel> levels;
  {
    Progress progress(options.family, static_cast<std::size_t>(options.count), options.common.quiet);
    levels = without_difficulty(generate_levels(
        options.family, options.count, options.seed, constants, options.common.threads,
        [&](int) { progress.advance(); }, [] { return !interrupted(); }));
  }
  const KeepResults keep;
  write_level_set(levels, options.out, set_info(options, levels.size()));
  if (!options.common.quiet)
    report("wrote " + std::to_string(levels.size()) + (levels.size() == 1 ? " level to " : " levels to ") +
           options.out);
  return interrupted() ? exit_interrupted : 0;
}

/// "0.55:0.65".
std::pair<double, double> parse_range(const std::string& text) {
  const std::size_t colon = std::min(text.find(':'), text.size());
  const double low = parse_number<double>(text.substr(0, colon)).value_or(-1);
  const double high = parse_number<double>(text.substr(std::min(colon + 1, text.size()))).value_or(-1);
  if (!(low >= 0 && low <= high && high <= 1))
    throw Error("--range: found '" + text +
                "', allowed is LOW:HIGH with 0 <= LOW <= HIGH <= 1, for example 0.55:0.65");
  return {low, high};
}

SearchGoal chosen_goal(const GenerateOptions& options) {
  const Novelty& novelty = find_novelty(options.novelty);
  if (options.tier.empty() == options.range.empty())
    throw Error("levels generate: --novelty needs --tier or --range");
  const std::optional<Tier> tier = tier_from_name(options.tier);
  if (!options.tier.empty() && !tier)
    throw Error("--tier: found '" + options.tier + "', allowed are easy, medium and hard");
  if (options.of_p_level()) {
    if (options.simulated) throw Error("--simulated: needs --measure value, pid or bid");
    if (tier) return goal_of(novelty, *tier);
    const auto [min, max] = parse_range(options.range);
    return PLevelGoal{&novelty, {min, max}};
  }
  if (options.measure != "value" && options.measure != "pid" && options.measure != "bid")
    throw Error("--measure: found '" + options.measure + "', allowed are p_level, value, pid and bid");
  if (tier)
    throw Error("--tier: is for --measure p_level; found " + options.measure + ", which needs --range");
  DifficultyMeasure measure{&novelty, method_from_name(options.method)};
  if (options.simulated) measure.method.reset();
  if (options.measure != "value") measure.alpha = options.measure == "pid" ? 1 : 0;
  const auto [least, most] = parse_range(options.range);
  return ValueGoal{measure, least, most};
}

/// "T3 hard, p_level from 0 to 0.15".
std::string wanted(const SearchGoal& goal, const std::string& measure) {
  const auto tier = tier_of(goal);
  const auto [least, most] = range_of(goal);
  return novelty_of(goal)->name + (tier ? std::string(" ") + name(*tier) : "") + ", " + measure + " from " +
         shortest(least) + " to " + shortest(most);
}

SearchResult search(const SearchGoal& goal, const GenerateOptions& options,
                    std::shared_ptr<const Profile> constants) {
  Progress progress("levels", static_cast<std::size_t>(options.count), options.common.quiet);
  std::size_t done = 0;
  return search_levels(
      goal,
      {.family = options.family,
       .count = options.count,
       .seed = options.seed,
       .threads = options.common.threads},
      std::move(constants),
      [&](std::size_t levels, int candidates) {
        if (levels > done) progress.advance();
        done = levels;
        progress.note("candidates " + std::to_string(candidates));
      },
      [] { return !interrupted(); });
}

void report_search(const SearchResult& found, const SearchGoal& goal, const GenerateOptions& options) {
  if (!found.levels.empty())
    report("wrote " + std::to_string(found.levels.size()) +
           (found.levels.size() == 1 ? " level to " : " levels to ") + options.out + ", " +
           wanted(goal, options.measure));
  const SearchCounts& counts = found.counts;
  report("candidates " + std::to_string(counts.candidates) + ": not of that difficulty " +
         std::to_string(counts.unfit) + ", not stable " + std::to_string(counts.unstable) + ", not solved " +
         std::to_string(counts.unsolved) + ", near-duplicates " + std::to_string(counts.near_duplicates) +
         ", surplus by birds or objects " + std::to_string(counts.surplus));
  if (found.levels.size() > 1)
    report("distance of two levels: mean " + fixed(found.diversity.mean, 3) + ", to the one most alike " +
           fixed(found.diversity.nearest, 3) + ", least " + fixed(found.diversity.least, 3));
}

int generate_at_difficulty(const GenerateOptions& options) {
  const auto constants = profile(options.common.profile);
  if (!options.family.empty()) find_generator(options.family);
  const SearchGoal goal = chosen_goal(options);
  require_goal(goal);  // before a folder is made
  if (options.of_p_level() && !options.common.quiet) report_extrapolated(options.novelty);
  prepare_folder(options.out);
  require_place_for_set(options.out, command_line(options, 0));
  catch_interrupt();
  const SearchResult found = search(goal, options, constants);
  const KeepResults keep;
  LevelSetInfo info = set_info(options, found.levels.size());
  info.goal = goal;
  info.diversity = found.diversity;
  if (!found.levels.empty()) write_level_set(found.levels, options.out, info);
  if (!options.common.quiet) report_search(found, goal, options);
  if (interrupted()) return exit_interrupted;
  if (found.levels.size() == static_cast<std::size_t>(options.count)) return 0;
  report("only " + std::to_string(found.levels.size()) + " of " + std::to_string(options.count) +
         " levels found for " + wanted(goal, options.measure) + "; the budget of " +
         std::to_string(found.counts.candidates) + " candidates is used up" +
         (found.levels.empty() ? "" : "; the ones found are in " + options.out));
  return exit_bad_input;
}

int generate(const GenerateOptions& options) {
  return options.novelty.empty() ? generate_family(options) : generate_at_difficulty(options);
}

struct ConvertOptions {
  CommonOptions common;
  std::string in, out;
  std::vector<MappedName> map;
};

void convert(const ConvertOptions& options) {
  const StoredLevel level = read_level(options.in, options.map);
  const LevelProblems problems = validate(level, *profile(options.common.profile));
  if (!options.common.quiet) {
    for (const std::string& dropped : problems.dropped)
      report(options.in + ": " + dropped + " is kept, but Startle does not simulate it");
    for (const std::string& element : problems.own_novelty)
      report(options.in + ": " + element + " is kept as the level's own novelty");
    for (const std::string& what : level.ignored.listed())
      report(options.in + ": " + what + " is left out; the game ignores it");
  }
  write_level(level, options.out);
  if (!options.common.quiet && level.novelty && std::filesystem::path(options.out).extension() == ".xml" &&
      own_novelty_of(level) != level.novelty)
    report(options.out + ": XML has no place for the level's own novelty, which is left out");
}

struct CheckOptions {
  CommonOptions common;
  std::vector<std::string> files;
  std::vector<MappedName> map;
};

/// What is said about one file, whether it can be used, and whether what is then played is what the file
/// says.
struct Check {
  std::string text;
  bool good = false, whole = true;
};

/// "p_level 0.0850 hard"; "published pid 0.5000 bid 0.7000 value 0.6000, high third".
std::string difficulty_text(const StoredDifficulty& stored) {
  const std::string source = name(stored.source);
  if (stored.tier) return source + " " + fixed(stored.p_level, 4) + " " + name(*stored.tier);
  return source + " pid " + fixed(stored.pid, 4) + " bid " + fixed(stored.bid, 4) + " value " +
         fixed(stored.value, 4) +
         (stored.third ? std::string(", ") + name(stored.third->third) + " third" : "");
}

/// Throws Error for what cannot be read, and for a stored profile or novelty that is not known.
Check check_level(const std::string& path, const std::vector<MappedName>& names,
                  std::shared_ptr<const Profile> constants) {
  const StoredLevel level = read_level(path, names);
  const LevelProblems problems = validate(level, *constants);
  std::string notes;
  for (const std::string& error : problems.errors) notes += "  error: " + error + "\n";
  for (const std::string& warning : problems.warnings) notes += "  warning: " + warning + "\n";
  if (!problems.errors.empty()) return {path + ": cannot be used\n" + notes};

  for (const std::string& element : problems.dropped)
    notes += "  dropped: " + element + " is not simulated\n";
  for (const std::string& element : problems.own_novelty)
    notes += "  novelty of the file: " + element + " (played with --novelty own)\n";
  if (level.novelty && problems.own_novelty.empty())
    notes += "  novelty of the file: " + level.novelty->description + " (played with --novelty own)\n";
  SettleResult settled;
  try {
    settled = settle_scene(make_scene(level, constants));
  } catch (const Error& error) {
    return {path + ": cannot be used\n  error: " + error.what() + "\n" + notes};
  }
  if (settled.collapsed())
    notes += "  collapses: " + std::to_string(settled.moved_far) + " of " + std::to_string(settled.movable) +
             " objects move more than " + shortest(far_moved) + " unit before the first shot\n";
  bool whole = problems.dropped.empty() && !settled.collapsed();
  std::string line = path + ": birds " + std::to_string(level.birds.size()) + ", pigs " +
                     std::to_string(settled.scene.pigs_left()) + ", objects " +
                     std::to_string(level.objects.size()) + ", settling moves " + fixed(settled.shift, 4);
  if (!settled.settled) notes += "  warning: still moving after " + fixed(settled.seconds, 1) + " s\n";
  if (level.provenance && !level.provenance->solution.empty()) {
    const std::size_t shots = level.provenance->solution.size();
    const PlayResult replay = play(settle(make_scene(level, profile(level.provenance->profile))),
                                   level.provenance->solution);
    if (replay.cleared)
      line += ", stored solution clears it, shots " + std::to_string(replay.traces.size());
    else
      notes +=
          "  warning: the stored solution, shots " + std::to_string(shots) +
          ", does not clear the level; where the level was changed, take \"provenance\" out of its file\n";
    whole = whole && replay.cleared;
  }
  if (level.difficulty) {
    const StoredDifficulty& stored = *level.difficulty;
    const auto computed_under = level.provenance ? profile(level.provenance->profile) : constants;
    const std::string wrong = check_difficulty(stored, find_novelty(stored.novelty, level),
                                               settle(make_scene(level, computed_under)));
    if (wrong.empty())
      line += ", difficulty verified: " + stored.novelty + " " + difficulty_text(stored);
    else
      notes += "  warning: the stored difficulty of " + stored.novelty + " does not hold: " + wrong +
               "; startle difficulty --novelty " + stored.novelty + " --write DIR stores it anew\n";
    whole = whole && wrong.empty();
  }
  return {line + (whole ? "" : ": not what the file says") + "\n" + notes, true, whole};
}

/// One bad file must not lose what is said of the others.
Check check_file(const std::string& path, const std::vector<MappedName>& names,
                 std::shared_ptr<const Profile> constants) {
  try {
    return check_level(path, names, std::move(constants));
  } catch (const Error& error) {
    const std::string message = error.what();
    return {(message.starts_with(path) ? message : path + ": " + message) + "\n"};
  }
}

int check(const CheckOptions& options) {
  const auto constants = profile(options.common.profile);
  const std::vector<std::string> files = find_levels(options.files);
  catch_interrupt();
  std::vector<Check> checks(files.size());
  run_all("levels", files.size(), options.common,
          [&](std::size_t i) { checks[i] = check_file(files[i], options.map, constants); });
  std::string text;
  std::size_t good = 0, done = 0, changed = 0;
  for (const Check& result : checks) {
    text += result.text;
    done += result.text.empty() ? 0 : 1;
    good += result.good ? 1 : 0;
    changed += result.good && !result.whole ? 1 : 0;
  }
  emit(text + std::to_string(good) + " of " + std::to_string(done) + " files can be used" +
           (changed > 0 ? ", " + std::to_string(changed) +
                              (changed == 1 ? " of them is not what its file says"
                                            : " of them are not what their files say")
                        : "") +
           "\n",
       {});
  if (good != done) return exit_bad_input;
  if (interrupted()) return exit_interrupted;
  return changed > 0 ? exit_not_whole : 0;
}

struct ListOptions {
  CommonOptions common;
  std::vector<std::string> paths;
};

int list(const ListOptions& options) {
  std::vector<std::vector<std::string>> rows;
  if (options.paths.empty()) {
    rows.push_back({"family", "description"});
    for (const GeneratorInfo& family : generator_families())
      rows.push_back({family.name, family.description});
    emit(aligned(rows), {});
    return 0;
  }
  rows.push_back({"file", "birds", "pigs", "wood", "ice", "stone", "tnt", "platforms", "family"});
  int exit_code = 0;
  for (const std::string& file : find_levels(options.paths)) {
    StoredLevel level;
    try {
      level = read_level(file);
    } catch (const Error& error) {
      report(error.what());
      exit_code = exit_bad_input;
      continue;
    }
    const auto count = [&](Kind kind, Material material) {
      return std::to_string(
          std::count_if(level.objects.begin(), level.objects.end(),
                        [&](const LevelObject& o) { return o.kind == kind && o.material == material; }));
    };
    rows.push_back({file, std::to_string(level.birds.size()), count(Kind::pig, Material::none),
                    count(Kind::block, Material::wood), count(Kind::block, Material::ice),
                    count(Kind::block, Material::stone), count(Kind::tnt, Material::none),
                    count(Kind::platform, Material::none),
                    level.provenance ? level.provenance->family : "-"});
  }
  emit(aligned(rows), {});
  return exit_code;
}

void add_generate(CLI::App& levels, int& exit_code) {
  const auto options = std::make_shared<GenerateOptions>();
  CLI::App* command = levels.add_subcommand(
      "generate", "Makes levels, each verified stable and solvable, also at a set difficulty.");
  add_shared_option(*command, "--family", options->family,
                    "all by turns where a difficulty is asked for; default: required without --novelty");
  add_shared_option(
      *command, "--novelty", options->novelty,
      "of the catalogue; it is to be as hard to detect as --tier or --range says; default: none");
  CLI::Option* tier = command
                          ->add_option("--tier", options->tier,
                                       "easy, medium or hard: p_level over 0.85, 0.4 to 0.6, under 0.15; the "
                                       "chance that one play of the level detects the novelty; default: none")
                          ->check(some_values({"easy", "medium", "hard"}))
                          ->type_name("T");
  command
      ->add_option("--range", options->range,
                   "of the measure, both ends included, for example 0.55:0.65; default: none")
      ->excludes(tier)
      ->type_name("LOW:HIGH");
  command
      ->add_option("--measure", options->measure,
                   "what --range is about: p_level; or value, pid or bid, by --method or --simulated, which "
                   "say 0 where the novelty is easiest to detect")
      ->check(some_values({p_level_measure, "value", "pid", "bid"}))
      ->capture_default_str()
      ->type_name("M");
  CLI::Option* method = add_method_option(*command, options->method);
  add_shared_option(*command, "--simulated", options->simulated)->excludes(method);
  add_shared_option(*command, "--count", options->count, "levels")
      ->check(CLI::Range(1, 1000000).description(""));
  add_seed_option(*command, options->seed);
  add_shared_option(*command, "--out", options->out, "a folder for the levels and their manifest.json")
      ->required();
  add_common_options(*command, options->common);
  command->footer(
      "Interrupted, it writes the levels that are finished. Where fewer levels are found than asked for, "
      "those are written and\n"
      "the exit code is 2.\n"
      "Example: startle levels generate --family castles --count 20 --seed 1 --out castles\n"
      "         startle levels generate --novelty T3 --tier hard --count 50 --seed 1 --out hard-T3");
  command->callback([options, &exit_code] { exit_code = generate(*options); });
}

void add_convert(CLI::App& levels) {
  const auto options = std::make_shared<ConvertOptions>();
  CLI::App* command = levels.add_subcommand(
      "convert", "Turns a level into the other format: .json (Startle) or .xml (Science Birds).");
  add_shared_option(*command, "LEVEL", options->in, "its format shows in its text")->required();
  command->add_option("OUT", options->out, "file to write; its format is that of its extension")
      ->required()
      ->type_name("");
  add_common_options(*command, options->common);
  add_map_option(*command, options->map);
  command->footer("Example: startle levels convert level-04.xml level-04.json");
  command->callback([options] { convert(*options); });
}

void add_check(CLI::App& levels, int& exit_code) {
  const auto options = std::make_shared<CheckOptions>();
  CLI::App* command = levels.add_subcommand("check",
                                            "Says whether levels can be used, and what is odd about them.");
  add_shared_option(*command, "LEVELS", options->files)->required();
  add_map_option(*command, options->map);
  add_common_options(*command, options->common);
  command->footer(
      "A level can be used when it reads, its objects are known and in range, the solution stored in it, if "
      "any, still clears\n"
      "it, and the difficulty stored in it, if any, is what comes out now. The exit code is 2 when one "
      "cannot; it is 3 when all can but\n"
      "one is not what its file says: elements that are not simulated (dropped), or more than 10 % of the "
      "objects moving over 1 unit\n"
      "before the first shot (collapses). Settling is in world units: how far the object that moved most "
      "moved while the level came to rest.\n"
      "Example: startle levels check levels/data");
  command->callback([options, &exit_code] { exit_code = check(*options); });
}

void add_level_list(CLI::App& levels, int& exit_code) {
  const auto options = std::make_shared<ListOptions>();
  CLI::App* command = levels.add_subcommand(
      "list", "Lists the generator families, or the levels below the folders given.");
  add_shared_option(*command, "LEVELS", options->paths, "default: none (the families are listed)");
  add_common_options(*command, options->common);
  command->footer("Example: startle levels list levels/data");
  command->callback([options, &exit_code] { exit_code = list(*options); });
}

}  // namespace

void add_levels_command(CLI::App& app, int& exit_code) {
  CLI::App* levels = app.add_subcommand("levels", "Makes, converts, checks and lists level files.");
  levels->require_subcommand(0, 1);
  levels->callback([levels] {
    if (levels->get_subcommands().empty())
      throw Error("levels: a command is needed: generate, convert, check or list; --help says more");
  });
  levels->footer("Example: startle levels generate --family castles --count 20 --seed 1 --out castles");

  add_generate(*levels, exit_code);
  add_convert(*levels);
  add_check(*levels, exit_code);
  add_level_list(*levels, exit_code);
}

}  // namespace startle
