#include "play/surprise_run.hpp"

#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/files.hpp"
#include "play/aim.hpp"
#include "render/png.hpp"

namespace startle {
std::filesystem::path surprise_program() {
  std::error_code error;
  const std::filesystem::path program = own_folder() / "startle-surprise";
  return std::filesystem::exists(program, error) ? program : std::filesystem::path();
}

std::vector<std::string> surprise_arguments(const SurpriseRequest& request,
                                            const std::filesystem::path& strips) {
  std::vector<std::string> arguments{
      "startle-surprise", "score",     request.level.string(), "--format",        "json",
      "--quiet",          "--profile", request.profile,        "--clip-pictures", strips.string()};
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
      const std::filesystem::path file = strips / file_name(entry.at("strip").get<std::string>());
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
  process_.reset();
  printed_.clear();
  said_.clear();
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
        "startle-surprise is not beside this program; install the package startle-surprise, or build with "
        "STARTLE_BUILD_SURPRISE=ON");
  std::string name = (std::filesystem::temp_directory_path() / "startle-window-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw Error(name + ": cannot be made: " + std::strerror(errno));
  folder_ = name;

  // As app/other_program.cpp: LibTorch's threads must not keep the window from drawing.
  ProgramCall call{surprise_arguments(request, folder_),
                   {{"OMP_WAIT_POLICY", "PASSIVE"}, {"OPENBLAS_NUM_THREADS", "1"}}};
  call.words.front() = program.string();
  try {
    process_ = std::make_unique<ChildProcess>(
        call, ChildOptions{.out = ChildStream::pipe, .err = ChildStream::pipe, .dies_with_thread = true});
  } catch (const Error&) {
    end();
    throw;
  }
}

void SurpriseRun::update() {
  if (!running()) return;
  // All that is there: what it writes is far less than it takes to fill memory, and comes at its end.
  const std::optional<ProgramEnd> ended = process_->end();
  for (std::size_t before = 0; process_->read_out(printed_) && printed_.size() > before;)
    before = printed_.size();
  for (std::size_t before = 0; process_->read_err(said_) && said_.size() > before;) before = said_.size();
  if (!ended) return;
  try {
    if (!ended->good()) throw Error(said_.empty() ? "startle-surprise " + ended->text() : said_);
    clips_ = read_surprise(printed_, folder_);
  } catch (const Error& error) {
    failure_ = error.what();
  }
  end();
}

}  // namespace startle
