#include "play/surprise_run.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "levels/files.hpp"
#include "play/aim.hpp"
#include "render/png.hpp"
#include "sim/error.hpp"

extern char** environ;

namespace startle {
std::filesystem::path surprise_program() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() /
                                        "startle-surprise";
  return std::filesystem::exists(program, error) ? program : std::filesystem::path();
}

std::vector<std::string> surprise_arguments(const SurpriseRequest& request,
                                            const std::filesystem::path& strips) {
  std::vector<std::string> arguments{"startle-surprise", "score",    request.level.string(),
                                     "--json",           "--quiet",  "--profile",
                                     request.profile,    "--strips", strips.string()};
  for (const Shot& shot : request.shots) arguments.push_back("--shot=" + shot_text(shot));
  if (!request.novelty.empty()) arguments.insert(arguments.end(), {"--novelty", request.novelty});
  return arguments;
}

std::vector<SurpriseClip> read_surprise(const std::string& json, const std::filesystem::path& strips) {
  std::vector<SurpriseClip> clips;
  try {
    const nlohmann::json all = nlohmann::json::parse(json);
    for (const auto& entry : all.at("clips")) {
      SurpriseClip clip;
      clip.shot = entry.at("shot");
      clip.world = entry.at("world");
      clip.first_step = entry.at("first_step");
      clip.stride = entry.at("stride");
      clip.surprise = entry.at("surprise").get<std::vector<double>>();
      const std::filesystem::path file = strips / entry.at("strip").get<std::string>();
      clip.strip = read_png(read_file(file), file.string());
      if (clip.strip.height % 3 != 0 || clip.strip.width != clip.pixels() * clip.frames())
        throw Error(file.string() + ": is no strip of " + std::to_string(clip.frames()) + " frames");
      clips.push_back(std::move(clip));
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(std::string("what startle-surprise printed cannot be read: ") + error.what());
  }
  return clips;
}

SurpriseRun::~SurpriseRun() { end(); }

void SurpriseRun::end() {
  if (running()) {
    kill(process_, SIGTERM);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }
  std::error_code error;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, error);
  folder_.clear();
}

void SurpriseRun::start(const SurpriseRequest& request) {
  end();
  request_ = request;
  clips_.clear();
  failure_.clear();
  const std::filesystem::path program = surprise_program();
  if (program.empty())
    throw Error(
        "startle-surprise is not beside this program; this build is without learning "
        "(STARTLE_BUILD_SURPRISE=OFF)");
  std::string name = (std::filesystem::temp_directory_path() / "startle-window-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw Error(name + ": cannot be made: " + std::strerror(errno));
  folder_ = name;

  std::vector<std::string> arguments = surprise_arguments(request, folder_);
  std::vector<char*> argv, environment;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  // As app/sibling.cpp: LibTorch's threads must not keep the window from drawing.
  std::string policy = "OMP_WAIT_POLICY=PASSIVE", blas = "OPENBLAS_NUM_THREADS=1";
  for (char** entry = environ; *entry != nullptr; ++entry) environment.push_back(*entry);
  environment.push_back(policy.data());
  environment.push_back(blas.data());
  environment.push_back(nullptr);
  const std::string out = (folder_ / "answer.json").string(), said = (folder_ / "messages.txt").string();
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, said.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int problem = posix_spawn(&process_, program.c_str(), &actions, nullptr, argv.data(),
                                  environment.data());
  posix_spawn_file_actions_destroy(&actions);
  if (problem == 0) return;
  process_ = -1;
  end();
  throw Error(program.string() + ": cannot be run: " + std::strerror(problem));
}

void SurpriseRun::update() {
  if (!running()) return;
  int status = 0;
  if (waitpid(process_, &status, WNOHANG) != process_) return;
  process_ = -1;
  try {
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      const std::string said = read_file(folder_ / "messages.txt");
      throw Error(said.empty() ? "startle-surprise has come to no end" : said);
    }
    clips_ = read_surprise(read_file(folder_ / "answer.json"), folder_);
  } catch (const Error& error) {
    failure_ = error.what();
  }
  end();
}

}  // namespace startle
