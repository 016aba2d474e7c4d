#pragma once
/// \file  Tables of a program's options, for docs/command-line.md.
#include <CLI/CLI.hpp>
#include <string>

namespace startle {

/// The page with the table of options of each of the program's commands between its marks,
/// `<!-- options: startle levels generate -->` and `<!-- end of options -->`. What stands between the marks
/// of other programs' commands stays. Throws Error for a mark without an end, and for a command without
/// marks.
std::string with_option_tables(const std::string& page, const CLI::App& app);

/// `reference PAGE`, which is not in the help: prints with_option_tables() of the file.
void add_reference_command(CLI::App& app);

}  // namespace startle
