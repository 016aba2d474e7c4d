#pragma once
/// \file  What was played, written down so that it can be flown again.
#include <filesystem>
#include <string>

#include "play/game_session.hpp"

namespace startle {

/// Where a session was played.
struct PlayedWhere {
  std::string version;         ///< of the program
  std::filesystem::path file;  ///< of the level
  std::string level;           ///< its name
  std::string novelty;         ///< empty: the normal world
  std::string profile;
};

/// One line of JSON with keys program, level, file, profile, novelty (null in the normal world), shots,
/// cleared, score, birds_left, pigs_left. Each shot has shot (as `startle simulate --shot` takes it), bird,
/// score, pigs_killed, blocks_destroyed, steps, end and hash. No shot is under way.
std::string play_record(const PlayedWhere& where, const GameSession& session);

/// `startle simulate` with what flies these shots again.
std::string simulate_command(const PlayedWhere& where, const GameSession& session);

}  // namespace startle
