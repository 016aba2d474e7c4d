#pragma once
/// \file  Results of agents as data, their tables, and their report.
#include <map>
#include <string>
#include <vector>

#include "agents/results_store.hpp"
#include "agents/scores.hpp"

namespace startle {

struct AgentsRun {
  Manifest manifest;
  std::map<std::string, std::string> agents;  ///< fingerprints
  std::vector<TrialResult> results;
};

/// One file or several with the same manifest. Throws Error for others, for a trial that has two results, and when there is no trial.
AgentsRun load_agents_run(const std::vector<std::string>& files);

/// By the file's extension: .html, .md, .json or .csv. Throws Error for any other.
std::string agents_report(const AgentsRun& run, const std::string& file_name);

}  // namespace startle
