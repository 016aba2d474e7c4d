#pragma once
/// \file  One episode: a level played by an agent, and all that happened in it as tables.
#include <cstdint>
#include <memory>
#include <string>

#include "agents/trial.hpp"
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

/// An agent plays the level, and the shots are flown again with all that is recorded of them. Equal arguments
/// give equal tables where the agent does. Throws Error for what is no fault of the agent.
RolloutTables play_episode(const RolloutLevel& level, const EpisodePlan& plan, const AgentSpec& agent,
                           std::uint64_t seed, const RolloutRecording& recording);

/// The shots flown one after the other from the start of an episode. `played` names the shots and what the
/// agent said of them.
RolloutTables record_episode(const Scene& start, const PlayedLevel& played,
                             const RolloutRecording& recording);

}  // namespace startle
