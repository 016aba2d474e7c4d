#pragma once
/// \file  Runs of agents as a page, a table, or data.
#include <string>
#include <vector>

#include "agents/trials/results_store.hpp"

namespace startle {

/// Formats: html and md for people, tex and svg (the figure) for a paper, csv with one row a score, json with
/// every trial. `of_trials`: csv with one row a trial, in NovPhy's columns. Throws Error for any other
/// format, for `of_trials` with another than csv, and for svg of runs of several protocols.
std::string agents_report(const std::vector<AgentResults>& runs, const std::string& format, bool of_trials);

}  // namespace startle
