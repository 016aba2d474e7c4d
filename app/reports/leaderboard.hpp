#pragma once
/// \file  Entries side by side, as a page, a table, or data.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "agents/entries/entries.hpp"

namespace startle {

/// What is known of the trials of an entry, and so the table that it stands in.
enum class EntryMark {
  run_by_host,  ///< by the host, or by verification, which lets built-in agents play again
  replayed,     ///< its shots were flown again; what it reported is the word of its author
  reported      ///< nothing was flown again
};

struct LeaderboardEntry {
  std::string file;
  AgentEntry entry;
  EntryMark mark = EntryMark::reported;
};

/// A file that stands in no table.
struct RefusedEntry {
  std::string file, reason;
};

struct Leaderboard {
  std::vector<LeaderboardEntry> entries;
  std::vector<RefusedEntry> refused;
};

/// Share of trials that may have failed, or been begun again with other reports, in an entry with a rank:
/// whoever fails where the world is normal has no false alarms there.
inline constexpr double most_failed = 0.01;

/// Refuses entries that cannot stand beside the others: those of other levels, profiles, protocols or options
/// than the first that the host ran, or, without one, than most have; programs and sandboxes may differ. And
/// those with the name of one before them.
void refuse_misfits(Leaderboard& board);

/// A table a mark, the largest AUC over all tiers first, and a line a refused file. Formats: html and md for
/// people, tex and svg (the figure) for a paper, csv with one row an entry and tier, json. Throws Error for
/// any other format, without an entry, and for svg where none has a rank.
std::string leaderboard(const Leaderboard& board, const std::string& format);

/// The scores of one entry by tier, for a terminal.
std::string entry_scores_text(const AgentEntry& entry);

}  // namespace startle
