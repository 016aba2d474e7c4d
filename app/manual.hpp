#pragma once
/// \file  Manual pages and completion, from the options themselves.
#include <string>

#include "app/cli.hpp"

namespace startle {

/// Name and text of each manual page of a program, as man(7) reads them: one for the program, and one for
/// each of its commands.
std::vector<std::pair<std::string, std::string>> manual_pages(CLI::App& app, const std::string& program);

/// What may stand after a command or an option, as lines of a `case` that bash and zsh read. `<file>` stands
/// for the name of a file or folder. An option without value has no line.
std::string completion_cases(CLI::App& app);

/// Two commands that are not in the help. `manual FOLDER` writes manual_pages() of the program, and
/// `completion` prints completion_cases().
void add_manual_commands(CLI::App& app, const std::string& program);

}  // namespace startle
