#pragma once
/// \file  Videos for people: GIF, and MP4 by the program ffmpeg, which is started when such a video is and
/// not linked.
#include <filesystem>
#include <memory>
#include <string>

#include "render/frames.hpp"

namespace startle {

/// Whether files of that name are videos: they end in .gif or .mp4.
bool is_video(const std::filesystem::path& path);

/// Writes a video under a temporary name and renames it when it is finished: without finish() nothing is left
/// behind.
class VideoWriter {
 public:
  /// `path` ends in .gif or .mp4; a frame has width x height pixels. Throws Error when the name ends
  /// otherwise, the folder cannot be written, or, for MP4, ffmpeg is missing.
  VideoWriter(const std::filesystem::path& path, int width, int height, int frames_per_second);
  ~VideoWriter();
  VideoWriter(const VideoWriter&) = delete;
  VideoWriter& operator=(const VideoWriter&) = delete;

  /// Throws Error for a picture of another size, when the disk is full, and when ffmpeg stops reading.
  void add(const Bitmap& picture);
  /// Throws Error when the disk is full, and when ffmpeg fails.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Writes a line of text on a dark plate into the upper left corner of a picture.
void add_caption(Bitmap& picture, const std::string& text);

/// `left` and `right`, equally high, beside each other with a gap of 4 white pixels.
Bitmap side_by_side(const Bitmap& left, const Bitmap& right);

}  // namespace startle
