#pragma once
/// \file  A client of the Model Context Protocol (MCP) as an agent: it is a program that starts its servers
/// itself, by a file that names their commands.
///
/// The client starts `startle mcp --connect SOCKET` and talks to that on standard input and output; that
/// carries the lines to a socket of the process which started the client, where the trial is.
#include <memory>
#include <string>
#include <vector>

#include "agents/agent.hpp"

namespace startle {

struct McpClientOptions {
  std::vector<std::string> client;  ///< program and arguments; "{config}" in them stands for the path of the
                                    ///< file that names the server, as does STARTLE_MCP_CONFIG
  std::string server;               ///< file of the program `startle`
  std::string version;              ///< of Startle
  double grace_s = 10;              ///< for the client to end once the trial is over; then it is killed
};

/// Starts a client for the trial, and plays what it plays. Its standard output goes to standard error. Socket
/// and file are in a new folder that nobody else can read, which is gone at the end of the trial; where the
/// process is killed, once the next trial begins. Throws Error when the client cannot be started, or ends
/// before the trial is over.
class McpAgent : public Agent {
 public:
  explicit McpAgent(McpClientOptions options);
  ~McpAgent() override;
  void begin(const Briefing& briefing) override;
  Shot act(const ObservationSource& source) override;
  Report report(const SeenShot& seen, const ObservationSource& source) override;
  void end() override;

 private:
  struct Session;
  template <typename Ask>
  auto asked(const Ask& ask);

  McpClientOptions options_;
  std::unique_ptr<Session> session_;
};

/// Carries bytes between standard input and output and the socket of an McpAgent, until the socket is closed.
/// Throws Error where nobody listens there.
void carry_mcp(const std::string& socket);

}  // namespace startle
