#pragma once
/// \file  One episode: a level played by an agent, and all that happened in it as tables.
#include <cstdint>
#include <memory>
#include <string>

#include "agents/trials/trial.hpp"
#include "rollouts/tables.hpp"
#include "sim/scene.hpp"

namespace startle {

/// What is written of every episode.
struct RolloutRecording {
  int every = 5;              ///< steps between frames, >= 1
  int width = 0, height = 0;  ///< of pictures, pixels; 0: none
  bool masks = false;         ///< which body each pixel shows, too; needs pictures
};

/// A level as it is played.
struct RolloutLevel {
  PlayableLevel playable;  ///< `novelty` empty: the normal world alone
  std::string set;         ///< name of the folder that holds its file
};

struct EpisodePlan {
  std::size_t level = 0;  ///< index of the RolloutLevel
  std::size_t agent = 0;  ///< index of the agent
  bool novel = false;
  int trial = 0;
};

/// Lets an agent play the level, and returns all that is recorded of its shots as tables. Equal arguments
/// give equal tables if the agent plays alike. Throws Error for failures that are not the agent's.
RolloutTables play_episode(const RolloutLevel& level, const EpisodePlan& plan, const AgentSpec& agent,
                           std::uint64_t seed, const RolloutRecording& recording);

/// What the traces of the shots of an episode must hold.
WorldOptions world_options(const RolloutRecording& recording);
/// The episode that began at `start`: its shots, one after the other, and how it ended.
RolloutTables record_episode(const Scene& start, const std::vector<TrialShot>& shots,
                             const PlayedLevel& played, const RolloutRecording& recording);

}  // namespace startle
