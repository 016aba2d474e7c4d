/// \file  startle agents regret: whether agents took the shots that would have told most.
#include <nlohmann/json.hpp>

#include "agents/trials/regret.hpp"
#include "agents/trials/replay.hpp"
#include "agents/trials/results_store.hpp"
#include "app/agents_verify.hpp"
#include "app/reports/estimates.hpp"
#include "app/reports/table.hpp"
#include "core/error.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

struct RegretOptions {
  std::vector<std::string> results;
  RecordedLevels levels;
  Output output;
};

std::string tier_or_all(const RegretScore& score) { return score.tier.empty() ? "all" : score.tier; }

Rows text_rows(const std::vector<RegretScore>& scores) {
  Rows rows{{"agent", "tier", "shots", "P(detected) of the shots taken", "of the surest shots", "regret"}};
  for (const RegretScore& s : scores)
    rows.push_back({s.agent, tier_or_all(s), std::to_string(s.shots), with_interval(s.taken),
                    with_interval(s.best), with_interval(s.regret)});
  return rows;
}

Rows csv_rows(const std::vector<RegretScore>& scores) {
  Rows rows{{"agent", "tier", "shots", "taken", "taken_low", "taken_high", "best", "best_low", "best_high",
             "regret", "regret_low", "regret_high"}};
  for (const RegretScore& s : scores) {
    rows.push_back({s.agent, tier_or_all(s), std::to_string(s.shots)});
    for (const Estimate* estimate : {&s.taken, &s.best, &s.regret}) add_estimate(rows.back(), *estimate);
  }
  return rows;
}

Json json_rows(const std::vector<RegretScore>& scores) {
  Json rows = Json::array();
  for (const RegretScore& s : scores)
    rows.push_back({{"agent", s.agent},
                    {"tier", tier_or_all(s)},
                    {"shots", s.shots},
                    {"taken", json_with_count(s.taken)},
                    {"best", json_with_count(s.best)},
                    {"regret", json_with_count(s.regret)}});
  return rows;
}

void regret(const RegretOptions& options) {
  const AgentResults results = read_results({options.results.begin(), options.results.end()});
  std::vector<TrialResult> trials;
  for (const TrialResult& trial : results.trials)
    if (trial.world != "normal") trials.push_back(trial);
  if (trials.empty()) throw Error(options.results.front() + ": holds no finished trial in a novel world");
  const auto constants = recorded_profile(results.manifest, options.results.front());
  const GivenLevels given = options.levels.given(constants);
  Progress progress("trials", trials.size(), options.levels.quiet);
  const std::vector<RegretScore> scores = regret_scores(trials, given.levels, options.levels.threads,
                                                        [&] { progress.advance(); });
  const std::string format = options.output.chosen();
  emit(format == "json"  ? json_rows(scores).dump(2) + "\n"
       : format == "csv" ? comma_separated(csv_rows(scores))
                         : aligned(text_rows(scores)),
       options.output.out);
}

}  // namespace

void add_agents_regret(CLI::App& agents) {
  const auto options = std::make_shared<RegretOptions>();
  CLI::App* command = agents.add_subcommand(
      "regret", "How likely an agent's shots in novel worlds were to be detected, beside the surest shots.");
  add_shared_option(*command, "RESULTS", options->results, "several of one run")->required();
  add_recorded_levels_options(*command, options->levels, "those that the run was given")->required();
  add_output_options(*command, options->output, {"text", "csv", "json"});
  command->footer(
      "Chances are those of the reference observer, by reasoning at the state before each shot. Regret is "
      "of\n"
      "where an agent looks, not of what it concludes.\n"
      "Example: startle agents regret results.sqlite --levels levels/benchmark/T1");
  command->callback([options] { regret(*options); });
}

}  // namespace startle
