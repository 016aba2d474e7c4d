/// \file  The command line of Startle.
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "app/command.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

/// A command that is a program of its own beside this one, so that no other command waits for its libraries.
struct Sibling {
  std::string program;    ///< "startle-surprise"
  std::string missing;    ///< why it may not be there
  bool pass_name = true;  ///< the command is also the other program's first argument
};

void add_sibling_command(CLI::App& app, const std::string& name, const std::string& description, const Sibling& sibling) {
  CLI::App* command = app.add_subcommand(name, description);
  command->prefix_command();
  command->set_help_flag();
  command->callback([command, name, sibling] {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / sibling.program;
    if (!std::filesystem::exists(program)) throw Error(program.string() + ": not found; " + sibling.missing);
    std::vector<std::string> arguments = command->remaining();
    if (sibling.pass_name) arguments.insert(arguments.begin(), name);
    std::vector<char*> argv{const_cast<char*>(sibling.program.c_str())};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    // LibTorch's threads wait for each other in a loop by default, which starves them where other programs run. OpenMP reads this at start only.
    setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
    execv(program.c_str(), argv.data());
    throw Error(program.string() + ": cannot be run: " + std::strerror(errno));
  });
}

}  // namespace
}  // namespace startle

int main(int argc, char** argv) {
  using namespace startle;
  CLI::App app{"Startle measures how hard it is to notice that a physical world has changed.", "startle"};
  int exit_code = 0;
  add_levels_command(app, exit_code);
  add_simulate_command(app, exit_code);
  add_render_command(app, exit_code);
  add_explain_command(app, exit_code);
  add_difficulty_command(app, exit_code);
  add_study_command(app, exit_code);
  add_validate_command(app, exit_code);
  add_agents_command(app, exit_code);
  add_study_people_command(app);
  const std::string learning = "startle-surprise", without_learning = "this build is without learning (STARTLE_BUILD_SURPRISE=OFF)";
  add_sibling_command(app, "surprise", "Trains models of the normal world and measures their surprise.", {learning, without_learning, false});
  add_sibling_command(app, "probe", "Says how often a model is the more surprised by what physics does not allow.", {learning, without_learning});
  add_sibling_command(app, "play", "Opens a window to play levels in.", {"startle-viewer", "this build is without the window (STARTLE_BUILD_VIEWER=OFF)"});
  return run_program(app, argc, argv, exit_code, "startle study --out study");
}
