/// \file  startle validate: how well reasoning and its difficulty values agree with simulation.
#include "app/command.hpp"
#include "app/reports/table.hpp"
#include "app/reports/validation_report.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "levels/generators.hpp"
#include "levels/level_set.hpp"

namespace startle {
namespace {

struct ValidateOptions {
  CommonOptions common;
  std::optional<std::string> levels, family;
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

/// Throws Error where options do not go together.
void require_consistent(const ValidateOptions& options) {
  if (options.novelties.empty()) throw Error("validate: --novelty is needed, for example --novelty T1,T2,T3");
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
  if (run.seed) text += ", seed " + std::to_string(*run.seed);
  text += "\n";
  for (const ValidationTable& table : tables)
    if (table.id == "agreement" || table.id == "values" || table.id == "visible" || table.id == "tiers")
      text += "\n" + table.title + "\n" + aligned(table.rows);
  emit(text, std::nullopt);
}

int validate_command(const ValidateOptions& options) {
  require_consistent(options);
  require_noise(options.noise);
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
  add_shared_option(*command, "--count", options->generate, "levels, the families by turns; default: none")
      ->default_str("")  // 0 cannot be given
      ->check(CLI::Range(1, 100000).description(""));
  add_shared_option(*command, "--family", options->family, "default: none (all by turns)");
  add_novelties_option(*command, options->novelties, "of the catalogue; default: none");
  add_seed_option(*command, options->seed, "of generated levels");
  add_aim_noise_option(*command, options->noise.sd, "values by simulation are means over shots so perturbed");
  add_shared_option(*command, "--launches", options->noise.launches, "1 to 1000");
  add_shared_option(*command, "--out", options->out, "a folder for report.html and the tables as CSV")
      ->required();
  add_common_options(*command, options->common);
  command->footer(
      "What is compared, and the figures: docs/results.md. Constants are fitted and failures read on even "
      "seeds; figures are\n"
      "reported on odd ones.\n"
      "Example: startle validate --count 100 --novelty T1,T2,T3 --seed 103 --out validation");
  command->callback([options, &exit_code] { exit_code = validate_command(*options); });
}

}  // namespace startle
