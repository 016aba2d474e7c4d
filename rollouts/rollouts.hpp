#pragma once
/// \file  A folder of rollouts: episodes of many levels, agents and worlds in shards, resumable.
///
/// The folder holds rollouts-00000.h5, rollouts-00001.h5 ... (shard_file.hpp), rollouts.json, which says what
/// made them and lists them with their hashes, and, once all are there, croissant.json (croissant.hpp).
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "agents/trials/trial.hpp"
#include "levels/placed_levels.hpp"
#include "rollouts/episode.hpp"
#include "sim/profile.hpp"

namespace startle {

/// Everything that decides the bytes, besides the levels.
struct RolloutSettings {
  std::string program;  ///< engine_name()
  std::string command;  ///< that makes these bytes again; DIR stands for paths
  std::string date;     ///< of the program's release, "2026-11-24": goes into the description
  std::string profile = "startle";
  std::string novelty;            ///< as asked for; empty: the normal world alone
  std::vector<AgentSpec> agents;  ///< names differ
  int trials = 1;                 ///< of each level, world and agent
  std::uint64_t seed = 1;
  RolloutRecording recording;
  std::size_t shard_size = 100;  ///< episodes a shard, >= 1
};

/// Levels at rest, each with the novelty that it is played with. `novelty`: "stored", the one stored with
/// each; "own", the one that each file carries; or a name of the catalogue; empty: the normal world alone.
/// Levels without such a novelty, or with nothing that it changes, go to `left_out`. Throws Error for an
/// unknown name.
std::vector<RolloutLevel> rollout_levels(const LevelsAtRest& set, const std::string& novelty,
                                         std::vector<LeftOutLevel>& left_out);

/// All episodes, in the order of files: of each level in the normal and, where it has a novelty, in the novel
/// world, by each agent, each trial.
std::vector<EpisodePlan> plan_episodes(const std::vector<RolloutLevel>& levels,
                                       const RolloutSettings& settings);

/// A shard as rollouts.json lists it.
struct ShardRecord {
  std::string file, sha256;
  std::uint64_t bytes = 0;
  std::map<std::string, std::uint64_t> rows;  ///< by table
};

struct RolloutOptions {
  int threads = 0;  ///< 0: all of the machine
  /// Called once with the number of episodes to be played, and after each.
  std::function<void(std::size_t)> expect = {};
  std::function<void()> progress = {};
  std::function<bool()> keep_going = {};
};
struct RolloutSummary {
  std::vector<ShardRecord> shards;  ///< that stand in the folder
  std::size_t found = 0;            ///< of those, finished before
  std::uint64_t frames_made = 0;    ///< in this run
  bool complete = false;            ///< false: stopped by keep_going
};

/// Makes the rollouts, in a folder that exists. Ended at any moment and called again with the same settings,
/// it goes on after the shards that are finished; one that is damaged is made again. The bytes of all files
/// depend neither on that nor on the number of threads. Throws Error when the folder holds rollouts of other
/// settings, naming the first that differs, and when it cannot be written; finished shards stay.
RolloutSummary make_rollouts(const std::filesystem::path& folder, const std::vector<RolloutLevel>& levels,
                             const RolloutSettings& settings, const RolloutOptions& options = {});

}  // namespace startle
