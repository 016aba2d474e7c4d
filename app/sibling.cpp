#include "app/sibling.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "sim/error.hpp"

namespace startle {

void add_sibling_command(CLI::App& app, const std::string& name, const std::string& description,
                         const Sibling& sibling) {
  CLI::App* command = app.add_subcommand(name, description);
  command->prefix_command();
  command->set_help_flag();
  command->callback([command, sibling] {
    std::error_code error;
    const std::filesystem::path program =
        std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / sibling.program;
    if (!std::filesystem::exists(program)) throw Error(program.string() + ": not found; " + sibling.missing);
    std::vector<std::string> arguments = sibling.command;
    for (const std::string& argument : command->remaining()) arguments.push_back(argument);
    std::vector<char*> argv{const_cast<char*>(sibling.program.c_str())};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    // LibTorch's threads wait for each other in a loop by default, which starves them where other programs run: those of OpenMP, and those of OpenBLAS, which --threads does not
    // reach and which has little to do. Both read this at start only.
    setenv("OMP_WAIT_POLICY", "PASSIVE", 0);
    setenv("OPENBLAS_NUM_THREADS", "1", 0);
    execv(program.c_str(), argv.data());
    throw Error(program.string() + ": cannot be run: " + std::strerror(errno));
  });
}

}  // namespace startle
