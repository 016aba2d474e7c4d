#pragma once
/// \file  The subcommands that people are behind: studies, how strong a change must be, and the page.
#include "app/command.hpp"

namespace startle {

/// As those of app/command.hpp.
void add_study_people_command(CLI::App& app);
void add_threshold_command(CLI::App& app, int& exit_code);
void add_web_command(CLI::App& app, int& exit_code);
/// Of `startle study-people`.
void add_people_power(CLI::App& people);

}  // namespace startle
