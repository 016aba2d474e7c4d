#pragma once
/// \file  One run of agents shared by the processes that mpirun started, by MPI messages.
///
/// Rank 0 places the levels, hands out one trial after the other and writes every result into the file as it
/// comes; it plays as well. The others ask for a trial, play it and send its result. Whatever dies, mpirun
/// ends all of them; what is finished stays in the file, and the same command goes on from there.
#include <functional>
#include <memory>
#include <string>

#include "agents/trials/runner.hpp"
#include "levels/placed_levels.hpp"

namespace startle {

/// This process among those of the launch, as long as it lives; one at a time.
class MpiProcess {
 public:
  /// Throws Error where the library lets only one thread send.
  MpiProcess();
  /// When an exception passes, MPI is not ended: mpirun takes that for a failure and ends the other
  /// processes.
  ~MpiProcess();
  MpiProcess(const MpiProcess&) = delete;
  MpiProcess& operator=(const MpiProcess&) = delete;

  int rank() const { return rank_; }
  int count() const { return count_; }

 private:
  int rank_ = 0, count_ = 1;
};

/// For run_agents() on rank 0, as RunHooks::other_players: gives the other ranks what they need to play, then
/// trials from the queue until there are none. The other arguments are those of run_agents(), and the set
/// that the levels were made from.
void hand_out_trials(const MpiProcess& process, const PlacedSet& set,
                     const std::vector<PlayableLevel>& levels, const Profile& profile,
                     const RunOptions& options, const std::function<bool()>& keep_going, TrialQueue& queue);

/// On the other ranks: plays what rank 0 hands out. Of `options`, the secret is rank 0's. Throws Error,
/// naming what differs, where this process would not play as rank 0 does: another program, profile, agent or
/// option.
void play_handed_out(const MpiProcess& process, std::shared_ptr<const Profile> profile, RunOptions options,
                     const std::function<bool()>& keep_going);

}  // namespace startle
