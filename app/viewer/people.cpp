/// \file  startle study-people run: the window of a study, for one participant.
#include <memory>

#include "app/command.hpp"
#include "viewer/study.hpp"

namespace startle {
namespace {

struct StudyRunOptions {
  std::string file, resume;
  bool quiet = false;
};

void run(const StudyRunOptions& options) {
  StudyWindowOptions window{
      .file = options.file, .program = "startle " STARTLE_VERSION, .resume = options.resume, .begun = {}};
  if (!options.quiet)
    window.begun = [&](const StudyParticipant& one) {
      report(options.file + ": participant " + std::to_string(one.number + 1) + ", code " + one.code + ", " +
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
      "run", "Opens the window for one participant; every event goes into the file at once.");
  const auto options = std::make_shared<StudyRunOptions>();
  add_shared_option(*command, "STUDY", options->file)->required();
  command
      ->add_option("--resume", options->resume,
                   "goes on with the participant of this code; default: none (a new one)")
      ->type_name("CODE");
  add_quiet_option(*command, options->quiet);
  command->footer(
      "docs/people.md takes a researcher through a study.\n"
      "Example: startle study-people run study.sqlite");
  command->callback([options] { run(*options); });
}

}  // namespace startle
