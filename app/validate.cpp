/// \file  startle validate: how well reasoning and its difficulty values agree with simulation.
#include <map>

#include "app/command.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/generators.hpp"
#include "levels/level_set.hpp"
#include "reports/benchmark_report.hpp"
#include "reports/table.hpp"
#include "reports/validation_report.hpp"

namespace startle {
namespace {

struct ValidateOptions {
  CommonOptions common;
  std::optional<std::string> levels, family, benchmark;
  std::size_t limit = 0;
  std::size_t observed_shots = 4;
  int generate = 0;
  std::vector<std::string> novelties;
  std::uint64_t seed = 1;
  AimNoise noise;
  std::string out;
};

/// A level of the set, read or generated.
StoredLevel level_number(std::size_t i, const ValidateOptions& options, const std::vector<std::string>& files,
                         std::shared_ptr<const Profile> constants) {
  if (!files.empty()) return load_level(files[i], *constants, options.common.quiet);
  if (options.family)
    return {generate_level(find_generator(*options.family), options.seed, i, constants), {}};
  const std::vector<GeneratorInfo>& families = generator_families();
  return {generate_level(families[i % families.size()], options.seed, i / families.size(), constants), {}};
}

std::string command_of(const ValidateOptions& options) {
  std::string command = "startle validate ";
  if (options.levels) {
    command += "--levels DIR";
  } else {
    command += "--count " + std::to_string(options.generate) +
               (options.family ? " --family " + *options.family : "") + " --seed " +
               std::to_string(options.seed);
  }
  command += " --novelty ";
  for (std::size_t k = 0; k < options.novelties.size(); ++k)
    command += (k > 0 ? "," : "") + options.novelties[k];
  return command + " --aim-noise " + shortest(options.noise.sd) + " --launches " +
         std::to_string(options.noise.launches) + " --profile " + options.common.profile + " --out DIR";
}

void require_noise(const AimNoise& noise) {
  try {
    require_valid(noise);
  } catch (const Error& error) {
    throw Error("validate: --" + std::string(error.what()));
  }
}

/// Levels below the folder of --benchmark, at most --limit of each novelty and tier.
std::vector<StoredLevel> read_made_levels(const ValidateOptions& options, const Profile& constants) {
  std::vector<StoredLevel> made;
  std::map<std::pair<std::string, Tier>, std::size_t> taken;
  for (const std::string& file : find_levels({*options.benchmark})) {
    StoredLevel level = load_level(file, constants, options.common.quiet);
    if (!level.difficulty || !level.difficulty->tier)
      throw Error(
          *options.benchmark + ": level " + level.name +
          " does not say for which novelty and tier it was made; levels generate --tier makes such levels");
    if (options.limit > 0 && ++taken[{level.difficulty->novelty, *level.difficulty->tier}] > options.limit)
      continue;
    made.push_back(std::move(level));
  }
  return made;
}

BenchmarkLevel simulate_made_level(const StoredLevel& level, const std::shared_ptr<const Profile>& constants,
                                   const ValidateOptions& options) {
  const StoredDifficulty& stored = *level.difficulty;
  const Scene scene = settle(make_scene(level, constants));
  const Novelty novelty = find_novelty(stored.novelty, level);
  const std::vector<Shot> solution = level.provenance ? level.provenance->solution : std::vector<Shot>{};
  BenchmarkLevel result{.name = level.name,
                        .novelty = stored.novelty,
                        .tier = *stored.tier,
                        .value = stored.value,
                        .birds = scene.birds_left(),
                        .objects = level.objects.size(),
                        .visible = visible_shots(scene, novelty, solution, options.noise, true)};
  AimNoise observed = options.noise;
  observed.launches = options.observed_shots;
  if (options.observed_shots > 0)
    result.detected = detected_shots(scene, novelty, observed, {.aim_noise = options.noise.sd});
  return result;
}

BenchmarkRun benchmark_run(const ValidateOptions& options, std::vector<BenchmarkLevel> levels) {
  return {.version = STARTLE_VERSION,
          .command = "startle validate --benchmark DIR" +
                     (options.limit > 0 ? " --limit " + std::to_string(options.limit) : "") +
                     " --aim-noise " + shortest(options.noise.sd) + " --launches " +
                     std::to_string(options.noise.launches) + " --observed-shots " +
                     std::to_string(options.observed_shots) + " --profile " + options.common.profile +
                     " --out DIR",
          .profile = options.common.profile,
          .noise = options.noise,
          .launches = options.observed_shots,
          .unfinished = interrupted(),
          .levels = std::move(levels)};
}

void write_benchmark(const BenchmarkRun& run, const std::filesystem::path& folder) {
  const Rows table = benchmark_table(run.levels), trends = benchmark_trends(run.levels);
  write_file(folder / "benchmark.csv", comma_separated(table));
  write_file(folder / "trends.csv", comma_separated(trends));
  write_file(folder / "levels.csv", comma_separated(benchmark_level_rows(run.levels)));
  write_file(folder / "report.html", benchmark_report(run));
  emit(benchmark_finding(run.levels) + "\n\n" + std::to_string(run.levels.size()) +
           " levels, shots perturbed by N(0, " + shortest(run.noise.sd) + " rad), " +
           std::to_string(run.noise.launches) + " of each kind; of the best ones the observer tested " +
           std::to_string(run.launches) + "\n\n" + aligned(table) + "\nfrom easy to hard\n" + aligned(trends),
       std::nullopt);
}

/// Whether the levels below a folder, each with the novelty and tier it was made for, differ by tier in what
/// simulation shows.
int validate_benchmark(const ValidateOptions& options) {
  const auto constants = profile(options.common.profile);
  const std::vector<StoredLevel> made = read_made_levels(options, *constants);
  prepare_folder(options.out);
  catch_interrupt();
  std::vector<std::optional<BenchmarkLevel>> done(made.size());
  run_all("levels", done.size(), options.common,
          [&](std::size_t i) { done[i] = simulate_made_level(made[i], constants, options); });
  std::vector<BenchmarkLevel> simulated;
  for (std::optional<BenchmarkLevel>& level : done)
    if (level) simulated.push_back(std::move(*level));
  if (simulated.empty()) throw Error("validate: no level was simulated");
  if (interrupted())
    report("interrupted: " + std::to_string(simulated.size()) + " of " + std::to_string(done.size()) +
           " levels done; the table is over those");
  write_benchmark(benchmark_run(options, std::move(simulated)), options.out);
  return interrupted() ? exit_interrupted : 0;
}

/// Throws Error where options do not go together.
void require_consistent(const ValidateOptions& options) {
  if (options.benchmark) {
    if (options.levels || options.generate > 0 || options.family || !options.novelties.empty())
      throw Error(
          "--benchmark: the levels say which novelty they are for; it goes without --levels, --count, "
          "--family and --novelty");
    return;
  }
  if (options.novelties.empty()) throw Error("validate: --novelty is needed, for example --novelty T1,T2,T3");
  if (options.limit > 0) throw Error("--limit: it goes with --benchmark");
  if (options.levels.has_value() == (options.generate > 0))
    throw Error("validate: found " + std::string(options.levels ? "both" : "neither") +
                " of --levels and --count, allowed is one of them");
  if (options.family && options.levels) throw Error("--family: it goes with --count, not with --levels");
}

/// Without levels.
ValidationRun begin_run(const ValidateOptions& options) {
  ValidationRun run{.version = STARTLE_VERSION,
                    .command = command_of(options),
                    .profile = options.common.profile,
                    .noise = options.noise};
  for (const std::string& text : options.novelties) run.novelties.push_back(&find_novelty(text));
  for (const Novelty* novelty : run.novelties)
    require_covered(Method::published, *novelty);  // both methods are compared
  if (!options.levels) run.seed = options.seed;
  return run;
}

/// Validates the levels of --levels or --count, and adds those that have birds to the run.
void add_levels(ValidationRun& run, const ValidateOptions& options, const std::vector<std::string>& files,
                const std::shared_ptr<const Profile>& constants) {
  struct Done {
    StoredLevel level;
    ValidatedLevel validated;
  };
  std::vector<std::optional<Done>> done(options.levels ? files.size()
                                                       : static_cast<std::size_t>(options.generate));
  run_all("levels", done.size(), options.common, [&](std::size_t i) {
    StoredLevel level = level_number(i, options, files, constants);
    const Scene scene = settle(make_scene(level, constants));
    if (scene.birds_left() == 0) {
      report(level.name + ": no birds; left out");
      return;
    }
    ValidatedLevel validated{.name = level.name,
                             .family = level.provenance ? level.provenance->family : "",
                             .scene = scene,
                             .validation = validate_level(scene, run.novelties, options.noise)};
    done[i] = {std::move(level), std::move(validated)};
  });
  std::vector<StoredLevel> levels;
  for (std::optional<Done>& result : done) {
    if (!result) continue;
    levels.push_back(std::move(result->level));
    run.levels.push_back(std::move(result->validated));
  }
  if (run.levels.empty()) throw Error("validate: no level was validated");
  run.level_set_hash = level_set_hash(levels);
  if (interrupted())
    report("interrupted: " + std::to_string(run.levels.size()) + " of " + std::to_string(done.size()) +
           " levels done; the tables are over those");
}

void write_validation(const ValidationRun& run, const std::filesystem::path& folder) {
  const std::vector<ValidationTable> tables = validation_tables(run);
  for (const ValidationTable& table : tables)
    write_file(folder / (table.id + ".csv"), comma_separated(table.rows));
  write_file(folder / "levels.csv", comma_separated(validation_level_rows(run)));
  write_file(folder / "counts.csv", comma_separated(validation_count_rows(run)));
  write_file(folder / "report.html", validation_report(run, tables));
  std::string text = std::to_string(run.levels.size()) + " levels";
  if (run.seed) text += ", seed " + std::to_string(*run.seed) + " (" + split_of(*run.seed) + ")";
  text += "\n";
  for (const ValidationTable& table : tables)
    if (table.id == "agreement" || table.id == "values" || table.id == "visible" || table.id == "tiers")
      text += "\n" + table.title + "\n" + aligned(table.rows);
  emit(text, std::nullopt);
}

int validate_command(const ValidateOptions& options) {
  require_consistent(options);
  require_noise(options.noise);
  if (options.benchmark) return validate_benchmark(options);
  const auto constants = profile(options.common.profile);
  ValidationRun run = begin_run(options);
  if (options.family) find_generator(*options.family);
  const std::vector<std::string> files = options.levels ? find_levels({*options.levels})
                                                        : std::vector<std::string>{};
  prepare_folder(options.out);
  catch_interrupt();
  add_levels(run, options, files, constants);
  write_validation(run, options.out);
  return interrupted() ? exit_interrupted : 0;
}

}  // namespace

void add_validate_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<ValidateOptions>();
  CLI::App* command = app.add_subcommand(
      "validate", "Compares reasoning and difficulty with simulation, and writes tables and a report.");
  add_shared_option(*command, "--levels", options->levels, "default: none");
  command
      ->add_option("--benchmark", options->benchmark,
                   "in place of other levels and of --novelty: levels made for novelties and tiers; by tier, "
                   "the share of shots that make the novelty visible and what the reference observer "
                   "detects; default: none")
      ->type_name("DIR");
  add_shared_option(*command, "--limit", options->limit, "with --benchmark");
  command
      ->add_option("--observed-shots", options->observed_shots,
                   "with --benchmark: best shots of each level that the reference observer tests, in "
                   "both worlds; 0: none; this takes most of the time")
      ->type_name("N")
      ->capture_default_str();
  add_shared_option(*command, "--count", options->generate, "the families by turns; default: none")
      ->default_str("")  // 0 cannot be given
      ->check(CLI::Range(1, 100000).description(""));
  add_shared_option(*command, "--family", options->family, "default: none (all by turns)");
  add_novelties_option(*command, options->novelties, "of the catalogue; default: none");
  add_seed_option(*command, options->seed,
                  "of generated levels: even seeds are for development, odd ones held out");
  add_aim_noise_option(*command, options->noise.sd, "values by simulation are means over shots so perturbed");
  add_shared_option(*command, "--launches", options->noise.launches, "1 to 1000");
  add_shared_option(*command, "--out", options->out, "a folder for report.html and the tables as CSV")
      ->required();
  add_common_options(*command, options->common);
  command->footer(
      "What is compared, and the figures: docs/validity.md. Constants are fitted and failures read on even "
      "seeds; figures are\n"
      "reported on odd ones.\n"
      "Example: startle validate --count 100 --novelty T1,T2,T3 --seed 103 --out validation");
  command->callback([options, &exit_code] { exit_code = validate_command(*options); });
}

}  // namespace startle
