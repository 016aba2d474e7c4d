#pragma once
/// \file  What startle agents verify and startle agents leaderboard both ask: the levels of recorded runs.
#include <memory>
#include <string>
#include <vector>

#include "agents/entries/verify_results.hpp"
#include "app/agents_plan.hpp"

namespace startle {

struct RecordedLevels {
  TrialChoice choice;
  int threads = 0;
  bool quiet = false;

  /// As the runs were given them.
  GivenLevels given(std::shared_ptr<const Profile> constants) const;
};

/// --levels, --map, --limit, --novelty, --threads and --quiet. `more`: of --levels, the option that is
/// returned.
CLI::Option* add_recorded_levels_options(CLI::App& command, RecordedLevels& levels, const std::string& more);

}  // namespace startle
