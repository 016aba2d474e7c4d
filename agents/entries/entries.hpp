#pragma once
/// \file  Entries of a leaderboard: all runs of one agent in one file that anybody can verify.
///
/// An entry is an SQLite file (docs/files.md): what its author says of the agent, what the runs were made
/// from, and every trial, under the secret of its run. A hash over all of it finds a change after packing.
/// verify_entry() finds what was changed before it; docs/entries.md lists what nobody can find.
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "agents/trials/results_store.hpp"

namespace startle {

/// So many secrets an entry has at least, a run each: a single run may be a lucky one.
inline constexpr std::size_t least_secrets = 4;

/// What cannot be read off the trials: the author's word.
struct EntryDescription {
  std::string name;      ///< of the entry on a leaderboard; letters, digits and - _ . +, at most 64
  std::string author;    ///< this, `agent` and `training` are one line each, of 1 to 500 bytes
  std::string agent;     ///< what it is
  std::string training;  ///< what it was trained and tuned on
  bool simulates_normal_world = false;  ///< by Startle's engine, or one like it
  bool given_novelties = false;         ///< whether it knows the list of novelties
  bool trials_isolated = false;  ///< whether nothing of one trial was known in another; true is refused where
                                 ///< the results say otherwise
  int looks = 1;  ///< how often agents of this author had been run on these levels, this time included
  std::string program_fixed, played;  ///< dates, YYYY-MM-DD: from which nothing in the agent changed; of the
                                      ///< last run
};

/// From a JSON object with a key for each field of EntryDescription and no other. Throws Error, naming
/// `source`, line, key, what was found and what is allowed.
EntryDescription parse_description(const std::string& json, const std::string& source);
/// The same JSON in one line, keys in the order of the fields.
std::string description_text(const EntryDescription& description);

struct AgentEntry {
  EntryDescription description;
  std::string agent, fingerprint;                        ///< as in the results
  Manifest manifest;                                     ///< of all runs, without the secret
  std::map<std::string, std::vector<TrialResult>> runs;  ///< by secret; ordered by key
  std::map<std::string, std::vector<Chain>> chains;      ///< by secret
  std::string
      hash;  ///< 64 hexadecimal digits, of what is written without the chains; the same for equal runs
  std::string chain_hash;  ///< of the chains; write_entry() and read_entry() set both
};

/// From results files of at least four secrets, several of one secret together. `agent`: its name in them;
/// empty: the only one. Throws Error, naming the file and what differs, for fewer secrets, runs of other
/// levels, options or programs, another agent of that name, free play, a run with trials missing, trials that
/// are not isolated where the description says that they are, and trials that are not those of the chain.
AgentEntry pack_entry(const std::vector<std::filesystem::path>& results, const std::string& agent,
                      const EntryDescription& description);

/// Whole or not at all; the same entry gives the same bytes. Sets the hash. Throws Error when the file cannot
/// be written.
void write_entry(AgentEntry& entry, const std::filesystem::path& out);

/// Whether the file calls itself an entry; throws Error where it is no SQLite file.
bool is_entry(const std::filesystem::path& file);

/// Throws Error, naming the file, for what is no entry, is damaged, does not agree with its hash, for all
/// that pack_entry() refuses, and for a cell that write_entry() would have written otherwise.
AgentEntry read_entry(const std::filesystem::path& file);

/// The runs as results, in the order of their secrets.
std::vector<AgentResults> results_of(const AgentEntry& entry);

/// How often trials were begun that do not stand in the entry, over all runs, and the heads of the chains by
/// secret.
struct EntryAttempts {
  std::size_t again = 0, otherwise = 0;  ///< as in ChainFindings
  std::vector<std::string> heads;        ///< "SECRET: NUMBER HASH"
};
EntryAttempts attempts_of(const AgentEntry& entry);

/// Whether the process of each trial kept it apart from others: it was built in, of its own or a fork.
bool trials_isolated(const AgentEntry& entry);

}  // namespace startle
