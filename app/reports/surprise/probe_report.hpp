#pragma once
/// \file  A run of probes as files: results.json, tables as CSV, and a report.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "surprise/probes/probe_evaluation.hpp"

namespace startle {

/// A tuple whose frames the report shows, with the errors of every predictor.
struct ProbeExample {
  ProbeTuple tuple;
  std::vector<TupleErrors> errors;
};

struct ProbeReport {
  std::string version, command;
  std::size_t models = 0;                 ///< the first so many predictors are models, the others controls
  std::vector<std::string> model_hashes;  ///< of the models' files
  std::map<std::size_t, std::size_t> calibrated = {};  ///< by index of a calibrated predictor
                                                       ///< (docs/probes.md): index of the original
  MetricOptions metrics;
  FewShotOptions few_shot = {};
  bool complete = true;  ///< false: interrupted; what is here is of the tuples done
  ProbeRun run = {};
  ProbeTables tables = {};
  std::vector<ProbeExample> examples = {};
};

/// results.json: configuration, every table, and every score of every tuple that a predictor was shown.
std::string probe_json(const ProbeReport& report);

/// Rows of concept x predictor x score, then of the few-shot detectors; numbers in full.
std::vector<std::vector<std::string>> probe_cell_rows(const ProbeReport& report);
/// One row a tuple and predictor that was shown it.
std::vector<std::vector<std::string>> probe_tuple_rows(const ProbeReport& report);

/// Table of accuracies for a terminal.
std::string probe_text(const ProbeReport& report);

/// What the tables say, in sentences made from their numbers.
std::vector<std::string> probe_reading(const ProbeReport& report);

/// One self-contained HTML page.
std::string probe_report(const ProbeReport& report);

}  // namespace startle
