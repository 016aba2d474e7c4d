/// \file  startle study-people: a study with people from its file to its report. The window that it is run in
/// is yet another program.
#include <termios.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <iostream>
#include <sstream>

#include "app/other_program.hpp"
#include "app/people/commands.hpp"
#include "app/reports/people/people_export.hpp"
#include "app/reports/people/people_report.hpp"
#include "app/reports/table.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/password.hpp"
#include "core/text.hpp"
#include "people/study_scores.hpp"
#include "people/study_session.hpp"

namespace startle {
namespace {

struct StudyCreateOptions {
  std::vector<std::string> levels, practice_levels;
  std::string consent, out, texts, questions, return_address, language = "en", profile = "startle";
  StudySettings settings;
  int normal = -1;  ///< half of the items
  bool quiet = false;
};

/// The words that stand in the sample text of docs/people.md for what each study fills in, with their lines.
std::vector<std::string> unfilled_fields(const std::string& text) {
  std::vector<std::string> found;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::string word;
    for (const char c : line + " ") {
      if (std::isalnum(static_cast<unsigned char>(c)) || (c & 0x80) != 0 || c == '_') {
        word += c;
        continue;
      }
      for (const char* field : {"NUMBER", "NAME", "ADDRESS", "BOARD"})
        if (word == field) found.push_back(word + " in line " + std::to_string(number));
      word.clear();
    }
  }
  return found;
}

std::string consent_text(const std::string& file) {
  std::string text = read_file(file);
  if (first_invalid_utf8(text) != std::string::npos || text.find('\0') != std::string::npos)
    throw Error(file + ": the consent text is not UTF-8");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) throw Error(file + ": holds no consent text");
  if (const std::vector<std::string> fields = unfilled_fields(text); !fields.empty())
    throw Error(file + ": the consent text still has fields to fill in: " + listed(fields) +
                "; write what belongs there, or the word in small letters where it is meant");
  return text;
}

void create(const StudyCreateOptions& options) {
  const auto constants = profile(options.profile);
  // Before the levels take their time.
  const std::string consent = consent_text(options.consent);
  const StudyQuestions questions =
      options.questions.empty() ? StudyQuestions()
                                : StudyQuestions::parse(read_file(options.questions), options.questions);
  const std::vector<StoredLevel> levels = load_levels(options.levels, *constants, options.quiet);
  StudySetup setup{.program = "startle " STARTLE_VERSION,
                   .profile = constants,
                   .consent = consent,
                   .texts = options.texts.empty()
                                ? StudyTexts::shipped(options.language)
                                : StudyTexts::parse(read_file(options.texts), options.texts),
                   .questions = questions,
                   .return_address = options.return_address,
                   .settings = options.settings,
                   .levels = study_levels(levels, constants)};
  if (const std::size_t left_out = levels.size() - setup.levels.size(); left_out > 0 && !options.quiet)
    report(std::to_string(left_out) + " of " + std::to_string(levels.size()) +
           " levels are left out: by reasoning nothing can be detected in them (value 1)");
  setup.settings.normal = options.normal < 0 ? options.settings.items / 2 : options.normal;
  if (!options.practice_levels.empty())
    setup.practice = load_levels(options.practice_levels, *constants, options.quiet);
  for (const Level& level : setup.practice)
    if (const Scene scene = make_scene(level, constants); scene.birds.empty() || scene.cleared())
      throw Error("level " + level.name + ": a study needs birds and pigs in every level");
  const StudyStore store(options.out, make_study_record(setup));
  if (!options.quiet)
    report(options.out + ": a study of " + std::to_string(setup.levels.size()) + " levels, " +
           std::to_string(store.participants().size()) + " participants so far");
}

void add_create(CLI::App& people) {
  CLI::App* command = people.add_subcommand(
      "create", "Makes the file of a study, which holds its levels, its texts and its plans.");
  const auto options = std::make_shared<StudyCreateOptions>();
  add_shared_option(*command, "--levels", options->levels, "with a stored novelty and tier")->required();
  command
      ->add_option("--practice-levels", options->practice_levels,
                   "practice levels, in this order; default: none (drawn from --levels)")
      ->type_name("PATH ...");
  const auto count = [&](const char* name, int& value, const char* description, int least, int most) {
    return command->add_option(name, value, description)
        ->check(CLI::Range(least, most).description(""))
        ->type_name("N");
  };
  count("--practice", options->settings.practice,
        "practice levels that are drawn; none of them becomes an item", 0, 1000)
      ->capture_default_str();
  count("--items", options->settings.items, "levels to test, each played once", 1, 1000)
      ->capture_default_str();
  count("--normal", options->normal,
        "of the items, those in the normal world; default: by --items (half of them)", 0, 1000);
  count("--attention", options->settings.attention,
        "attention checks: levels more that say which answer they want, 0 to 20", 0, 20)
      ->capture_default_str();
  command->add_option("--consent", options->consent, "text file that participants agree to")
      ->required()
      ->type_name("FILE");
  command->add_option("--language", options->language, "language of the texts; de or en")
      ->check(only_values(StudyTexts::languages()))
      ->type_name("NAME")
      ->capture_default_str();
  command
      ->add_option("--texts", options->texts,
                   "texts of your own, a JSON file as startle study-people texts prints it; default: none "
                   "(those of --language)")
      ->type_name("FILE");
  command
      ->add_option(
          "--questions", options->questions,
          "questions about the participant, a JSON file such as people/sample-questions.json; default: "
          "none")
      ->type_name("FILE");
  command
      ->add_option("--return-address", options->return_address,
                   "where participants in a browser go at the end; {code} in it becomes the completion code; "
                   "default: none")
      ->type_name("URL");
  add_seed_option(*command, options->settings.seed, "of the plans: which levels, in which order");
  add_shared_option(*command, "--out", options->out, "a file of the study")->required();
  add_shared_option(*command, "--profile", options->profile);
  add_quiet_option(*command, options->quiet);
  command->footer(
      "docs/people.md takes a researcher through a study.\n"
      "Example: startle study-people create --levels levels/benchmark/T1 --consent consent.txt --out "
      "study.sqlite");
  command->callback([options] { create(*options); });
}

void add_texts(CLI::App& people) {
  const auto language = std::make_shared<std::string>("en");
  const auto out = std::make_shared<std::optional<std::string>>();
  CLI::App* command = people.add_subcommand("texts",
                                            "Prints all texts of a study, to be changed or translated.");
  command->add_option("--language", *language, "language of the texts; de or en")
      ->check(only_values(StudyTexts::languages()))
      ->type_name("NAME")
      ->capture_default_str();
  add_shared_option(*command, "--out", *out, "a file; default: standard output");
  command->footer("Example: startle study-people texts --language de --out texts.json");
  command->callback([language, out] { emit(StudyTexts::shipped(*language).json(), *out); });
}

/// Throws Error for a file that holds something. It may be the only copy of other links: no study has them.
void require_no_links(const std::filesystem::path& out) {
  std::error_code none;
  if (std::filesystem::is_regular_file(out, none) && std::filesystem::file_size(out, none) > 0)
    throw Error(
        "--out: " + out.string() +
        " exists, and may hold the only copy of other links; give another file, or move that one away");
}

/// As CSV, and on the disk, where it is one.
void keep_links(const std::vector<StudyInvitation>& invitations, const std::optional<std::string>& out) {
  Rows rows{{"participant", "link"}};
  for (const StudyInvitation& invitation : invitations)
    rows.push_back({invitation.participant.code, invitation.link});
  emit(comma_separated(rows), out, {.is_private = true});
  if (!out && fsync(STDOUT_FILENO) != 0 && (errno == EIO || errno == ENOSPC || errno == EDQUOT))
    throw Error(std::string("standard output: cannot be written: ") + std::strerror(errno));
}

void add_invite(CLI::App& people) {
  const auto file = std::make_shared<std::string>();
  const auto renew = std::make_shared<std::string>();
  const auto count = std::make_shared<int>(1);
  const auto out = std::make_shared<std::optional<std::string>>();
  CLI::App* command = people.add_subcommand(
      "invite", "Adds participants and prints the secret code of each one's link, once and never again.");
  add_shared_option(*command, "STUDY", *file)->required();
  CLI::Option* of_count = add_shared_option(*command, "--count", *count, "participants, 1 to 10000");
  of_count->check(CLI::Range(1, 10000).description(""));
  command
      ->add_option(
          "--renew", *renew,
          "a new link for the participant of this code, or of this identifier of a recruiter, who has lost "
          "the old one; default: none (new participants)")
      ->type_name("CODE")
      ->excludes(of_count);
  add_shared_option(*command, "--out", *out, "a file; default: standard output");
  command->footer("Example: startle study-people invite study.sqlite --count 30 --out links.csv");
  command->callback([file, renew, count, out] {
    if (*out) require_no_links(**out);
    StudyStore store(*file);
    bool kept = false;
    const KeepLinks keep = [&](const std::vector<StudyInvitation>& invitations) {
      if (*out) require_no_links(**out);  // once more: another invite may have been at work until now
      keep_links(invitations, *out);
      kept = true;
    };
    try {
      if (renew->empty())
        store.invite(*count, keep);
      else
        store.renew_link(*renew, keep);
    } catch (const Error& error) {
      if (!kept) throw;
      std::error_code none;
      if (*out && std::filesystem::is_regular_file(**out, none)) std::filesystem::remove(**out, none);
      throw Error(std::string(error.what()) +
                  "; nothing was stored, and the links that were written belong to nobody");
    }
  });
}

void add_give_up(CLI::App& people) {
  const auto file = std::make_shared<std::string>();
  const auto codes = std::make_shared<std::vector<std::string>>();
  CLI::App* command = people.add_subcommand(
      "give-up", "Frees the places of those who will not come back, for the next participants.");
  add_shared_option(*command, "STUDY", *file)->required();
  command
      ->add_option("CODES", *codes,
                   "codes of participants; default: the codes of all who have a place, or came from a "
                   "recruiter, and have not come to the end")
      ->type_name("");
  command->footer("Example: startle study-people give-up study.sqlite K7QX-2MPD");
  command->callback([file, codes] {
    StudyStore store(*file);
    std::vector<std::string> leave = *codes;
    if (leave.empty())
      for (const StudyParticipant& one : store.participants())
        if (!one.withdrawn && (one.place || one.enrolled) && !one.given_up &&
            replayed(one, store.events(one)).unfinished())
          leave.push_back(one.code);
    for (const std::string& code : leave) store.give_up(code);
    report(*file + ": " + std::to_string(leave.size()) + " places are free again");
  });
}

void add_completions(CLI::App& people) {
  const auto file = std::make_shared<std::string>();
  const auto out = std::make_shared<std::optional<std::string>>();
  CLI::App* command = people.add_subcommand(
      "completions", "Prints the completion codes of those who came to the end, for a recruiter.");
  add_shared_option(*command, "STUDY", *file)->required();
  add_shared_option(*command, "--out", *out, "a file; default: standard output");
  command->footer("Example: startle study-people completions study.sqlite --out completions.csv");
  command->callback([file, out] {
    const PeopleStudy study = read_people_study({*file});
    const StudyStore store = StudyStore::reading(*file);
    Rows rows{{"completion_code", "checks_failed"}};
    for (const PlayedSession& session : study.sessions)
      if (!session.withdrawn && session.stage == StudyStage::finished)
        rows.push_back(
            {store.completion_code(store.participant(session.participant)), std::to_string(session.failed)});
    std::sort(rows.begin() + 1, rows.end());
    emit(comma_separated(rows), *out, {.is_private = true});
  });
}

void add_report(CLI::App& people) {
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto output = std::make_shared<Output>();
  CLI::App* command = people.add_subcommand(
      "report", "What a study says: detection by novelty and tier, false alarms, difficulty against people.");
  add_shared_option(*command, "STUDY", *files, "several of the same study, whose seeds may differ")
      ->required();
  add_report_options(*command, *output, {"html", "md", "tex", "svg", "csv", "json"},
                     "html and md for people, tex and svg for a paper, csv with one row an item, json with "
                     "everything");
  command->footer("Example: startle study-people report study.sqlite --out people.html");
  command->callback([files, output] {
    emit(people_report(read_people_study({files->begin(), files->end()}), output->chosen()), output->out,
         {.is_private = true});
  });
}

void add_export(CLI::App& people) {
  const auto file = std::make_shared<std::string>();
  const auto folder = std::make_shared<std::string>();
  CLI::App* command = people.add_subcommand(
      "export", "Writes a study as CSV files with a dictionary of their columns.");
  add_shared_option(*command, "STUDY", *file)->required();
  add_shared_option(*command, "--out", *folder, "a folder")->required();
  command->footer("Example: startle study-people export study.sqlite --out study-data");
  command->callback([file, folder] {
    const auto files = people_export(StudyStore::reading(*file));
    prepare_folder(*folder);
    for (const auto& [name, text] : files)
      write_file(std::filesystem::path(*folder) / name, text, {.is_private = true});
  });
}

/// A line of standard input; on a terminal it is asked for, and not shown.
std::string read_password() {
  termios shown{};
  const bool terminal = isatty(STDIN_FILENO) != 0 && tcgetattr(STDIN_FILENO, &shown) == 0;
  if (terminal) {
    termios hidden = shown;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden);
    std::cerr << "password, of 8 bytes or more: " << std::flush;
  }
  std::string password;
  std::getline(std::cin, password);
  if (terminal) {
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown);
    std::cerr << "\n";
  }
  return password;
}

void add_password(CLI::App& people) {
  const auto out = std::make_shared<std::optional<std::string>>();
  CLI::App* command = people.add_subcommand(
      "password", "Makes the hash of a password for the researcher's page, from a line of standard input.");
  add_shared_option(*command, "--out", *out, "a file; default: standard output");
  command->footer("Example: startle study-people password --out researcher.hash");
  command->callback([out] { emit(password_hash(read_password()) + "\n", *out, {.is_private = true}); });
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
      "Example: startle study-people create --levels levels/benchmark/T1 --consent consent.txt --out "
      "study.sqlite");
  add_people_power(*people);
  add_create(*people);
  add_texts(*people);
  add_other_program_command(*people, "run", "Opens the window for one participant.",
                            {viewer_program, without_viewer, {"study-people", "run"}});
  add_invite(*people);
  add_give_up(*people);
  add_report(*people);
  add_export(*people);
  add_completions(*people);
  add_password(*people);
  add_withdraw(*people);
}

}  // namespace startle
