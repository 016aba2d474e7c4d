#pragma once
/// \file  The chain of an agent's trials: what was begun, reported and ended, in the order in which it was.
///
/// A line is written before the agent sees what comes next, and each has a hash over all lines before it. So
/// a trial that was played, taken out of the results and played again stands there twice. Whoever holds the
/// file can write a whole new chain (docs/entries.md).
///
/// The chain depends on the order of trials, and so on threads and interruptions; nothing else in a results
/// file does.
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "agents/trials/trial.hpp"

namespace startle {

class Database;

/// What made the results. Two files, or a file and a run, can be put together only where all of it is equal.
using Manifest = std::map<std::string, std::string>;

struct ChainLine {
  int number = 0;     ///< from 1
  int attempt = 0;    ///< number of the line with which the attempt at the trial began
  std::string event;  ///< "begun", "shot" or "ended"
  std::string text;   ///< begun: unit, world and trial, JSON; shot: shot_text(); ended: hash of the trial
  std::string hash;   ///< 64 hexadecimal digits, over the one before and this line
  friend bool operator==(const ChainLine&, const ChainLine&) = default;
};

/// Of one agent in one results file.
using Chain = std::vector<ChainLine>;

/// What stands for the hash before the first line: agent and run.
std::string chain_root(const std::string& agent, const std::string& fingerprint, const Manifest& manifest);
/// The line after the one with `number` and hash `previous`; shot_line() and ended_line() likewise.
ChainLine begun_line(int number, const std::string& previous, const std::string& unit,
                     const std::string& world, int trial);
ChainLine shot_line(int number, const std::string& previous, int attempt, const PlayedShot& shot);
ChainLine ended_line(int number, const std::string& previous, int attempt, const TrialResult& result);
/// All lines of a trial that is entered only when it is over, after the line with `number` and `previous`.
Chain whole_attempt(int number, const std::string& previous, const TrialResult& result);

/// SQL that makes the table `chain`. `first`: the name of its first column, a text; the key is it, `part`, a
/// number from 1, and `number`.
std::string chain_table(const std::string& first);
/// False, and nothing is added, where a line of that number is there. Throws Error when it cannot be written.
bool add_line(Database& database, const std::string& first, int part, const ChainLine& line);
/// By first column, in the order of parts. Throws Error, naming the file, for what is no chain.
std::map<std::string, std::vector<Chain>> read_chains(const Database& database);

/// Those of several files of one run: a chain that is the beginning of another is left out. Ordered by hash,
/// in whatever order they come.
std::vector<Chain> joined(std::vector<Chain> chains);

/// What the chains of one agent's run say of its trials.
struct ChainFindings {
  std::vector<std::string> faults;  ///< each says where, what is there and what is allowed
  std::size_t again = 0;            ///< attempts besides the one that stands in the results
  std::size_t otherwise = 0;        ///< of these, with a shot or report that the one in the results has not
  std::vector<std::string> heads;   ///< last hash of each chain, with its number
};
/// `trials`: all of that agent and run.
ChainFindings check_chains(const std::vector<Chain>& chains, const std::string& root,
                           const std::vector<const TrialResult*>& trials);

}  // namespace startle
