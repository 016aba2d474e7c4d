#include "app/agents_plan.hpp"

namespace startle {

PlanOptions TrialChoice::plan() const {
  PlanOptions result = options;
  result.protocol = protocol == "shift" ? Protocol::shift : Protocol::single;
  return result;
}

std::optional<std::string> TrialChoice::common_novelty() const {
  return novelty.empty() ? std::nullopt : std::optional(find_novelty(novelty).name);
}

void add_levels_option(CLI::App& command, TrialChoice& choice) {
  command.add_option("--levels", choice.paths, "level files, or folders that are searched for .json and .xml")->required()->type_name("PATH ...");
}

void add_plan_options(CLI::App& command, TrialChoice& choice, const std::string& protocol_description) {
  command.add_option("--protocol", choice.protocol, protocol_description)
      ->check(CLI::IsMember({"single", "shift"}).description(""))
      ->type_name("P")
      ->capture_default_str();
  const auto count = [&](const char* name, int& value, const char* description, int most) {
    command.add_option(name, value, description)->check(CLI::Range(1, most).description(""))->type_name("N")->capture_default_str();
  };
  count("--trials", choice.options.trials, "of each level and world (single), or of each novelty and tier (shift)", 1000000);
  count("--before", choice.options.most_before, "shift: the world changes after 1 to N levels", 10000);
  count("--after", choice.options.after, "shift: novel levels that follow at least; each trial has --before plus --after levels", 10000);
  command.add_option("--novelty", choice.novelty, "novelty of all levels, in place of the one stored with each")->type_name("NAME");
}

}  // namespace startle
