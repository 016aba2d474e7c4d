#pragma once
/// \file  startle agents replay.
#include <CLI/CLI.hpp>

namespace startle {

/// Of `startle agents`.
void add_agents_replay(CLI::App& agents);

}  // namespace startle
