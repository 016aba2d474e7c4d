/// \file  startle agents pack: runs of one agent as an entry of a leaderboard.
#include "agents/entries/entries.hpp"
#include "app/command.hpp"
#include "core/error.hpp"
#include "core/files.hpp"

namespace startle {
namespace {

struct PackOptions {
  std::vector<std::string> results;
  std::string agent, description, out;
};

/// The option is JSON itself, or a file of it.
EntryDescription described_agent(const std::string& option) {
  if (option.starts_with('{')) return parse_description(option, "--description");
  return parse_description(read_file(option), option);
}

void pack(const PackOptions& options) {
  AgentEntry entry = pack_entry({options.results.begin(), options.results.end()}, options.agent,
                                described_agent(options.description));
  write_entry(entry, options.out);
  std::size_t trials = 0;
  for (const auto& [secret, of_run] : entry.runs) trials += of_run.size();
  report(options.out + ": entry " + entry.description.name + ", " + std::to_string(entry.runs.size()) +
         " secrets, " + std::to_string(trials) + " trials, hash " + entry.hash);
  const EntryAttempts attempts = attempts_of(entry);
  for (const std::string& head : attempts.heads) report("head of the chain of secret " + head);
  if (attempts.again > 0)
    report("trials begun again: " + std::to_string(attempts.again) + ", of which " +
           std::to_string(attempts.otherwise) + " had other shots or reports before");
}

}  // namespace

void add_agents_pack(CLI::App& agents) {
  const auto options = std::make_shared<PackOptions>();
  CLI::App* command = agents.add_subcommand(
      "pack", "Puts runs of one agent with four secrets or more into one file, an entry of a leaderboard.");
  add_shared_option(*command, "RESULTS", options->results,
                    "of at least four runs that differ in their secret alone")
      ->required();
  add_shared_option(*command, "--name", options->agent, "default: the only one");
  command
      ->add_option("--description", options->description,
                   "JSON that says what the agent is, or a file of it (docs/entries.md)")
      ->required()
      ->type_name("JSON");
  add_shared_option(*command, "--out", options->out, "a file, the entry")->required();
  command->footer(
      "Runs of other levels, options, programs or agents, and runs with trials missing, are refused.\n"
      "Example: startle agents pack run-1.sqlite run-2.sqlite run-3.sqlite run-4.sqlite \\\n"
      "           --description agent.json --out entry.sqlite");
  command->callback([options] { pack(*options); });
}

}  // namespace startle
