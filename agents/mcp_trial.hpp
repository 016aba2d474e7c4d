#pragma once
/// \file  A trial as tools of the Model Context Protocol (MCP): look, shoot and report, over JSON-RPC 2.0.
///
/// Only messages are here, no input or output; mcp_agent.hpp has those. Tools take degrees, as chat models
/// do. docs/mcp.md says what a client sees.
#include <memory>
#include <optional>
#include <string>

#include "agents/agent.hpp"

namespace startle {

/// One trial, which one client at a time plays. The runner's side says what is due, and the client's side
/// calls tools. The answer to an accepted `shoot` or `report` waits for what the runner says next.
class McpTrial {
 public:
  /// `version`: of Startle, for the client.
  explicit McpTrial(const std::string& version);
  ~McpTrial();

  void begin(const Briefing& briefing);
  /// Each returns the answer to the call that waited for this; empty where none did. The arguments are used
  /// until the client has made its choice.
  std::string shot_due(const ObservationSource& source);
  std::string report_due(const SeenShot& seen, const ObservationSource& source);
  std::string over();

  /// A client has connected: it has to initialise, and no call waits.
  void connected();
  /// The answer to one line of the client; empty where none is due, or not yet. What is wrong with the line
  /// is said in the answer. Errors of the source pass through.
  std::string answer(const std::string& line);
  /// The client's choice, once.
  std::optional<Shot> take_shot();
  std::optional<Report> take_report();

  /// What is due, in words: "a shot is due".
  std::string due() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The answer to a line of a client that has come while another one played; empty where none is due.
std::string mcp_refusal(const std::string& line);

}  // namespace startle
