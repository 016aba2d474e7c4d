#pragma once
/// \file  Commands that are programs of their own beside `startle`, so that no other command waits for their
/// libraries.
#include <string>
#include <vector>

#include "app/cli.hpp"

namespace startle {

struct OtherProgram {
  std::string program;               ///< "startle-surprise"
  std::string missing;               ///< why it may not be there
  std::vector<std::string> command;  ///< first arguments of the other program: its command, where it has
                                     ///< several
};

/// Such a command; its arguments are the other program's.
void add_other_program_command(CLI::App& app, const std::string& name, const std::string& description,
                               const OtherProgram& other);

inline constexpr const char* people_program = "startle-people";
inline constexpr const char* without_people = "build startle-people, which belongs beside this program";

inline constexpr const char* viewer_program = "startle-viewer";
inline constexpr const char* without_viewer =
    "install the package startle-viewer, or build with STARTLE_BUILD_VIEWER=ON; no wheel has it";

inline constexpr const char* rollouts_program = "startle-rollouts";
inline constexpr const char* without_rollouts =
    "install the package startle-rollouts, or build with STARTLE_BUILD_ROLLOUTS=ON; no wheel has it";

inline constexpr const char* learning_program = "startle-surprise";
inline constexpr const char* without_learning =
    "install the package startle-surprise, or build with STARTLE_BUILD_SURPRISE=ON; no wheel has it";

}  // namespace startle
