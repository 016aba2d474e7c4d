#include "app/other_program.hpp"

#include <cstdlib>
#include <filesystem>

#include "core/child_process.hpp"
#include "core/error.hpp"

namespace startle {

void add_other_program_command(CLI::App& app, const std::string& name, const std::string& description,
                               const OtherProgram& other) {
  CLI::App* command = app.add_subcommand(name, description);
  command->prefix_command();
  command->set_help_flag();
  command->callback([command, other] {
    const std::filesystem::path program = own_folder() / other.program;
    if (!std::filesystem::exists(program)) throw Error(program.string() + ": not found; " + other.missing);
    // LibTorch's threads wait for each other in a loop by default, which starves them where other programs
    // run: those of OpenMP, and those of OpenBLAS, which --threads does not reach and which has little to do.
    // Both read this at start only.
    setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    ProgramCall call{{program.string()}};
    for (const auto& more : {other.command, command->remaining()})
      call.words.insert(call.words.end(), more.begin(), more.end());
    become_program(call);
  });
}

}  // namespace startle
