#pragma once
/// \file  An agent that is a program of its own, in any language: JSON lines on its standard input and output
/// (docs/agent-protocol.md).
#include <memory>
#include <string>

#include "agents/agent.hpp"
#include "agents/process.hpp"

namespace startle {

/// Starts `command` with /bin/sh. What the program does wrong is thrown as AgentFailure.
std::unique_ptr<Agent> make_program_agent(const std::string& command, const ProcessLimits& limits = {});

}  // namespace startle
