/// \file  The command line of Startle.
#include <csignal>
#include <exception>
#include <iostream>

#include "app/command.hpp"
#include "sim/error.hpp"

int main(int argc, char** argv) {
  using namespace startle;
  std::ios::sync_with_stdio(false);
  std::signal(SIGXFSZ, SIG_IGN);  // a file-size limit then fails the write, which is reported, in place of killing the program
  CLI::App app{"Startle measures how hard it is to notice that a physical world has changed.", "startle"};
  app.set_version_flag("--version", "startle " STARTLE_VERSION);
  // Not require_subcommand(1): a command that does not exist would then be reported as one that is missing.
  app.require_subcommand(0, 1);
  app.footer("Example: startle study --out study");
  int exit_code = 0;
  add_levels_command(app, exit_code);
  add_simulate_command(app, exit_code);
  add_explain_command(app, exit_code);
  add_difficulty_command(app, exit_code);
  add_study_command(app, exit_code);
  add_validate_command(app, exit_code);
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) throw Error("a command is needed: levels, simulate, explain, difficulty, study or validate; --help says more");
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    report(std::string(error.what()) + "\nRun with --help for what is allowed.");
    return exit_bad_input;
  } catch (const Error& error) {
    report(error.what());
    return exit_bad_input;
  } catch (const std::exception& error) {
    report(std::string("internal error: ") + error.what());
    return 1;
  }
  return exit_code;
}
