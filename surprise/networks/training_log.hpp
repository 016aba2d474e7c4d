#pragma once
/// \file  The log of a training run, log.csv: a line for each TrainingRow. Needs no LibTorch header.
#include <filesystem>
#include <string>
#include <vector>

#include "surprise/networks/trainer.hpp"

namespace startle {

/// A line of the log, with its end.
std::string training_log_line(const TrainingRow& row);
/// The whole file: a head with the names of the columns, and a line for each row.
std::string training_log_text(const std::vector<TrainingRow>& rows);
/// The rows up to and including `step`; those after it were lost with their steps. A last line without an
/// end, cut off by the end of the program, is left out. Throws Error naming file and line for a file that is
/// no training log.
std::vector<TrainingRow> read_training_log(const std::filesystem::path& path, int step);

}  // namespace startle
