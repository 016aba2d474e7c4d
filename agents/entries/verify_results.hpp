#pragma once
/// \file  Whether results are what their secret, levels and shots lead to: every trial is planned and flown
/// again, and every figure compared to the bit; and whether the chain has the same trials.
///
/// What a program reported cannot be found again from its shots; built-in agents play again, with their
/// reports. docs/entries.md lists all that cannot be found.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agents/entries/entries.hpp"
#include "agents/trials/results_store.hpp"
#include "agents/trials/trial.hpp"

namespace startle {

struct ResultsVerification {
  std::size_t trials = 0, shots = 0;       ///< flown again
  std::size_t replayed = 0;                ///< of the trials, those that a built-in agent played again
  std::size_t again = 0, otherwise = 0;    ///< as in ChainFindings
  std::vector<std::string> disagreements;  ///< each says where, what is recorded and what was found
  bool complete = false;                   ///< false: stopped by keep_going
};

/// What the run was given.
struct GivenLevels {
  std::vector<PlayableLevel> levels;
  Manifest notes = {};  ///< set_notes()
  std::shared_ptr<const Profile> profile;
};

/// `results` with their chains. `progress` is called after each trial. Throws Error for results of other
/// levels, another profile or other messages than this program's, of free play, and with a manifest that
/// check_manifest() refuses: then nothing can be compared.
ResultsVerification verify_results(const AgentResults& results, const GivenLevels& given, int threads,
                                   const std::function<void()>& progress = {},
                                   const std::function<bool()>& keep_going = {});

/// The same of all runs of an entry together; disagreements begin with the secret of the run.
ResultsVerification verify_entry(const AgentEntry& entry, const GivenLevels& given, int threads,
                                 const std::function<void()>& progress = {},
                                 const std::function<bool()>& keep_going = {});

}  // namespace startle
