#include "app/agents_launch.hpp"

#include <cstdlib>

#include "app/command.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

#ifdef STARTLE_WITH_MPI
#include "agents/mpi/mpi_run.hpp"
#endif

namespace startle {
namespace {

/// As Open MPI, or MPICH, Intel MPI and srun --mpi=pmi2, say it.
int launched_processes() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* size = std::getenv(name)) return parse_number<int>(size).value_or(1);
  return 1;
}

}  // namespace

#ifdef STARTLE_WITH_MPI

Launch::Launch() {
  if (launched_processes() > 1) process_ = std::make_shared<const MpiProcess>();
}

int Launch::rank() const { return process_ ? process_->rank() : 0; }
int Launch::count() const { return process_ ? process_->count() : 1; }

std::function<void(TrialQueue&)> Launch::other_players(const PlacedSet& set,
                                                       const std::vector<PlayableLevel>& levels,
                                                       const Profile& profile,
                                                       const RunOptions& options) const {
  if (!process_) return {};
  return [&, this](TrialQueue& queue) {
    hand_out_trials(
        *process_, set, levels, profile, options, [] { return !interrupted(); }, queue);
  };
}

int Launch::play(const std::shared_ptr<const Profile>& profile, const RunOptions& options) const {
  play_handed_out(*process_, profile, options, [] { return !interrupted(); });
  return interrupted() ? exit_interrupted : 0;
}

#else

Launch::Launch() {
  if (launched_processes() > 1)
    throw Error(
        "mpirun: this program was built without MPI; build it with -DSTARTLE_BUILD_MPI=ON, or run parts with "
        "--shard I/N");
}

int Launch::rank() const { return 0; }
int Launch::count() const { return 1; }

std::function<void(TrialQueue&)> Launch::other_players(const PlacedSet&, const std::vector<PlayableLevel>&,
                                                       const Profile&, const RunOptions&) const {
  return {};
}

int Launch::play(const std::shared_ptr<const Profile>&, const RunOptions&) const { return 0; }

#endif

}  // namespace startle
