/// \file  startle explain: how the difficulty of one level comes about.
#include "difficulty/explain.hpp"

#include "app/command.hpp"
#include "core/files.hpp"
#include "reports/marks.hpp"

namespace startle {
namespace {

struct ExplainOptions {
  CommonOptions common;
  std::string level, novelty;
  std::string state_update = "qualitative", method = "published";
  Output output;
  std::optional<std::string> svg;
};

void explain(const ExplainOptions& options) {
  const StateUpdate update = parse_state_update(options.state_update);
  const auto constants = profile(options.common.profile);
  const Level level = load_level(options.level, *constants, options.common.quiet, {}, options.novelty);
  const Novelty novelty = find_novelty(options.novelty, level);
  require_covered(*method_from_name(options.method), novelty);
  const Scene scene = settled_level(level, constants, options.level, options.common.quiet).scene;
  const Difficulty difficulty = compute_difficulty(
      scene, novelty, {.state_update = update, .method = *method_from_name(options.method)});
  if (options.svg)
    write_file(*options.svg, scene_svg(scene, {.title = level.name + ", novelty " + novelty.name,
                                               .marks = marks_of(difficulty)}));
  emit(options.output.is("json") ? explain_json(scene, novelty, difficulty) + "\n"
                                 : explain_text(scene, novelty, difficulty),
       options.output.out);
}

}  // namespace

void add_explain_command(CLI::App& app, int&) {
  const auto options = std::make_shared<ExplainOptions>();
  CLI::App* command = app.add_subcommand("explain",
                                         "Shows every step by which a level's difficulty comes about.");
  command->add_option("LEVEL", options->level, "level file, .json or .xml")->required()->type_name("");
  command
      ->add_option("--novelty", options->novelty, "name of the novelty, for example T1 or wood-friction-down")
      ->required()
      ->type_name("N");
  command
      ->add_option("--state-update", options->state_update, "state after each shot: qualitative or simulated")
      ->type_name("HOW")
      ->capture_default_str();
  command
      ->add_option("--method", options->method,
                   "what a hit moves and shows: published, or extended by what Pinto et al. leave out")
      ->check(CLI::IsMember({"published", "extended"}).description(""))
      ->type_name("M")
      ->capture_default_str();
  command
      ->add_option("--svg", options->svg,
                   "file for a picture: targets, trajectories, what the best target moves and shows")
      ->type_name("FILE");
  add_output_options(*command, options->output, {"text", "json"});
  add_common_options(*command, options->common);
  command->footer(
      "The level settles first: its initial state is the one that a player sees.\n"
      "Example: startle explain level.json --novelty T1 --svg level.svg");
  command->callback([options] { explain(*options); });
}

}  // namespace startle
