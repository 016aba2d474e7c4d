#pragma once
/// \file  An Agent as a program of its own: the other end of program_agent.hpp.
///
/// \code
///   #include "agents/built_in.hpp"
///   const auto agent = make_built_in("pig-shooter+constant-velocity", profile());
///   serve_agent(*agent, *profile(), std::cin, std::cout);
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

}  // namespace startle
