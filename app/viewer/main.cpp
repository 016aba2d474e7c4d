/// \file  The program behind `startle play`: the window.
#include "viewer/viewer.hpp"

#include <memory>

#include "app/command.hpp"
#include "sim/error.hpp"
#include "sim/novelty.hpp"

namespace startle {
namespace {

void add_play_command(CLI::App& app) {
  const auto options = std::make_shared<ViewerOptions>();
  CLI::App* command = app.add_subcommand("play", "Opens a window to play levels in.");
  command->add_option("LEVELS", options->paths, "level files, or folders of them")->required()->type_name("");
  command->add_option("--novelty", options->novelty, "novelty in the levels, for example T1; without it, the normal world")->type_name("N");
  command->add_option("--profile", options->profile, "physical constants: startle, anu or classic")->type_name("NAME")->capture_default_str();
  command->footer("F1 in the window shows keys and mouse.\nExample: startle play levels/data/castles");
  command->callback([options] {
    profile(options->profile);
    if (!options->novelty.empty()) find_novelty(options->novelty);
    run_viewer(*options);
  });
}

}  // namespace
}  // namespace startle

int main(int argc, char** argv) {
  using namespace startle;
  CLI::App app{"Levels in a window.", "startle-viewer"};
  int exit_code = 0;
  add_play_command(app);
  return run_program(app, argc, argv, exit_code, "startle play levels/data/castles");
}
