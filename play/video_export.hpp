#pragma once
/// \file  Pictures and videos of shots, made beside the window's work: what `startle render` makes. No window
/// here.
#include <atomic>
#include <filesystem>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "render/recorded_world.hpp"

namespace startle {

/// The first of NAME-1.EXT, NAME-2.EXT ... in the folder that is not there yet. What of the name no file
/// should have becomes '-'.
std::filesystem::path free_name(const std::filesystem::path& folder, const std::string& name,
                                const std::string& extension);

/// One video at a time.
class VideoExport {
 public:
  VideoExport() = default;
  ~VideoExport();  ///< cancels
  VideoExport(const VideoExport&) = delete;
  VideoExport& operator=(const VideoExport&) = delete;

  /// Begins to write the video. Throws Error when one is under way, and without shots. What goes wrong later
  /// is said by take_message().
  void start(const std::filesystem::path& path, RecordedWorld world, const VideoFormat& format);
  /// No file is left.
  void cancel() { cancelled_ = true; }
  bool running() const { return running_; }
  /// The share that is done, 0 to 1.
  double progress() const { return progress_; }
  /// Once after each start(), when it is no longer running: what to say the person who waits for it.
  bool take_message(std::string& message);

 private:
  std::atomic<bool> running_ = false, cancelled_ = false;
  std::atomic<double> progress_ = 0;
  std::mutex mutex_;
  std::string message_;
  bool has_message_ = false;
  std::thread thread_;
};

}  // namespace startle
