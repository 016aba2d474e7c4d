#pragma once
/// \file  startle probe --suite intphys.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "probes/intphys/evaluation.hpp"

namespace startle {

struct IntPhysSuite {
  std::vector<std::string> models, predictions, answers;
  std::optional<std::string> write_clips;            ///< write the clips to this file, and no more
  std::optional<std::string> calibrate;              ///< write a calibration to this file, and no more
  std::optional<std::filesystem::path> calibration;  ///< of single clips; empty: none
  std::optional<std::string> data;  ///< a part of the original's layout in place of generated sets
  std::string out;
  std::size_t sets = 5;  ///< of each scenario of each block
  std::uint64_t seed = 1;
  int threads = 0;
  bool quiet = false;
};

/// Returns the exit code. Throws Error for bad input.
int run_intphys_suite(const IntPhysSuite& options);

}  // namespace startle
