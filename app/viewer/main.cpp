/// \file  The program behind `startle play` and `startle study-people run`: the window.
#include <memory>

#include "app/command.hpp"
#include "app/shared_data.hpp"
#include "core/error.hpp"
#include "sim/novelty.hpp"
#include "viewer/viewer.hpp"

namespace startle {
namespace {

struct PlayOptions {
  ViewerOptions play;
  std::vector<std::string> shots;
  std::string size = "1280x720";
};

void start(PlayOptions options) {
  profile(options.play.profile);
  if (!options.play.novelty.empty()) novelty_name(options.play.novelty);
  for (const std::string& text : options.shots) options.play.shots.push_back(parse_shot(text));
  const PictureSize size = parse_picture_size(options.size);
  options.play.width = size.width;
  options.play.height = size.height;
  options.play.version = STARTLE_VERSION;
  const std::filesystem::path shipped = shared_data_folder() / "levels";
  if (options.play.edit && !options.play.paths.empty())
    throw Error("--edit: found together with '" + options.play.paths[0].string() +
                "'; --edit names the level itself");
  if (options.play.paths.empty()) options.play.paths = {shipped};
  if (options.play.played_levels.empty()) options.play.played_levels = {shipped};
  run_viewer(options.play);
}

void add_play_command(CLI::App& app) {
  const auto options = std::make_shared<PlayOptions>();
  CLI::App* command = app.add_subcommand("play", "Opens a window to play levels in.");
  add_shared_option(*command, "LEVELS", options->play.paths,
                    "or one trace of startle simulate, or one results file of startle agents run, to be "
                    "watched; default: the shipped ones");
  command
      ->add_option("--edit", options->play.edit,
                   "opens this level in the editor; a new level where there is no such file; default: none")
      ->type_name("FILE");
  add_shared_option(*command, "--levels", options->play.played_levels,
                    "of a results file: those that were played; default: the shipped ones");
  add_map_option(*command, options->play.map);
  add_shared_option(*command, "--novelty", options->play.novelty,
                    "own: the one that the level's file carries; default: none (the normal world)");
  add_shots_option(*command, options->shots,
                   "in one level: flown at once, as startle simulate does, one for each bird; default: none");
  add_shared_option(*command, "--profile", options->play.profile);
  add_shared_option(*command, "--size", options->size, "of the window");
  command
      ->add_option("--record", options->play.record,
                   "each level played to its end adds a line of JSON to this file: level, world, shots, "
                   "hashes, score; default: none")
      ->type_name("FILE");
  command->footer("F1 in the window shows keys and mouse.\nExample: startle play levels/data/castles");
  command->callback([options] { start(*options); });
}

}  // namespace

void add_study_window_command(CLI::App& app);  // people.cpp

}  // namespace startle

int main(int argc, char** argv) {
  using namespace startle;
  CLI::App app{"Levels in a window.", "startle"};
  int exit_code = 0;
  add_play_command(app);
  add_study_window_command(app);
  return run_program(app, argc, argv, exit_code, "startle play levels/data/castles");
}
