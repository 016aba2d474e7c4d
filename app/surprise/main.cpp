/// \file  The program behind `startle surprise` and `startle probe`: everything that learns.
#include "app/surprise/commands.hpp"

int main(int argc, char** argv) {
  using namespace startle;
  // `startle probe` is a command of its own, which comes here with its name.
  const bool probe = argc > 1 && std::string(argv[1]) == "probe";
  CLI::App app{"Learned models of the normal world, and how surprised they are.",
               probe ? "startle" : "startle surprise"};
  int exit_code = 0;
  add_dataset_command(app, exit_code);
  add_train_command(app, exit_code);
  add_export_command(app, exit_code);
  add_score_command(app, exit_code);
  add_evaluate_command(app, exit_code);
  add_compare_command(app, exit_code);
  add_agent_command(app, exit_code);
  add_agent_calibrate_command(app, exit_code);
  add_probe_command(app, exit_code);
  add_intphys_command(app, exit_code);
  return run_program(app, argc, argv, exit_code, "startle surprise dataset --out clips.h5 --count 1000");
}
