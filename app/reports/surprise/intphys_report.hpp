#pragma once
/// \file  A run over IntPhys sets as files: results.json, tables as CSV, and a report.
#include <map>
#include <string>
#include <vector>

#include "surprise/probes/intphys/evaluation.hpp"

namespace startle {

/// A set whose frames the report shows.
struct IntPhysExample {
  IntPhysClips set;
  std::size_t index = 0;  ///< in IntPhysRun::sets
};

struct IntPhysReport {
  std::string version, command;
  std::size_t models = 0;  ///< the first so many scorers are models; then come controls, then answers of
                           ///< other programs
  std::vector<std::string> model_hashes;               ///< of the models' files
  std::map<std::size_t, std::size_t> calibrated = {};  ///< by index of a calibrated scorer (docs/probes.md):
                                                       ///< index of the scorer that it calibrates
  bool generated = true;                               ///< else read from a folder
  ClipFormat format;
  Plausibility plausibility = Plausibility::sum;  ///< of the tables by scenario
  MetricOptions metrics;
  bool complete = true;  ///< false: interrupted; what is here is of the sets done
  IntPhysRun run = {};
  IntPhysTables tables = {};
  std::vector<IntPhysExample> examples = {};
};

/// results.json: configuration, every cell, and the plausibilities of every clip.
std::string intphys_json(const IntPhysReport& report);

/// Rows of cell x scorer x plausibility; numbers in full.
std::vector<std::vector<std::string>> intphys_cell_rows(const IntPhysReport& report);
/// One row a clip and scorer.
std::vector<std::vector<std::string>> intphys_clip_rows(const IntPhysReport& report);

/// Error rates of visible and occluded sets for a terminal.
std::string intphys_text(const IntPhysReport& report);

/// One self-contained HTML page.
std::string intphys_report(const IntPhysReport& report);

}  // namespace startle
