/// \file  startle study-people run: the window of a study, for one participant.
#include <memory>

#include "app/command.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "viewer/study.hpp"

namespace startle {
namespace {

struct StudyRunOptions {
  std::vector<std::string> levels, practice_levels;
  std::string consent, out, resume, profile = "startle";
  StudySettings settings;
  int normal = -1;  ///< half of the items
  bool quiet = false;
};

std::string consent_text(const std::string& file) {
  std::string text = read_file(file);
  if (first_invalid_utf8(text) != std::string::npos || text.find('\0') != std::string::npos)
    throw Error(file + ": the consent text is not UTF-8");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw Error(file + ": holds no consent text");
  return text;
}

void run(const StudyRunOptions& options) {
  const auto constants = profile(options.profile);
  StudyWindowOptions window;
  window.file = options.out;
  window.settings = options.settings;
  window.profile = constants;
  window.resume = options.resume;
  const std::string consent = consent_text(options.consent);
  window.levels = load_levels(options.levels, *constants, options.quiet);
  if (!options.practice_levels.empty())
    window.practice = load_levels(options.practice_levels, *constants, options.quiet);
  window.settings.normal = options.normal < 0 ? options.settings.items / 2 : options.normal;
  for (const Level& level : window.practice)
    if (const Scene scene = make_scene(level, constants); scene.birds.empty() || scene.cleared())
      throw Error("level " + level.name + ": a study needs birds and pigs in every level");
  window.record = make_study_record("startle " STARTLE_VERSION, *constants, consent, window.settings,
                                    study_levels(window.levels, constants), window.practice);
  if (!options.quiet)
    window.begun = [&](const StudyParticipant& one) {
      report(options.out + ": participant " + std::to_string(one.number + 1) + ", code " + one.code + ", " +
             std::to_string(one.practice.size()) + " practice levels and " +
             std::to_string(one.items.size()) + " items");
    };
  const StudyWindowEnd end = run_study_window(window);
  if (!options.quiet)
    report(end.unfinished ? "participant " + end.participant.code +
                                " has not come to the end: the same command with --resume " +
                                end.participant.code + " goes on"
                          : "participant " + end.participant.code + " has come to the end");
}

}  // namespace

void add_study_window_command(CLI::App& app) {
  CLI::App* people = app.add_subcommand("study-people", "A study with people.");
  people->require_subcommand(1);
  CLI::App* command = people->add_subcommand(
      "run", "Opens the window for one participant; every event goes into an SQLite file at once.");
  const auto options = std::make_shared<StudyRunOptions>();
  add_shared_option(*command, "--levels", options->levels, "with a stored novelty and tier")->required();
  command
      ->add_option("--practice-levels", options->practice_levels,
                   "practice levels, in this order; default: none (drawn from --levels)")
      ->type_name("PATH ...");
  const auto count = [&](const char* name, int& value, const char* description, int least) {
    return command->add_option(name, value, description)
        ->check(CLI::Range(least, 1000).description(""))
        ->type_name("N");
  };
  count("--practice", options->settings.practice,
        "practice levels that are drawn; none of them becomes an item", 0)
      ->capture_default_str();
  count("--items", options->settings.items, "levels to test, each played once", 1)->capture_default_str();
  count("--normal", options->normal,
        "of the items, those in the normal world; default: by --items (half of them)", 0);
  command->add_option("--consent", options->consent, "text file that participants agree to")
      ->required()
      ->type_name("FILE");
  add_seed_option(*command, options->settings.seed, "of the plans: which levels, in which order");
  add_shared_option(*command, "--out", options->out,
                    "a file of the study; a participant is added to one that exists")
      ->required();
  command
      ->add_option("--resume", options->resume,
                   "goes on with the participant of this code; default: none (a new one)")
      ->type_name("CODE");
  add_shared_option(*command, "--profile", options->profile);
  add_quiet_option(*command, options->quiet);
  command->footer(
      "docs/people.md takes a researcher through a study.\n"
      "Example: startle study-people run --levels levels/benchmark/T1 --consent consent.txt --out "
      "study.sqlite");
  command->callback([options] { run(*options); });
}

}  // namespace startle
