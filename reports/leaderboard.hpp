#pragma once
/// \file  Entries side by side, as a page, a table, or data.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "agents/entries.hpp"

namespace startle {

struct LeaderboardEntry {
  AgentEntry entry;
  std::optional<std::size_t> disagreements;  ///< of verify_entry(); none: it was not asked
};

/// One row an entry, the largest AUC over all tiers first. Formats: html and md for people, csv with one row
/// an entry and tier, json. At least one entry. Throws Error for any other format, two entries of one name,
/// and entries of other levels, profiles, protocols or options; programs and sandboxes may differ.
std::string leaderboard(const std::vector<LeaderboardEntry>& entries, const std::string& format);

/// The scores of one entry by tier, for a terminal.
std::string entry_scores_text(const AgentEntry& entry);

}  // namespace startle
