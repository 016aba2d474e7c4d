#include "app/agents_plan.hpp"

#include <algorithm>

#include "app/level_sets.hpp"
#include "core/error.hpp"

namespace startle {

PlanOptions TrialChoice::plan() const {
  PlanOptions result = options;
  result.protocol = protocol == "shift" ? Protocol::shift : Protocol::single;
  return result;
}

std::optional<std::string> TrialChoice::common_novelty() const {
  return novelty.empty() ? std::nullopt : std::optional(novelty_name(novelty));
}

PlacedSet TrialChoice::place(std::shared_ptr<const Profile> constants, const CommonOptions& common) const {
  const std::vector<std::string> files = find_levels(paths);
  PlacedSet set;
  {
    Progress progress("levels", files.size(), common.quiet);
    set = place_levels(
        {files.begin(), files.end()}, std::move(constants),
        {.novelty = common_novelty(),
         .limit = limit,
         .thirds = thirds,
         .work = {.threads = common.threads, .map = map, .progress = [&] { progress.advance(); }}});
  }
  if (strict) require_all(set.left_out, files.size());
  if (set.levels.empty()) {
    if (std::any_of(set.left_out.begin(), set.left_out.end(),
                    [](const LeftOutLevel& level) { return level.reason == LeftOut::no_novelty; }))
      throw Error(paths.front() + ": no level can be played: " + counted(set.left_out) +
                  "; --novelty names one");
    throw none_can_be_played(paths.front(), set.left_out);
  }
  if (common.quiet) return set;
  for (const auto& [of, computed] : set.computed)
    if (computed.source == DifficultySource::p_level)
      report_tiers(of, computed.values);
    else
      report_values(of, computed.values, computed.thirds);
  report_left_out({}, set.left_out, files.size());
  if (set.dropped + set.collapsed > 0)
    report(std::to_string(set.dropped) + " of the levels hold what is not simulated, " +
           std::to_string(set.collapsed) +
           " collapse before the first shot; startle levels check names them");
  return set;
}

void add_levels_option(CLI::App& command, TrialChoice& choice) {
  add_shared_option(command, "--levels", choice.paths)->required();
  add_map_option(command, choice.map);
}

void add_plan_options(CLI::App& command, TrialChoice& choice) {
  add_shared_option(command, "--protocol", choice.protocol)->check(only_values({"single", "shift"}));
  const auto count = [&](const char* name, int& value, int most, const char* more) {
    add_shared_option(command, name, value, more)->check(CLI::Range(1, most).description(""));
  };
  count("--trials", choice.options.trials, 1000000,
        "and world (single), or of each novelty and tier (shift)");
  count("--before", choice.options.most_before, 10000, "");
  count("--after", choice.options.after, 10000, "");
  add_shared_option(
      command, "--novelty", choice.novelty,
      "for all levels, in place of the one stored with each; own: the one that each level's file carries; "
      "default: the one stored with each level");
  add_shared_option(command, "--limit", choice.limit);
  add_shared_option(command, "--thirds", choice.thirds, "in place of the tier of levels that store none");
  add_shared_option(command, "--strict", choice.strict);
}

}  // namespace startle
