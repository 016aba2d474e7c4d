#pragma once
/// \file  Which options take files and folders, and what becomes of those: no command writes over what it
/// reads.
#include <string>

#include "app/cli.hpp"

namespace startle {

/// What a command does with the file or folder that an option names.
enum class PathUse {
  reads,
  reads_levels,  ///< also all levels below it, where it is a folder
  writes,        ///< makes, replaces or adds to it
  updates,       ///< reads and replaces it, or gives it to another program
};
/// The name of it in messages and in `startle paths`.
const char* name(PathUse use);

/// Whether the option takes the names of files or folders, by what its help says that it takes.
bool takes_path(const CLI::Option& option);

/// Before any command of the program runs, compares the files that it is to write with those that it is to
/// read and with each other, by what they are and not by their names. Those that are read are given to
/// protect_input(). The command line is then refused with an Error that names both. Throws std::logic_error
/// for an option that takes paths and is not in the table of paths.cpp.
void guard_paths(CLI::App& app);

/// `paths`, which is not in the help: each command's options that take paths, one a line, with their use.
void add_paths_command(CLI::App& app);

}  // namespace startle
