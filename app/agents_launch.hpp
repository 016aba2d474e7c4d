#pragma once
/// \file  startle agents run as one of the processes that mpirun started.
#include <functional>
#include <memory>

#include "agents/trials/runner.hpp"
#include "levels/placed_levels.hpp"

namespace startle {

class MpiProcess;

/// This process among those of the launch: rank 0 of one, unless mpirun started several.
class Launch {
 public:
  /// Throws Error where there are several, and this program was built without MPI.
  Launch();

  int rank() const;
  int count() const;
  /// On rank 0, what run_agents() runs beside: the other ranks play as well. Empty for one process.
  std::function<void(TrialQueue&)> other_players(const PlacedSet& set,
                                                 const std::vector<PlayableLevel>& levels,
                                                 const Profile& profile, const RunOptions& options) const;
  /// On the other ranks: plays until rank 0 has no trials left. Returns the exit code.
  int play(const std::shared_ptr<const Profile>& profile, const RunOptions& options) const;

 private:
  std::shared_ptr<const MpiProcess> process_;  // null for one process
};

}  // namespace startle
