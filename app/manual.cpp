#include "app/manual.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "app/command.hpp"
#include "app/paths.hpp"
#include "app/reference.hpp"
#include "core/files.hpp"

namespace startle {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// The text without what man(7) would take for an instruction.
std::string roff(const std::string& text) {
  std::string safe = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  for (const char* first : {".", "'"}) {
    if (safe.rfind(first, 0) == 0) safe.insert(0, "\\&");
    safe = replaced(safe, std::string("\n") + first, std::string("\n\\&") + first);
  }
  return safe;
}

std::string page_name(const std::string& command) { return replaced(command, " ", "-"); }

std::string page_head(const std::string& name, const std::string& description) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  std::string about = description;
  if (!about.empty() && about.back() == '.') about.pop_back();
  return ".TH " + roff(upper) + " 1 " STARTLE_DATE " \"Startle " STARTLE_VERSION "\" Startle\n.SH NAME\n" +
         roff(name) + " \\- " + roff(about) + "\n";
}

std::string option_entry(const CLI::Option& option) {
  const std::string value = option.get_positional() ? "" : option.get_type_name();
  const auto [meaning, without] = meaning_and_default(option);
  std::string text = ".TP\n.B " + roff(option.get_name());
  if (!value.empty()) text += " \\fI" + roff(value) + "\\fP";
  text += "\n" + roff(meaning);
  if (without == "required") return text + "; required.\n";
  return text + (without.empty() ? "" : "; default: " + roff(replaced(without, "`", ""))) + ".\n";
}

/// Remarks as a paragraph, and the examples as they are typed.
std::string notes(const std::string& footer) {
  const auto [remarks, example] = remarks_and_example(footer);
  const std::string text = remarks.empty() ? "" : ".SH NOTES\n" + roff(remarks) + "\n";
  if (example.empty()) return text;
  const std::size_t from = example.find(": ") + 2;
  return text + ".SH EXAMPLES\n.nf\n" +
         roff(replaced(example.substr(from), "\n" + std::string(from, ' '), "\n")) + "\n.fi\n";
}

std::string command_page(const std::string& name, CLI::App& command) {
  std::string entries, positional;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty() || is_help(*option)) continue;
    entries += option_entry(*option);
    if (option->get_positional()) positional += " \\fI" + roff(option->get_name()) + "\\fP";
  }
  return page_head(page_name(name), command.get_description()) + ".SH SYNOPSIS\n.B " + roff(name) +
         (entries.empty() ? "" : "\n[options]") + positional + "\n.SH DESCRIPTION\n" +
         roff(command.get_description()) + "\n" + (entries.empty() ? "" : ".SH OPTIONS\n" + entries) +
         notes(command.get_footer()) + ".SH SEE ALSO\n.BR startle (1)\n";
}

std::string program_page(CLI::App& app, const std::string& program) {
  std::string commands;
  for (CLI::App* command : shown_commands(app)) {
    commands += ".TP\n.B " + roff(command->get_name()) + "\n" + roff(command->get_description()) + "\n";
    for (CLI::App* below : shown_commands(*command))
      commands += ".TP\n.B " + roff(command->get_name() + " " + below->get_name()) + "\n" +
                  roff(below->get_description()) + "\n";
  }
  return page_head(program, app.get_description()) + ".SH SYNOPSIS\n.B " + roff(app.get_name()) +
         "\n\\fIcommand\\fP [options]\n.SH DESCRIPTION\n" + roff(app.get_description()) +
         "\nEach command has a page of its own, such as\n.BR startle\\-simulate (1).\n"
         ".SH COMMANDS\n" +
         commands +
         ".SH EXIT STATUS\n"
         ".TP\n.B 0\nDone.\n.TP\n.B 1\nA fault in Startle itself.\n"
         ".TP\n.B 2\nBad input; the message names it.\n"
         ".TP\n.B 3\nA level can be used, but is not what its file says.\n"
         ".TP\n.B 130\nInterrupted.\n" +
         notes(app.get_footer());
}

/// The line of a `case`; a closed list of words, which need no quotes.
std::string completion_case(const std::string& at, const std::string& words) {
  return "    '" + at + "') echo '" + words + "' ;;\n";
}

void collect_cases(CLI::App& app, const std::string& name, std::string& cases) {
  std::string words;
  for (CLI::App* command : shown_commands(app)) {
    words += command->get_name() + " ";
    if (!command->get_prefix_command()) collect_cases(*command, name + " " + command->get_name(), cases);
  }
  std::string values;
  for (CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    const bool positional = option->get_positional();
    words += (positional ? "<file>" : option->get_name()) + " ";
    if (positional || option->get_expected_max() == 0) continue;
    const std::string proposed = takes_path(*option) ? "<file>" : proposed_values(*option);
    values += completion_case(name + " " + option->get_name(), proposed);
  }
  cases += completion_case(name, words) + values;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> manual_pages(CLI::App& app, const std::string& program) {
  std::vector<std::pair<std::string, std::string>> pages{{program, program_page(app, program)}};
  for (const auto& [name, command] : commands_of(app))
    pages.emplace_back(page_name(name), command_page(name, *command));
  return pages;
}

std::string completion_cases(CLI::App& app) {
  std::string cases;
  collect_cases(app, app.get_name(), cases);
  return cases;
}

void add_manual_commands(CLI::App& app, const std::string& program) {
  CLI::App* manual = app.add_subcommand("manual", "This program's manual pages.")->group("");
  const auto folder = std::make_shared<std::string>();
  manual->add_option("FOLDER", *folder, "where they are written")->required();
  manual->callback([&app, program, folder] {
    prepare_folder(*folder);
    for (const auto& [name, text] : manual_pages(app, program))
      write_file((std::filesystem::path(*folder) / (name + ".1")).string(), text);
  });
  app.add_subcommand("completion", "What completion proposes, for a shell.")->group("")->callback([&app] {
    emit(completion_cases(app), std::nullopt);
  });
}

}  // namespace startle
