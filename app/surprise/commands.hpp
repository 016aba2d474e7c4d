#pragma once
/// \file  The subcommands of `startle surprise`, and `startle probe`.
#include "app/command.hpp"

namespace startle {

/// As those of app/command.hpp.
void add_dataset_command(CLI::App& app, int& exit_code);
void add_train_command(CLI::App& app, int& exit_code);
void add_export_command(CLI::App& app, int& exit_code);
void add_score_command(CLI::App& app, int& exit_code);
void add_evaluate_command(CLI::App& app, int& exit_code);
void add_compare_command(CLI::App& app, int& exit_code);
void add_agent_command(CLI::App& app, int& exit_code);
void add_agent_calibrate_command(CLI::App& app, int& exit_code);
void add_probe_command(CLI::App& app, int& exit_code);
void add_intphys_command(CLI::App& app, int& exit_code);

}  // namespace startle
