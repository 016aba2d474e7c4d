/// \file  startle mcp: clients of the Model Context Protocol play.

#include <filesystem>
#include <memory>

#include "agents/mcp_agent.hpp"
#include "agents/serve.hpp"
#include "app/command.hpp"
#include "core/child_process.hpp"
#include "core/error.hpp"

namespace startle {

void add_mcp_command(CLI::App& app) {
  struct McpOptions {
    std::vector<std::string> client;
    std::string socket;
  };
  const auto options = std::make_shared<McpOptions>();
  CLI::App* command = app.add_subcommand(
      "mcp", "Plays as a client of the Model Context Protocol does: an agent program of agents run.");
  CLI::Option* client =
      command
          ->add_option("CLIENT", options->client,
                       "program of the client and its arguments, after --; {config} in them stands for the "
                       "path of the file that names this server; default: required without --connect")
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
  command->callback([options] {
    if (!options->socket.empty()) {
      carry_mcp(options->socket);
      return;
    }
    if (options->client.empty())
      throw Error(
          "CLIENT: found none, needed is a program, for example: startle mcp -- python3 client.py {config}");
    McpAgent agent({.client = options->client,
                    .server = (own_folder() / "startle").string(),
                    .version = STARTLE_VERSION});
    serve_trials(agent, *profile());
  });
}

}  // namespace startle
