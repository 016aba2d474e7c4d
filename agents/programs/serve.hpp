#pragma once
/// \file  An Agent as a program of its own: the other end of program_agent.hpp.
///
/// \code
///   #include "agents/built_in.hpp"
///   const auto agent = make_built_in("pig-shooter+constant-velocity", profile());
///   serve_trials(*agent, *profile());
/// \endcode
#include <iosfwd>

#include "agents/agent.hpp"
#include "sim/profile.hpp"

namespace startle {

/// Reads the runner's messages (docs/agent-protocol.md) from `in` and writes the agent's answers to `out`,
/// until the end message or the end of `in`. The agent sees what it would see inside the runner, bit for bit:
/// shapes are those that `profile` has for an appearance where they have the outline that was sent, else that
/// outline. Throws Error for a line that is no message of the protocol, or one that does not belong there;
/// what the agent throws passes through.
void serve_agent(Agent& agent, const Profile& profile, std::istream& in, std::ostream& out);

/// Says that it is ready, and plays trials on standard input and output until the runner closes them: each in
/// a fork of this process, in which `agent` is as it is now. So no trial knows of another, and what `agent`
/// has loaded is loaded once. Meanwhile what anything prints to standard output, programs that the agent
/// starts included, goes to standard error, and standard input is empty. Nothing may have been read from
/// standard input, and no threads may run. Throws Error where no process can be made.
void serve_trials(Agent& agent, const Profile& profile);

}  // namespace startle
