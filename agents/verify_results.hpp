#pragma once
/// \file  Whether results are what their secret, levels and shots lead to: every trial is planned and flown
/// again, and every figure compared to the bit.
///
/// What a program reported cannot be found again from its shots; built-in agents play again, with their
/// reports.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "agents/entries.hpp"
#include "agents/results_store.hpp"
#include "agents/trial.hpp"

namespace startle {

struct ResultsVerification {
  std::size_t trials = 0, shots = 0;       ///< flown again
  std::size_t replayed = 0;                ///< of the trials, those that a built-in agent played again
  std::vector<std::string> disagreements;  ///< each says where, what is recorded and what was found
  bool complete = false;                   ///< false: stopped by keep_going
};

/// `levels`: those that the run was given. `progress` is called after each trial. Throws Error for results of
/// other levels, another profile or other messages than this program's, of free play, and with a manifest
/// that cannot be read: then nothing can be compared.
ResultsVerification verify_results(const AgentResults& results, const std::vector<PlayableLevel>& levels,
                                   std::shared_ptr<const Profile> profile, int threads,
                                   const std::function<void()>& progress = {},
                                   const std::function<bool()>& keep_going = {});

/// The same of all runs of an entry together; disagreements begin with the secret of the run.
ResultsVerification verify_entry(const AgentEntry& entry, const std::vector<PlayableLevel>& levels,
                                 std::shared_ptr<const Profile> profile, int threads,
                                 const std::function<void()>& progress = {},
                                 const std::function<bool()>& keep_going = {});

}  // namespace startle
