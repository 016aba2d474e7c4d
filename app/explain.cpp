/// \file  startle explain: how the difficulty of one level comes about.
#include "difficulty/explain.hpp"

#include "app/command.hpp"
#include "app/level_sets.hpp"
#include "app/reports/marks.hpp"
#include "core/files.hpp"

namespace startle {
namespace {

struct ExplainOptions {
  CommonOptions common;
  std::string level, novelty;
  std::string state_update = "qualitative", method = "extended", ties = name(Ties::share);
  std::vector<std::string> known_normal;
  Output output;
  std::optional<std::string> svg;
  bool full = false;
};

/// The lines that say why, where there is something to play.
std::string reasons_text(const Scene& scene, const Novelty& novelty) {
  std::string text;
  if (scene.birds_left() == 0 || scene.cleared()) return text;
  for (const std::string& line : level_reasons(scene, novelty)) text += line + "\n";
  return text;
}

void explain(const ExplainOptions& options) {
  const StateUpdate update = parse_state_update(options.state_update);
  const auto constants = profile(options.common.profile);
  const Level level = load_level(options.level, *constants, options.common.quiet, {}, options.novelty);
  const Novelty novelty = find_novelty(options.novelty, level);
  require_covered(*method_from_name(options.method), novelty);
  const Scene scene = settled_level(level, constants, options.level, options.common.quiet).scene;
  const bool predicted = options.method == name(Method::extended);
  if (predicted && !options.common.quiet) report_extrapolated(novelty.name);
  const bool json = options.output.is("json");
  // What is asked of PID and BID is answered by them.
  const bool steps = options.full || options.svg || json || !predicted || update.next ||
                     options.ties != name(Ties::share) || !options.known_normal.empty();
  const std::string reasons = predicted ? reasons_text(scene, novelty) : "";
  if (!steps && !reasons.empty()) {
    emit(reasons + "--full shows every step to PID and BID\n", options.output.out);
    return;
  }
  const Difficulty difficulty = compute_difficulty(
      scene, novelty,
      {.state_update = update,
       .method = *method_from_name(options.method),
       .ties = ties_from_name(options.ties).value(),
       .known_normal = options.known_normal,
       .predict = predicted ? Predict::detection_by_object : Predict::nothing});
  if (options.svg)
    write_file(*options.svg, scene_svg(scene, {.title = level.name + ", novelty " + novelty.name,
                                               .marks = marks_of(difficulty),
                                               .legend = true}));
  emit(json ? explain_json(scene, novelty, difficulty) + "\n"
            : reasons + (reasons.empty() ? "" : "\n") + explain_text(scene, novelty, difficulty),
       options.output.out);
}

}  // namespace

void add_explain_command(CLI::App& app, int&) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand(
      "explain", "Why a novelty is easy or hard to detect in a level; --full: every step of it.");
  add_shared_option(*command, "LEVEL", options->level)->required();
  add_shared_option(*command, "--novelty", options->novelty, "own: the one that the level's file carries")
      ->required();
  command->add_flag("--full", options->full,
                    "every state, target and hit, and how PID and BID come about; so do JSON, --svg, and "
                    "options that are about PID and BID");
  add_state_update_option(*command, options->state_update);
  add_method_option(*command, options->method);
  add_ties_option(*command, options->ties);
  add_known_normal_option(*command, options->known_normal);
  add_shared_option(
      *command, "--svg", options->svg,
      "targets, trajectories, what a hit on the best target moves and makes visible; default: none");
  add_output_options(*command, options->output, {"text", "json"});
  add_common_options(*command, options->common);
  command->footer(
      "The level settles first: its initial state is the one that a player sees.\n"
      "Example: startle explain level.json --novelty T1\n"
      "         startle explain level.json --novelty T1 --full --svg level.svg");
  command->callback([options] { explain(*options); });
}

}  // namespace startle
