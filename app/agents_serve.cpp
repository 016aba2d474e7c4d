/// \file  startle agents serve: Science Birds agents play over TCP.
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "agents/aibirds/server.hpp"
#include "agents/runner.hpp"
#include "app/command.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"

namespace startle {
namespace {

const std::map<std::string, aibirds::Dialect> dialects{
    {"phyq", aibirds::Dialect::phyq}, {"hydra", aibirds::Dialect::hydra}, {"alpha", aibirds::Dialect::alpha}};

struct ServeOptions {
  CommonOptions common;
  std::vector<std::string> paths;
  std::string out, novelty, protocol = "single", dialect = "phyq", secret;
  PlanOptions plan;
  bool no_novelty_reports = false;
  aibirds::ServerOptions server;
};

std::vector<PlayableLevel> normal_levels(const std::vector<Level>& levels, std::shared_ptr<const Profile> constants, int threads) {
  std::vector<PlayableLevel> made(levels.size());
  parallel_for(levels.size(), threads, [&](std::size_t i) {
    made[i].name = levels[i].name;
    made[i].normal = taken_at_rest(settle(make_scene(levels[i], constants)));
  });
  return made;
}

int serve(const ServeOptions& options) {
  const auto constants = profile(options.common.profile);
  aibirds::ServerOptions server = options.server;
  server.session.dialect = dialects.at(options.dialect);
  server.session.ask_novelty = !options.no_novelty_reports;
  server.session.trial_minutes = static_cast<unsigned>(std::max(1.0, server.trial_s / 60));
  if (options.out.empty() && (!options.novelty.empty() || !server.session.name.empty() || options.protocol != "single"))
    throw Error("--novelty, --name and --protocol say how trials are recorded; they need --out FILE");

  std::vector<Level> levels;
  for (const std::string& file : find_levels(options.paths)) levels.push_back(load_level(file, *constants, options.common.quiet));
  std::optional<ResultsStore> store;
  std::unique_ptr<aibirds::Trials> trials;
  if (options.out.empty()) {
    trials = std::make_unique<aibirds::Trials>(normal_levels(levels, constants, options.common.threads), RunSecret::fresh().derive("agent seed", "free play"));
  } else {
    const std::optional<std::string> novelty = options.novelty.empty() ? std::nullopt : std::optional(find_novelty(options.novelty).name);
    RunOptions run{.program = program_fingerprint(), .plan = options.plan};
    run.plan.secret = known_secret(options.secret, {options.out}).value_or(RunSecret::fresh());
    run.plan.protocol = options.protocol == "shift" ? Protocol::shift : Protocol::single;
    run.trial.limits.action_s = server.action_s;
    run.trial.limits.trial_s = server.trial_s;
    std::vector<PlayableLevel> playable = playable_levels(levels, constants, novelty, options.common.threads);
    store.emplace(options.out, make_manifest(playable, *constants, run));
    if (!server.session.name.empty()) store->add_agent(server.session.name, aibirds::fingerprint(server.session));
    std::vector<TrialPlan> plans = plan_trials(playable, run.plan);
    trials = std::make_unique<aibirds::Trials>(std::move(playable), std::move(plans), *store);
  }

  catch_interrupt();
  aibirds::Server listening(*trials, server, [&](const std::string& line) {
    if (!options.common.quiet) report(line);
  });
  std::cout << server.host << ":" << listening.port() << std::endl;  // for whoever starts the agents
  if (!listening.run([] { return !interrupted(); })) return exit_interrupted;
  if (!options.common.quiet) report(options.out + ": all trials of " + server.session.name + " are finished");
  return 0;
}

}  // namespace

void add_agents_serve(CLI::App& agents, int& exit_code) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command = agents.add_subcommand("serve", "Agents made for Science Birds (AIBirds, Phy-Q, NovPhy) connect and play, over TCP.");
  command->add_option("--levels", options->paths, "level files, or folders that are searched for .json and .xml")
      ->required()
      ->type_name("PATH ...");
  command->add_option("--port", options->server.port, "TCP port; 0: one that is free; the address is printed")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--host", options->server.host, "address to listen on; 0.0.0.0: agents on other machines may connect")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command->add_flag("--dev", options->server.session.dev, "ground truth with labels and without noise, as in Science Birds");
  command->add_option("--dialect", options->dialect, "length of messages: phyq; hydra: one more number in code 38; alpha: shots of 6 numbers")
      ->check(CLI::IsMember({"phyq", "hydra", "alpha"}).description(""))
      ->type_name("D")
      ->capture_default_str();
  command->add_option("--out", options->out, "record trials, normal and novel, in this results file; without: free play of normal levels")
      ->type_name("FILE");
  command->add_option("--name", options->server.session.name, "agent in the results, and the end when its trials are finished; without: team-ID")
      ->type_name("NAME");
  command->add_flag("--no-novelty-reports", options->no_novelty_reports, "never ask for the likelihood of novelty: for agents that cannot say");
  command->add_option("--protocol", options->protocol, "as for startle agents run")
      ->check(CLI::IsMember({"single", "shift"}).description(""))
      ->type_name("P")
      ->capture_default_str();
  const auto count = [&](const char* name, int& value, const char* description, int least, int most) {
    command->add_option(name, value, description)->check(CLI::Range(least, most).description(""))->type_name("N")->capture_default_str();
  };
  count("--trials", options->plan.trials, "of each level and world (single), or of each novelty and tier (shift)", 1, 1000000);
  count("--before", options->plan.most_before, "shift: the world changes after 1 to N levels", 1, 10000);
  count("--after", options->plan.after, "shift: novel levels that follow at least; each trial has --before plus --after levels", 1, 10000);
  command->add_option("--novelty", options->novelty, "novelty of all levels, in place of the one stored with each")->type_name("NAME");
  add_secret_option(*command, options->secret);
  const auto seconds = [&](const char* name, double& value, const char* description) {
    command->add_option(name, value, description)->check(CLI::Range(0.001, 1e6).description(""))->type_name("S")->capture_default_str();
  };
  seconds("--action-limit", options->server.action_s, "seconds an agent may take for its next request");
  seconds("--trial-limit", options->server.trial_s, "seconds an agent may take for all requests of a trial");
  count("--games", options->server.most_games, "connections at once; more have to wait", 1, 1000);
  add_common_options(*command, options->common);
  command->footer(
      "Each connection plays a game of its own. Ctrl-C ends; what is finished stays in the results. docs/aibirds.md has the messages.\n"
      "Example: startle agents serve --levels levels/benchmark/T1/easy --dev --out results.sqlite --name pig-shooter");
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace startle
