/// \file  startle agents serve: Science Birds agents play over TCP.
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "agents/aibirds/server.hpp"
#include "app/agents_plan.hpp"
#include "app/level_sets.hpp"
#include "core/engine_version.hpp"
#include "core/error.hpp"
#include "levels/level_set.hpp"

namespace startle {
namespace {

const std::map<std::string, aibirds::Dialect> dialects{
    {"phyq", aibirds::Dialect::phyq}, {"hydra", aibirds::Dialect::hydra}, {"alpha", aibirds::Dialect::alpha}};

struct ServeOptions {
  CommonOptions common;
  TrialChoice choice;
  std::string out, dialect = "phyq", secret, screen = "640x480";
  bool no_novelty_reports = false, record_free = false;
  aibirds::ServerOptions server;
};

/// Levels to be played without a novelty.
std::vector<PlayableLevel> normal_levels(const ServeOptions& options,
                                         std::shared_ptr<const Profile> constants) {
  const std::vector<std::string> files = find_levels(options.choice.paths);
  LevelsAtRest found = levels_at_rest({files.begin(), files.end()}, std::move(constants),
                                      {.threads = options.common.threads, .map = options.choice.map});
  std::vector<PlayableLevel> made;
  for (LevelAtRest& level : found.levels) {
    if (level.left_out)
      found.left_out.push_back({level.file, *level.left_out, {}});
    else
      made.push_back({.name = level.name,
                      .hash = level_hash(level.level),
                      .normal = taken_at_rest(std::move(level.rest))});
  }
  if (options.choice.strict) require_all(found.left_out, files.size());
  if (made.empty()) throw none_can_be_played(options.choice.paths.front(), found.left_out);
  if (!options.common.quiet) report_left_out({}, found.left_out, files.size());
  return made;
}

/// Throws Error for options on how trials are recorded, where none are recorded or not in that way.
void require_fitting(const ServeOptions& options) {
  const bool one_set = options.server.session.one_set;
  if (options.record_free && options.out.empty())
    throw Error("--record-free: needs --out FILE, the results file for the attempts");
  if (options.record_free && (!options.choice.novelty.empty() || options.choice.protocol != "single" ||
                              options.choice.limit > 0 || one_set))
    throw Error(
        "--record-free: not with --novelty, --protocol shift, --limit or --one-set: free play is of normal "
        "levels, in any order");
  if (one_set && options.out.empty())
    throw Error("--one-set: says how trials are recorded; it needs --out FILE");
  if (options.out.empty() && (!options.choice.novelty.empty() || !options.server.session.name.empty() ||
                              options.choice.protocol != "single" || options.choice.limit > 0))
    throw Error(
        "--novelty, --name, --protocol and --limit say how trials are recorded; they need --out FILE");
}

aibirds::ServerOptions server_options(const ServeOptions& options) {
  aibirds::ServerOptions server = options.server;
  server.session.dialect = dialects.at(options.dialect);
  server.session.ask_novelty = !options.no_novelty_reports;
  server.session.screen_width = options.screen == "840x480" ? aibirds::wide_screen_width
                                                            : aibirds::screen_width;
  return server;
}

/// Free play, or trials that are recorded in `store`, which is opened.
std::unique_ptr<aibirds::Trials> make_trials(const ServeOptions& options,
                                             const std::shared_ptr<const Profile>& constants,
                                             std::optional<ResultsStore>& store) {
  if (options.out.empty())
    return std::make_unique<aibirds::Trials>(normal_levels(options, constants),
                                             RunSecret::fresh().derive("agent seed", "free play"));
  RunOptions run{.program = engine_name(), .plan = options.choice.plan()};
  run.plan.secret = known_secret(options.secret, {options.out}).value_or(RunSecret::fresh());
  if (options.record_free) {
    std::vector<PlayableLevel> normal = normal_levels(options, constants);
    Manifest manifest = make_manifest(normal, *constants, run);
    manifest["order"] = "free play: normal levels, as chosen by the agent";
    store.emplace(options.out, manifest);
    return std::make_unique<aibirds::Trials>(std::move(normal),
                                             run.plan.secret.derive("agent seed", "free play"), &*store);
  }
  const PlacedSet set = options.choice.place(constants, options.common);
  run.set = set_notes(set);
  std::vector<PlayableLevel> playable = playable_levels(set, options.common.threads);
  store.emplace(options.out, make_manifest(playable, *constants, run));
  std::vector<TrialPlan> plans = plan_trials(playable, run.plan);
  if (!options.common.quiet)
    report(options.out + ": " + std::to_string(plans.size()) + " trials for each agent, " +
           std::to_string(playable.size()) + " levels");
  return std::make_unique<aibirds::Trials>(std::move(playable), std::move(plans), *store);
}

int serve(const ServeOptions& options) {
  const auto constants = profile(options.common.profile);
  const aibirds::ServerOptions server = server_options(options);
  require_fitting(options);
  std::optional<ResultsStore> store;
  const std::unique_ptr<aibirds::Trials> trials = make_trials(options, constants, store);
  if (store && !server.session.name.empty())
    store->add_agent(server.session.name, aibirds::fingerprint(server.session));

  catch_interrupt();
  aibirds::Server listening(*trials, server, [&](const std::string& line) {
    if (!options.common.quiet) report(line);
  });
  std::cout << server.host << ":" << listening.port() << std::endl;  // for whoever starts the agents
  if (listening.spectator_port() >= 0)
    std::cout << server.host << ":" << listening.spectator_port() << " for spectators" << std::endl;
  if (!listening.run([] { return !interrupted(); })) return exit_interrupted;
  if (!options.common.quiet) report(options.out + ": all trials of " + server.session.name + " are finished");
  return 0;
}

}  // namespace

void add_agents_serve(CLI::App& agents, int& exit_code) {
  const auto options = std::make_shared<ServeOptions>();
  CLI::App* command = agents.add_subcommand(
      "serve", "Agents made for Science Birds (AIBirds, Phy-Q, NovPhy) connect and play, over TCP.");
  add_levels_option(*command, options->choice);
  command->add_option("--port", options->server.port, "TCP port; 0: one that is free; the address is printed")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N")
      ->capture_default_str();
  command
      ->add_option("--spectator-port", options->server.spectator_port,
                   "TCP port for spectators, 2006 in Science Birds; 0: one that is free; default: none")
      ->check(CLI::Range(0, 65535).description(""))
      ->type_name("N");
  command
      ->add_option("--screen", options->screen,
                   "pixels of pictures, ground truth and shots: 640x480, or 840x480 as older agents expect")
      ->check(only_values({"640x480", "840x480"}))
      ->type_name("SIZE")
      ->capture_default_str();
  command
      ->add_option("--host", options->server.host,
                   "address to listen on; 0.0.0.0: agents on other machines may connect")
      ->type_name("ADDRESS")
      ->capture_default_str();
  command->add_flag("--dev", options->server.session.dev,
                    "ground truth with labels and without noise, as in Science Birds");
  command
      ->add_option(
          "--dialect", options->dialect,
          "length of messages, which the bytes do not say; phyq: of Phy-Q, NovPhy, DataLab and BamBirds; "
          "hydra: one more number in code 38; alpha: shots of 6 numbers, of Science Birds to 0.2")
      ->check(only_values({"phyq", "hydra", "alpha"}))
      ->type_name("NAME")
      ->capture_default_str();
  add_shared_option(*command, "--out", options->out,
                    "a results file of trials, normal and novel; default: none (free play of normal levels)");
  add_shared_option(
      *command, "--name", options->server.session.name,
      "and the end when its trials are finished; default: the number of the team, as in team-7");
  command->add_flag("--record-free", options->record_free,
                    "with --out: free play of normal levels in any order, each attempt recorded");
  command->add_flag("--one-set", options->server.session.one_set,
                    "all trials as one set of levels, numbered through: for agents that load level after "
                    "level and never ask for a new trial (Phy-Q)");
  command->add_flag("--no-novelty-reports", options->no_novelty_reports,
                    "never ask for the likelihood of novelty: for agents that cannot say");
  add_plan_options(*command, options->choice);
  add_shared_option(*command, "--secret", options->secret);
  for (const auto& [name, seconds] : {std::pair("--action-limit", &options->server.session.action_s),
                                      std::pair("--trial-limit", &options->server.session.trial_s)})
    add_shared_option(*command, name, *seconds)->check(CLI::Range(0.001, 1e6).description(""));
  command
      ->add_option("--games", options->server.most_games,
                   "games at once, of agents and spectators; who sends a first request when all are taken "
                   "waits")
      ->check(CLI::Range(1, 1000).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Each connection plays a game of its own. Ctrl-C ends; what is finished stays in the results. "
      "docs/aibirds.md has the messages.\n"
      "Example: startle agents serve --levels levels/benchmark/T1/easy --dev --out results.sqlite --name "
      "pig-shooter");
  command->callback([options, &exit_code] { exit_code = serve(*options); });
}

}  // namespace startle
