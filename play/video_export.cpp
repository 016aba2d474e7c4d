#include "play/video_export.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

namespace startle {

std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& name,
                                const std::string& extension) {
  const std::string sound = name.empty() ? "level" : file_name(name);
  std::error_code error;
  for (int number = 1;; ++number)
    if (std::filesystem::path path = folder / (sound + "-" + std::to_string(number) + extension);
        !std::filesystem::exists(path, error))
      return path;
}

VideoExport::~VideoExport() {
  cancelled_ = true;
  if (thread_.joinable()) thread_.join();
}

void VideoExport::start(const std::filesystem::path& path, RecordedWorld world, const VideoFormat& format) {
  if (running_) throw Error("a video is being made already");
  if (world.shots.empty()) throw Error("a video needs a shot");
  if (thread_.joinable()) thread_.join();
  cancelled_ = false;
  has_message_ = false;
  progress_ = 0;
  running_ = true;
  thread_ = std::thread([this, path, format, worlds = std::vector<RecordedWorld>{std::move(world)}] {
    std::string message;
    try {
      const bool whole = write_video(path, worlds, format, [this](double done) {
        progress_ = done;
        return !cancelled_;
      });
      std::error_code error;
      message = whole ? "Saved " + std::filesystem::absolute(path, error).string()
                      : "Stopped: no video is written";
    } catch (const std::exception& error) {
      message = error.what();
    }
    const std::lock_guard lock(mutex_);
    message_ = std::move(message);
    has_message_ = true;
    running_ = false;
  });
}

bool VideoExport::take_message(std::string& message) {
  const std::lock_guard lock(mutex_);
  if (running_ || !has_message_) return false;
  has_message_ = false;
  message = message_;
  return true;
}

}  // namespace startle
