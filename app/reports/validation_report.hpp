#pragma once
/// \file  A validation run as data, its tables, and its report.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/novelty.hpp"
#include "simulated/validation.hpp"

namespace startle {

struct ValidatedLevel {
  std::string name;
  std::string family;  ///< of the generator; empty for levels of other origin
  Scene scene;         ///< at rest, normal world
  LevelValidation validation;
};

struct ValidationRun {
  std::string version, command, profile;
  std::optional<std::uint64_t> seed = {};  ///< of generated levels
  std::uint64_t level_set_hash = 0;
  double alpha = 0.5;
  AimNoise noise;
  std::vector<const Novelty*> novelties = {};
  std::vector<ValidatedLevel> levels = {};
};

/// One table, ready for every form of output.
struct ValidationTable {
  std::string id;  ///< "agreement"; name of the CSV file
  std::string title;
  std::string note;                            ///< what the columns mean
  std::vector<std::vector<std::string>> rows;  ///< head first
};

/// agreement, values, visible, thirds, families, cases, directions, detectability, failures.
std::vector<ValidationTable> validation_tables(const ValidationRun& run);

/// One row a level and novelty, with targets that make the novelty visible in the first interaction (by
/// simulation: of shots without perturbation), PID, BID, value and third by each method and by simulation
/// (means over perturbed shots), and what is visible with and without the novelty; numbers in full.
std::vector<std::vector<std::string>> validation_level_rows(const ValidationRun& run);
/// One row a level, question and method (empty where both give the same): true and false positives and
/// negatives.
std::vector<std::vector<std::string>> validation_count_rows(const ValidationRun& run);

/// One self-contained HTML page.
std::string validation_report(const ValidationRun& run, const std::vector<ValidationTable>& tables);

}  // namespace startle
