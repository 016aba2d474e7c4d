#pragma once
/// \file  What startle agents run and startle agents serve both ask: the levels, and which trials are made of them.
#include "agents/runner.hpp"
#include "app/command.hpp"

namespace startle {

struct TrialChoice {
  std::vector<std::string> paths;                ///< --levels
  std::string novelty, protocol = "single";      ///< --novelty, empty: that of each level; --protocol
  PlanOptions options;

  /// With the protocol in it.
  PlanOptions plan() const;
  /// Of all levels; throws Error for a name that the catalogue lacks.
  std::optional<std::string> common_novelty() const;
};

/// --levels.
void add_levels_option(CLI::App& command, TrialChoice& choice);
/// --protocol, --trials, --before, --after and --novelty.
void add_plan_options(CLI::App& command, TrialChoice& choice, const std::string& protocol_description);

}  // namespace startle
