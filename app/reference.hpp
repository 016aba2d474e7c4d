#pragma once
/// \file  A program's options as text: what help, manual pages and the tables of docs/command-line.md have.
#include <string>
#include <utility>
#include <vector>

#include "app/cli.hpp"

namespace startle {

/// Those below a program or a command that help has; `App`: CLI::App, const or not.
template <typename App>
auto shown_commands(App& app) {
  return app.get_subcommands([](const CLI::App* below) { return !below->get_group().empty(); });
}

/// Names and commands of a program that have no commands below them, but for those that are other programs:
/// "startle levels generate".
std::vector<std::pair<std::string, CLI::App*>> commands_of(CLI::App& app);

/// --help, --help-all or --version.
bool is_help(const CLI::Option& option);

/// A footer, "Remarks.\nExample: one\n         two", as its remarks in one line and its examples as they
/// stand. Either may be empty.
std::pair<std::string, std::string> remarks_and_example(const std::string& footer);

/// An option described as "meaning; default: none" as "meaning" and "none".
std::pair<std::string, std::string> meaning_and_default(const CLI::Option& option);

/// The page with the table of options of each of the program's commands between its marks,
/// `<!-- options: startle levels generate -->` and `<!-- end of options -->`. What stands between the marks
/// of other programs' commands stays. Throws Error for a mark without an end, and for a command without
/// marks.
std::string with_option_tables(const std::string& page, CLI::App& app);

/// `reference PAGE`, which is not in the help: prints with_option_tables() of the file.
void add_reference_command(CLI::App& app);

}  // namespace startle
