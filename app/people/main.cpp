/// \file  The program behind `startle study-people`, `startle threshold` and `startle web`.
#include "app/people/commands.hpp"

int main(int argc, char** argv) {
  using namespace startle;
  CLI::App app{"Studies with people, how strong a change must be, and the game in a browser.", "startle"};
  int exit_code = 0;
  add_study_people_command(app);
  add_threshold_command(app, exit_code);
  add_web_command(app, exit_code);
  return run_program(app, argc, argv, exit_code, "startle web levels/benchmark/T2");
}
