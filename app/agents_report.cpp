/// \file  startle agents report.
#include "reports/agents_report.hpp"

#include "agents/results_store.hpp"
#include "app/command.hpp"
#include "core/error.hpp"

namespace startle {

void add_agents_report(CLI::App& agents) {
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto output = std::make_shared<Output>();
  const auto of_trials = std::make_shared<bool>(false);
  CLI::App* command = agents.add_subcommand(
      "report", "Scores of agents: leaderboard, tables by novelty and tier, comparisons.");
  add_shared_option(*command, "RESULTS", *files,
                    "several of one run; those of both protocols stand side by side")
      ->required();
  add_report_options(*command, *output, {"html", "md", "csv", "json"},
                     "html and md for people, csv with one row a score, json with every trial");
  command->add_flag("--by-trial", *of_trials,
                    "csv with one row a trial, in NovPhy's columns, in place of one a score");
  command->footer("Example: startle agents report results.sqlite --out report.html");
  command->callback([files, output, of_trials] {
    std::vector<AgentResults> runs = read_runs({files->begin(), files->end()});
    std::erase_if(runs, [](const AgentResults& run) { return run.trials.empty(); });
    if (runs.empty()) throw Error(files->front() + ": holds no finished trial");
    emit(agents_report(runs, output->chosen(), *of_trials), output->out);
  });
}

}  // namespace startle
