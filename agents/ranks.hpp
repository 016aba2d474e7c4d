#pragma once
/// \file  One run shared by several processes that a launcher such as mpirun started.
///
/// No MPI library is needed: the launcher says in the environment who is who, and the ranks meet in files
/// beside the results, on machines that share nothing but the file system. Rank r runs shard r + 1 into a
/// part of its own, and says in a file that it is alive or done. Rank 0 waits for the others, puts the parts
/// together and removes them. Whatever dies, what is finished stays in the parts, and the same command goes
/// on from there, also with another number of ranks.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agents/runner.hpp"

namespace startle {

struct Rank {
  int number = 0;  ///< from 0
  int count = 1;
  std::string launch = {};  ///< what the launcher calls this run of it, where it says: the same for all
                            ///< ranks, another one the next time
};

/// OMPI_COMM_WORLD_RANK and _SIZE (Open MPI), or PMI_RANK and PMI_SIZE (MPICH, Intel MPI, srun --mpi=pmi2);
/// PMIX_NAMESPACE or PMI_JOBID for the launch. Empty without them and for one rank alone. Throws Error when
/// they are no numbers with 0 <= rank < size.
std::optional<Rank> launched_rank();

/// "results.sqlite.part-2-of-3" for rank 1 of 3.
std::filesystem::path part_of(const std::filesystem::path& out, const Rank& rank);

/// The parts beside `out`, of any number of ranks, by name.
std::vector<std::filesystem::path> parts_beside(const std::filesystem::path& out);

/// The secret of all ranks: `given`, that of results or parts that exist, or a fresh one, which rank 0 hands
/// to the others in the file `out`.secret. Throws Error for one that is none, and when rank 0 says nothing
/// for `patience_s` seconds.
RunSecret secret_of_ranks(const std::string& given, const std::filesystem::path& out, const Rank& rank,
                          double patience_s = 180);

/// run_agents() for one rank. `options.shard` and `shards` are set here. Trials that are in `out`, or in
/// parts left behind by another number of ranks, are not run again. For rank 0 it returns when `out` is
/// complete, and the summary then counts all ranks' trials; `waiting` is called once when it begins to wait.
/// Throws Error as run_agents() and merge_results() do, and when nothing is heard of another rank for
/// `patience_s` seconds (a rank writes every two seconds; network file systems show it up to a minute later).
RunSummary run_agents_as_rank(const std::vector<PlayableLevel>& levels,
                              std::shared_ptr<const Profile> profile, RunOptions options,
                              const std::filesystem::path& out, const Rank& rank,
                              const std::function<void(std::size_t)>& expect = {},
                              const std::function<void(std::size_t)>& progress = {},
                              const std::function<bool()>& keep_going = {},
                              const std::function<void()>& waiting = {}, double patience_s = 180);

}  // namespace startle
