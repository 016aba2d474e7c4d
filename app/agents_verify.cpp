/// \file  startle agents verify: the recorded trials, planned and flown again.
#include "app/agents_verify.hpp"

#include "agents/entries/verify_results.hpp"
#include "agents/trials/replay.hpp"
#include "app/reports/leaderboard.hpp"
#include "core/engine_version.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {

GivenLevels RecordedLevels::given(std::shared_ptr<const Profile> constants) const {
  const PlacedSet set = choice.place(constants,
                                     {.profile = constants->name, .threads = threads, .quiet = quiet});
  return {playable_levels(set, threads), set_notes(set), std::move(constants)};
}

CLI::Option* add_recorded_levels_options(CLI::App& command, RecordedLevels& levels, const std::string& more) {
  CLI::Option* option = add_shared_option(command, "--levels", levels.choice.paths, more);
  add_map_option(command, levels.choice.map);
  add_shared_option(command, "--limit", levels.choice.limit, "as the run was given");
  add_shared_option(command, "--novelty", levels.choice.novelty,
                    "as the run was given; default: the stored one of each");
  add_threads_option(command, levels.threads);
  add_quiet_option(command, levels.quiet);
  return option;
}

namespace {

struct VerifyOptions {
  std::vector<std::string> results;
  RecordedLevels levels;
};

/// As many disagreements are named.
constexpr std::size_t most_named = 20;

/// What is verified: the runs of an entry, or one run.
struct RecordedRuns {
  std::optional<AgentEntry> entry;
  std::vector<AgentResults> runs;

  std::size_t trials() const {
    std::size_t count = 0;
    for (const AgentResults& run : runs) count += run.trials.size();
    return count;
  }
};

RecordedRuns read_recorded(const std::vector<std::string>& files) {
  RecordedRuns recorded;
  if (!is_entry(files.front())) {
    recorded.runs.push_back(read_results({files.begin(), files.end()}, true));
    return recorded;
  }
  if (files.size() > 1)
    throw Error(files[1] + ": found a file beside the entry " + files.front() +
                ", allowed is one entry, or results of one run");
  recorded.entry = read_entry(files.front());
  recorded.runs = results_of(*recorded.entry);
  return recorded;
}

int verify(const VerifyOptions& options) {
  const RecordedRuns recorded = read_recorded(options.results);
  const Manifest& manifest = recorded.runs.front().manifest;
  const bool quiet = options.levels.quiet;
  const int threads = options.levels.threads;
  const auto constants = recorded_profile(manifest, options.results.front());
  const GivenLevels given = options.levels.given(constants);

  catch_interrupt();
  ResultsVerification found;
  try {
    Progress progress("trials", recorded.trials(), quiet);
    const auto advance = [&] { progress.advance(); };
    const auto keep_going = [] { return !interrupted(); };
    found = recorded.entry ? verify_entry(*recorded.entry, given, threads, advance, keep_going)
                           : verify_results(recorded.runs.front(), given, threads, advance, keep_going);
  } catch (const Error& error) {
    throw Error(options.results.front() + ": " + error.what());
  }
  if (!found.complete) {
    report("interrupted: " + std::to_string(found.trials) + " of " + std::to_string(recorded.trials()) +
           " trials were looked at");
    return exit_interrupted;
  }
  if (const auto program = manifest.find("program");
      !quiet && program != manifest.end() && program->second != engine_name())
    report("made by " + program->second + "; this is " + engine_name());
  const std::size_t wrong = found.disagreements.size();
  std::string text;
  for (std::size_t i = 0; i < std::min(wrong, most_named); ++i) text += found.disagreements[i] + "\n";
  if (wrong > most_named) text += "and " + std::to_string(wrong - most_named) + " more\n";
  text += std::to_string(found.trials) + " trials and " + std::to_string(found.shots) +
          " shots flown again, " + std::to_string(found.replayed) +
          " trials by built-in agents that played again: " +
          (wrong == 0 ? "all as recorded" : std::to_string(wrong) + " disagree") + "\n";
  if (found.again > 0)
    text += "trials begun again: " + std::to_string(found.again) + ", of which " +
            std::to_string(found.otherwise) + " had other shots or reports before\n";
  if (found.replayed < found.trials)
    text += "of programs the shots were replayed; what they reported is the word of whoever ran them\n";
  if (recorded.entry && wrong == 0)
    text += "entry " + recorded.entry->description.name + ", " + std::to_string(recorded.runs.size()) +
            " secrets, trials " +
            (trials_isolated(*recorded.entry) ? "isolated" : "not isolated: a promise of the program") +
            "\nhash " + recorded.entry->hash + "\n" + entry_scores_text(*recorded.entry);
  emit(text, std::nullopt);
  return wrong == 0 ? exit_done : exit_not_whole;
}

}  // namespace

void add_agents_verify(CLI::App& agents, int& exit_code) {
  const auto options = std::make_shared<VerifyOptions>();
  CLI::App* command = agents.add_subcommand(
      "verify", "Plans and flies recorded trials again, and says what does not agree to the bit.");
  add_shared_option(*command, "RESULTS", options->results, "several of one run, or one entry")->required();
  add_recorded_levels_options(*command, options->levels, "those that the run was given")->required();
  command->footer(
      "This finds changed shots, scores, levels, secrets and points of change, and trials that are missing,\n"
      "do not belong there or were played again. It cannot check what a program reported: docs/entries.md\n"
      "lists all that it cannot find. Built-in agents play again, with their reports. For an entry, the\n"
      "hash is compared first, and the scores are shown.\n"
      "Exit code 3: something does not agree.\n"
      "Example: startle agents verify results.sqlite --levels levels/benchmark/T1");
  command->callback([options, &exit_code] { exit_code = verify(*options); });
}

}  // namespace startle
