#pragma once
/// \file  What startle agents run and startle agents serve both ask: the levels, and which trials are made of
/// them.
#include "agents/trials/runner.hpp"
#include "app/command.hpp"

namespace startle {

struct TrialChoice {
  std::vector<std::string> paths;            ///< --levels
  std::vector<MappedName> map;               ///< --map
  std::string novelty, protocol = "single";  ///< --novelty, empty: that of each level; --protocol
  std::size_t limit = 0;                     ///< --limit: levels of each novelty and tier at most; 0: all
  bool thirds = false;                       ///< --thirds: in place of the tier of levels that store none
  bool strict = false;                       ///< --strict: an error where a level is left out
  PlanOptions options;

  /// With the protocol in it.
  PlanOptions plan() const;
  /// Of all levels; throws Error for a name that the catalogue lacks.
  std::optional<std::string> common_novelty() const;
  /// The levels with their novelties and tiers. Says on standard error, unless quiet, how hard the novelty is
  /// to detect in levels that store no difficulty, and what was left out. Throws Error where no level
  /// remains, and by --strict where one is left out.
  PlacedSet place(std::shared_ptr<const Profile> constants, const CommonOptions& common) const;
};

/// --levels and --map.
void add_levels_option(CLI::App& command, TrialChoice& choice);
/// --protocol, --trials, --before, --after, --novelty, --limit, --thirds and --strict.
void add_plan_options(CLI::App& command, TrialChoice& choice);

}  // namespace startle
