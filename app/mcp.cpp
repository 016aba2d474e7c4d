/// \file  startle mcp: clients of the Model Context Protocol play.

#include <filesystem>
#include <memory>

#include "agents/mcp_agent.hpp"
#include "agents/serve.hpp"
#include "app/command.hpp"
#include "core/child_process.hpp"
#include "core/error.hpp"

namespace startle {
namespace {

struct McpOptions {
  std::string client, socket;
};

/// The client with its arguments, which are what CLI11 has not taken after "--": of an option of several
/// words it would take one in brackets apart.
std::vector<std::string> client_words(const std::string& client, std::vector<std::string> others) {
  if (!others.empty() && others.front() != "--")
    throw Error("startle mcp: found '" + others.front() +
                "', allowed are --connect SOCKET and -- CLIENT ARGUMENT...");
  if (others.empty())
    others.push_back(client);
  else
    others.front() = client;
  return others;
}

}  // namespace

void add_mcp_command(CLI::App& app) {
  const auto options = std::make_shared<McpOptions>();
  CLI::App* command = app.add_subcommand(
      "mcp", "Plays as a client of the Model Context Protocol does: an agent program of agents run.");
  command->allow_extras();
  CLI::Option* client = command
                            ->add_option("CLIENT", options->client,
                                         "program of the client; after --, with its arguments, in which "
                                         "{config} stands for the path of the file that names this server; "
                                         "default: required without --connect")
                            ->type_name("");
  command
      ->add_option("--connect", options->socket,
                   "serves the client that started this process, as the file that names this server says; "
                   "default: none")
      ->type_name("SOCKET")
      ->excludes(client);
  command->footer(
      "docs/mcp.md says what the client sees, and which limits it needs.\n"
      "Example: startle agents run --agent 'mine=startle mcp -- python3 client.py {config}' \\\n"
      "           --action-limit 300 --trial-limit 3600 --levels levels/benchmark/T1 --out results.sqlite");
  command->callback([command, options] {
    if (!options->socket.empty()) {
      carry_mcp(options->socket);
      return;
    }
    if (options->client.empty())
      throw Error("CLIENT: found none, needed is a program, as in startle mcp -- python3 client.py {config}");
    McpAgent agent({.client = client_words(options->client, command->remaining()),
                    .server = (own_folder() / "startle").string(),
                    .version = STARTLE_VERSION});
    serve_trials(agent, *profile());
  });
}

}  // namespace startle
