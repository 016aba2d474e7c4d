#pragma once
/// \file  What startle probe takes, whichever its suite.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "surprise/knn_surprise.hpp"

namespace startle {

struct ProbeCommandOptions {
  std::string suite = "concepts";
  std::vector<std::string> models, predictions, answers;
  std::optional<std::string> from;         ///< data of others in place of generated ones
  std::optional<std::string> write_clips;  ///< write the clips to this file, and no more
  std::optional<std::string> calibrate;    ///< write a calibration to this file, and no more
  std::optional<std::string> calibration;  ///< of single clips; empty: none
  std::optional<std::size_t> count;        ///< tuples of each concept, or sets of each scenario of each block
  FewShotOptions few_shot;                 ///< of the suite concepts
  std::string out;
  std::uint64_t seed = 1;
  int threads = 0;
  bool quiet = false;
};

}  // namespace startle
