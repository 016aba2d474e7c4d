#pragma once
/// \file  The version of what the engine computes, which says whether results go together.
#include <string>

namespace startle {

/// Raised by one when the same level, novelty, shots and seed give another trace, difficulty, level or
/// agent's result than before; not when code changes that computes the same. docs/determinism.md lists, for
/// each version, hashes of what it computes and what changed; a test compares the hashes.
inline constexpr int engine_version = 4;

/// "startle engine 4": what a results file, an entry of the leaderboard and rollouts name as the program that
/// made them. Files of one engine are continued and merged.
inline std::string engine_name() { return "startle engine " + std::to_string(engine_version); }

}  // namespace startle
