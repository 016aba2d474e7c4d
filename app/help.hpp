#pragma once
/// \file  What --help and --help-all print of a program and of each of its commands.
#include <cstddef>
#include <string>

#include "app/cli.hpp"

namespace startle {

/// Gives the program and its commands -h, --help and --help-all. --help has of each option its meaning up to
/// the first semicolon and its value where none is given, and fits a screen; --help-all has all of it, and
/// the remarks of the footer.
void add_help(CLI::App& app);

/// Help of one command, in lines of at most `width` columns where words allow it.
std::string help_text(const CLI::App& command, const std::string& name, bool full, std::size_t width);

}  // namespace startle
