/// \file  The command line of Startle.
#include "app/command.hpp"
#include "app/other_program.hpp"

int main(int argc, char** argv) {
  using namespace startle;
  CLI::App app{"Startle measures how hard it is to notice that a physical world has changed.", "startle"};
  int exit_code = 0;
  add_levels_command(app, exit_code);
  add_simulate_command(app, exit_code);
  add_render_command(app, exit_code);
  add_explain_command(app, exit_code);
  add_difficulty_command(app, exit_code);
  add_observe_command(app, exit_code);
  add_other_program_command(
      app, "threshold",
      "The just-noticeable strength of a novelty: detection against strength, measured and "
      "predicted.",
      {people_program, without_people, {"threshold"}});
  add_dynamics_command(app, exit_code);
  add_study_command(app, exit_code);
  add_validate_command(app, exit_code);
  add_agents_command(app, exit_code);
  add_other_program_command(app, "study-people",
                            "A study with people: who notices what, and after how many shots.",
                            {people_program, without_people, {"study-people"}});
  add_other_program_command(app, "web", "Serves the game, or a study with people, to browsers.",
                            {people_program, without_people, {"web"}});
  add_other_program_command(app, "surprise", "Trains models of the normal world and measures their surprise.",
                            {learning_program, without_learning, {}});
  add_other_program_command(app, "probe",
                            "Says how often a model is the more surprised by what physics does not allow.",
                            {learning_program, without_learning, {"probe"}});
  add_other_program_command(app, "rollouts", "Records episodes for training world models.",
                            {rollouts_program, without_rollouts, {"rollouts"}});
  add_other_program_command(app, "play", "Opens a window to play levels in.",
                            {viewer_program, without_viewer, {"play"}});
  return run_program(app, argc, argv, exit_code, "startle study --out study");
}
