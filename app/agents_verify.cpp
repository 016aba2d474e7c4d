/// \file  startle agents verify: the recorded trials, planned and flown again.
#include "agents/replay.hpp"
#include "agents/verify_results.hpp"
#include "app/agents_plan.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

struct VerifyOptions {
  std::vector<std::string> results;
  TrialChoice choice;
  int threads = 0;
  bool quiet = false;
};

/// As many disagreements are named.
constexpr std::size_t most_named = 20;

int verify(const VerifyOptions& options) {
  const AgentResults results = read_results({options.results.begin(), options.results.end()});
  const auto constants = recorded_profile(results.manifest, options.results.front());
  const PlacedSet set = options.choice.place(
      constants, {.profile = constants->name, .threads = options.threads, .quiet = options.quiet});
  const std::vector<PlayableLevel> levels = playable_levels(set, options.threads);

  catch_interrupt();
  ResultsVerification found;
  try {
    Progress progress("trials", results.trials.size(), options.quiet);
    found = verify_results(
        results, levels, constants, options.threads, [&] { progress.advance(); },
        [] { return !interrupted(); });
  } catch (const Error& error) {
    throw Error(options.results.front() + ": " + error.what());
  }
  if (!found.complete) {
    report("interrupted: " + std::to_string(found.trials) + " of " + std::to_string(results.trials.size()) +
           " trials were looked at");
    return exit_interrupted;
  }
  if (const auto program = results.manifest.find("program");
      !options.quiet && program != results.manifest.end() && program->second != program_fingerprint())
    report("made by " + program->second + "; this is " + program_fingerprint());
  const std::size_t wrong = found.disagreements.size();
  std::string text;
  for (std::size_t i = 0; i < std::min(wrong, most_named); ++i) text += found.disagreements[i] + "\n";
  if (wrong > most_named) text += "and " + std::to_string(wrong - most_named) + " more\n";
  text += std::to_string(found.trials) + " trials and " + std::to_string(found.shots) +
          " shots flown again, " + std::to_string(found.replayed) +
          " trials by built-in agents that played again: " +
          (wrong == 0 ? "all as recorded" : std::to_string(wrong) + " disagree") + "\n";
  emit(text, std::nullopt);
  return wrong == 0 ? exit_done : exit_not_whole;
}

}  // namespace

void add_agents_verify(CLI::App& agents, int& exit_code) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = agents.add_subcommand(
      "verify", "Plans and flies recorded trials again, and says what does not agree to the bit.");
  add_shared_option(*command, "RESULTS", options->results, "several of one run")->required();
  add_shared_option(*command, "--levels", options->choice.paths, "those that the run was given")->required();
  add_map_option(*command, options->choice.map);
  add_shared_option(*command, "--limit", options->choice.limit, "as the run was given");
  add_shared_option(*command, "--novelty", options->choice.novelty,
                    "as the run was given; default: the stored one of each");
  add_threads_option(*command, options->threads);
  add_quiet_option(*command, options->quiet);
  command->footer(
      "Found are other shots, scores, levels, secrets and points of change, and trials that are missing or\n"
      "do not belong there. What a program reported cannot be found from its shots. Built-in agents play\n"
      "again, reports and all.\n"
      "Exit code 3: something does not agree.\n"
      "Example: startle agents verify results.sqlite --levels levels/benchmark/T1");
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace startle
