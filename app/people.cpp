/// \file  startle study-people: a study with people, its report, and who withdraws from it. The window that
/// it is run in is a program of its own.
#include "app/command.hpp"
#include "app/other_program.hpp"
#include "people/study_scores.hpp"
#include "reports/people_report.hpp"

namespace startle {
namespace {

void add_report(CLI::App& people) {
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto output = std::make_shared<Output>();
  CLI::App* command = people.add_subcommand(
      "report", "What a study says: detection by novelty and tier, false alarms, difficulty against people.");
  add_shared_option(*command, "STUDY", *files, "several of the same study, whose seeds may differ")
      ->required();
  add_report_options(*command, *output, {"html", "md", "csv", "json"},
                     "html and md for people, csv with one row an item, json with everything");
  command->footer("Example: startle study-people report study.sqlite --out people.html");
  command->callback([files, output] {
    emit(people_report(read_people_study({files->begin(), files->end()}), output->chosen()), output->out);
  });
}

void add_withdraw(CLI::App& people) {
  const auto file = std::make_shared<std::string>();
  const auto code = std::make_shared<std::string>();
  CLI::App* command = people.add_subcommand("withdraw",
                                            "Deletes everything about a participant from the file.");
  add_shared_option(*command, "STUDY", *file)->required();
  command->add_option("CODE", *code, "the code that the participant was given")->required()->type_name("");
  command->footer("Example: startle study-people withdraw study.sqlite K7QX-2MPD");
  command->callback([file, code] {
    StudyStore(*file).withdraw(*code);
    report(*file + ": everything about " + *code + " is deleted; copies of the file still hold it");
  });
}

}  // namespace

void add_study_people_command(CLI::App& app) {
  CLI::App* people = app.add_subcommand("study-people",
                                        "A study with people: who notices what, and after how many shots.");
  people->require_subcommand(1);
  people->footer(
      "Example: startle study-people run --levels levels/benchmark/T1 --consent consent.txt --out "
      "study.sqlite");
  add_other_program_command(*people, "run", "Opens the window for one participant.",
                            {viewer_program, without_viewer, {"study-people", "run"}});
  add_report(*people);
  add_withdraw(*people);
}

}  // namespace startle
