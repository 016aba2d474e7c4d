/// \file  startle agents: agents play, report novelty, and are scored.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "agents/built_in.hpp"
#include "agents/detectors.hpp"
#include "agents/shooters.hpp"
#include "agents/trials/trial_table.hpp"
#include "app/agents_launch.hpp"
#include "app/agents_plan.hpp"
#include "app/command.hpp"
#include "app/other_program.hpp"
#include "app/reports/table.hpp"
#include "app/shared_data.hpp"
#include "core/child_process.hpp"
#include "core/database.hpp"
#include "core/engine_version.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

struct RunCommandOptions {
  CommonOptions common;
  TrialChoice choice;
  std::vector<std::string> agents;
  std::string out, shard = "1/1", secret, sandbox;
  TrialOptions trial;
  bool dry_run = false;
};

/// "I/N", 1 <= I <= N.
void parse_shard(const std::string& text, RunOptions& run) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  run.shard = parse_number<int>(text.substr(0, slash)).value_or(0);
  run.shards = parse_number<int>(text.substr(std::min(slash + 1, text.size()))).value_or(0);
  if (run.shard < 1 || run.shard > run.shards)
    throw Error("--shard: found '" + text + "', allowed is I/N with 1 <= I <= N, for example 2/8");
}

/// Turns "surprise" and "SHOOTER+surprise" into a command of the program that plays them, which needs
/// LibTorch. Returns any other agent unchanged.
std::string with_program(const std::string& agent, const std::string& profile) {
  const std::string detector = "surprise", ending = "+" + detector;
  std::string shooter = "best-target";
  if (agent != detector) {
    if (agent.size() <= ending.size() ||
        agent.compare(agent.size() - ending.size(), ending.size(), ending) != 0)
      return agent;
    shooter = agent.substr(0, agent.size() - ending.size());
    const auto& known = shooters();
    if (std::none_of(known.begin(), known.end(),
                     [&](const ShooterInfo& info) { return info.name == shooter; }))
      return agent;
  }
  const std::filesystem::path program = own_folder() / learning_program;
  if (!std::filesystem::exists(program))
    throw Error("--agent " + agent + ": " + program.string() + " is not there; " + without_learning);
  // The model stands in the command so that its hash stands in the results.
  const std::filesystem::path model = shared_data_folder() / "surprise/models/default.safetensors";
  return agent + "=" + shell_word(program.string()) + " agent --shooter " + shooter + " --profile " +
         profile + " --model " + shell_word(model.string());
}

/// Of a run of one process, which may be one of several shards.
RunSecret secret_of(const RunCommandOptions& options, const RunOptions& how) {
  if (const auto known = known_secret(options.secret, {options.out})) return *known;
  if (how.shards > 1)
    throw Error(
        "--shard: parts of one run need one --secret, the same for all: 32 hexadecimal digits, for example "
        "the output of: openssl rand -hex 16");
  return RunSecret::fresh();
}

/// Says how many trials the run has, and how many of them are finished.
void emit_counts(const RunTrials& trials, const std::string& out) {
  std::size_t finished = 0;
  if (!Database::is_new(out)) {
    const std::set<TrialKey> found = ResultsStore(out).finished();
    for (std::size_t i = 0; i < trials.size(); ++i) finished += found.count(trials.key(i));
  }
  emit(std::to_string(trials.size()) + " trials, " + std::to_string(finished) + " finished\n", std::nullopt);
}

/// Throws Error where programs in the sandbox could see the results file, which holds the run's secret, or
/// where an agent needs files that the sandbox does not show.
std::shared_ptr<const Sandbox> sandbox_of(const RunCommandOptions& options) {
  auto sandbox = std::make_shared<const Sandbox>(options.sandbox);
  if (sandbox->shows(options.out))
    throw Error("--sandbox: " + options.out + " can be seen from " + sandbox->folder().string() +
                "; the results hold the secret of the run");
  for (const std::string& agent : options.agents)
    if (with_program(agent, options.common.profile) != agent)
      throw Error("--sandbox: " + agent +
                  " needs its model, which is elsewhere; let it play in a run of its own, and merge");
  return sandbox;
}

int run(RunCommandOptions options) {
  const Launch launch;
  if (launch.count() > 1) {
    if (options.shard != "1/1")
      throw Error("--shard: not with mpirun, which shares the trials among its ranks by itself");
    if (options.common.threads == 0) options.common.threads = 1;  // a launcher starts a rank for each core
  }
  const auto constants = profile(options.common.profile);
  std::vector<std::string> agents;
  for (const std::string& agent : options.agents)
    agents.push_back(with_program(agent, options.common.profile));
  RunOptions how{.agents = agents,
                 .program = engine_name(),
                 .plan = options.choice.plan(),
                 .trial = options.trial,
                 .threads = options.common.threads};
  if (!options.sandbox.empty()) how.trial.limits.sandbox = sandbox_of(options);
  parse_shard(options.shard, how);
  catch_interrupt();
  if (launch.rank() > 0) return launch.play(constants, how);

  how.plan.secret = secret_of(options, how);
  for (const std::string& agent : agents)
    parse_agent(agent, working_folder(how.trial.limits));  // before the levels take their time
  const PlacedSet set = options.choice.place(constants, options.common);
  const std::vector<PlayableLevel> playable = playable_levels(set, options.common.threads);
  how.set = set_notes(set);
  if (options.dry_run) {
    emit_counts(RunTrials(playable, how), options.out);
    return 0;
  }

  std::optional<Progress> progress;
  std::size_t failed = 0;
  std::map<std::string, std::size_t> played, failures, without_report;  // by agent
  const auto expect = [&](std::size_t count) { progress.emplace("trials", count, options.common.quiet); };
  const auto advance = [&](const TrialResult& trial) {
    ++played[trial.agent];
    if (trial.status != Status::ok) {
      without_report[trial.agent] += failed_before_report(trial);
      if (++failures[trial.agent] == 1 && !options.common.quiet)
        report(trial.agent + ": " + trial_words(trial) + " failed: " + name(trial.status) +
               (trial.error.empty() ? "" : ": " + trial.error));
      progress->note(std::to_string(++failed) + " failed");
    }
    progress->advance();
  };
  const RunSummary summary = run_agents(
      playable, constants, how, options.out,
      {.expect = expect,
       .progress = advance,
       .keep_going = [] { return !interrupted(); },
       .other_players = launch.other_players(set, playable, *constants, how)});
  progress.reset();
  if (!summary.complete) {
    report("interrupted: what is finished is in " + options.out + "; the same command goes on from there");
    return exit_interrupted;
  }
  if (!options.common.quiet) {
    std::string text = options.out + ": " + std::to_string(summary.planned) + " trials";
    if (launch.count() > 1) text += " of " + std::to_string(launch.count()) + " ranks";
    if (summary.found > 0) text += ", " + std::to_string(summary.found) + " of them finished before";
    if (failed > 0) text += ", " + std::to_string(failed) + " failed; startle agents report says how";
    report(text);
    for (const auto& [agent, head] : summary.heads) report("head of the chain of " + agent + ": " + head);
  }
  for (const auto& [agent, count] : failures)
    if (count == played[agent])
      report(agent + ": all " + std::to_string(count) + " trials failed" +
             (without_report[agent] == 0 ? ""
                                         : "; once it works, the same command plays those again that failed "
                                           "before a report"));
  return exit_done;
}

/// Each shooter alone, and with each detector.
std::vector<std::string> built_in_agents() {
  std::vector<std::string> names;
  for (const ShooterInfo& shooter : shooters()) {
    names.push_back(shooter.name);
    for (const DetectorInfo& detector : detectors()) names.push_back(shooter.name + "+" + detector.name);
  }
  return names;
}

void add_run(CLI::App& agents, int& exit_code) {
  const auto options = std::make_shared<RunCommandOptions>();
  CLI::App* command = agents.add_subcommand(
      "run", "Agents play levels and report novelty; one row a trial goes into an SQLite file.");
  add_shared_option(*command, "--agent", options->agents)
      ->required()
      ->allow_extra_args(false)
      ->check(some_values(built_in_agents()));
  add_levels_option(*command, options->choice);
  add_shared_option(*command, "--out", options->out, "a results file; one that exists is gone on with")
      ->required();
  add_plan_options(*command, options->choice);
  add_shared_option(*command, "--secret", options->secret);
  command
      ->add_option(
          "--shard", options->shard,
          "runs part I of N; startle agents merge puts the files together; mpirun does both by itself")
      ->type_name("I/N")
      ->capture_default_str();
  command->add_flag("--dry-run", options->dry_run,
                    "says how many trials there are and how many of them are finished, and plays none");
  ProcessLimits& limits = options->trial.limits;
  add_shared_option(*command, "--action-limit", limits.action_s)
      ->check(CLI::Range(0.001, 1e6).description(""));
  add_shared_option(*command, "--trial-limit", limits.trial_s)->check(CLI::Range(0.001, 1e6).description(""));
  command
      ->add_option("--memory-limit", limits.memory_mb,
                   "of all processes of a program together; also the address space of each")
      ->check(CLI::Range(16, 1 << 24).description(""))
      ->type_name("MIB")
      ->capture_default_str();
  command
      ->add_option(
          "--sandbox", options->sandbox,
          "locks programs in: no network, and no files but those of this folder, where they are run, "
          "and the system's, all read-only; each trial has a new process and an empty /tmp; default: none")
      ->type_name("DIR");
  command
      ->add_option("--retries", options->trial.retries,
                   "more attempts at a trial that ends in a timeout or a crash before any shot")
      ->check(CLI::Range(0, 100).description(""))
      ->type_name("N")
      ->capture_default_str();
  add_common_options(*command, options->common);
  command->footer(
      "Killed at any time and run again, it goes on where it was and ends with the same table. It refuses to "
      "add to a file that\n"
      "was made from other levels, by another program, or with other options. docs/agents.md says how to "
      "write an agent.\n"
      "Example: startle agents run --agent pig-shooter+simulation --agent 'python3 "
      "agents/examples/measuring.py' \\\n"
      "           --levels levels/benchmark/T1 --out results.sqlite");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

void add_merge(CLI::App& agents) {
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto out = std::make_shared<std::string>();
  CLI::App* command = agents.add_subcommand(
      "merge", "Puts the results files of shards, or of several agents, together.");
  add_shared_option(*command, "RESULTS", *files, "several")->required();
  add_shared_option(*command, "--out", *out, "a results file; one that exists is added to")->required();
  command->footer(
      "Files made from other levels, by another program or with other options are refused.\n"
      "Example: startle agents merge part-1.sqlite part-2.sqlite --out results.sqlite");
  command->callback([files, out] {
    const std::size_t count = merge_results({files->begin(), files->end()}, *out);
    report(*out + ": " + std::to_string(count) + " trials");
  });
}

void add_list(CLI::App& agents) {
  CLI::App* command = agents.add_subcommand("list", "Lists the built-in agents.");
  command->footer("Example: startle agents list");
  command->callback([] {
    std::string text =
        "An agent is SHOOTER+DETECTOR, a shooter alone (with never), a detector alone (with best-target), or "
        "oracle.\n\nshooters\n";
    std::vector<std::vector<std::string>> rows;
    for (const ShooterInfo& info : shooters()) rows.push_back({"  " + info.name, info.description});
    text += aligned(rows) + "\ndetectors\n";
    rows.clear();
    for (const DetectorInfo& info : detectors()) rows.push_back({"  " + info.name, info.description});
    rows.push_back({"  surprise",
                    "how surprised the shipped model is by the pictures of the shot; a program of its own, "
                    "startle-surprise"});
    text += aligned(rows) + "\nthe ceiling\n";
    text += aligned(
        {{std::string("  ") + oracle_name,
          "is given the novelty; takes the first shot that makes it visible, by twin simulation"}});
    emit(text, std::nullopt);
  });
}

}  // namespace

void add_agents_command(CLI::App& app, int& exit_code) {
  CLI::App* agents = app.add_subcommand("agents", "Agents play levels, report novelty, and are scored.");
  agents->require_subcommand(1);
  agents->footer(
      "Example: startle agents run --agent best-target+simulation --levels levels/benchmark/T1 --out "
      "results.sqlite");
  add_run(*agents, exit_code);
  add_agents_serve(*agents, exit_code);
  add_merge(*agents);
  add_list(*agents);
  add_agents_report(*agents);
  add_agents_replay(*agents);
  add_agents_regret(*agents);
  add_agents_verify(*agents, exit_code);
  add_agents_pack(*agents);
  add_agents_leaderboard(*agents, exit_code);
}

}  // namespace startle
