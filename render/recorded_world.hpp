#pragma once
/// \file  Shots as people see them: recorded at every step, drawn as pictures and videos; several worlds
/// beside each other.
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "render/frames.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"

namespace startle {

/// One shot and the scene it started from, recorded at every step.
struct RecordedShot {
  Scene scene;
  Trace trace;
};

/// A world to be seen, normal or novel; with more than one they stand beside each other, each under its
/// caption.
struct RecordedWorld {
  std::string caption;
  std::vector<RecordedShot> shots;
};

/// Runs the shots one after the other, as play() does.
RecordedWorld record(std::string caption, const Scene& start, const std::vector<Shot>& shots);
/// The scene as it stands, the next bird on the slingshot.
RecordedWorld standing(std::string caption, const Scene& scene);

/// Pixels of a picture, of each world where two stand beside each other; frames a second of a video.
struct VideoFormat {
  int width = 960, height = 540;
  int frames_per_second = 25;
  /// Of two worlds beside each other: whether two poses differ so much that the body is outlined in both. A
  /// body that only one of them holds then is outlined, too. Empty: nothing is outlined.
  std::function<bool(const Pose&, const Pose&)> apart = {};
};

/// The worlds as a video, .gif or .mp4. Here and below: at least one world, each with at least one shot.
/// `progress` is given the share that is done, 0 to 1; when it says false, no file is written, and the result
/// is false. Throws Error as VideoWriter does.
bool write_video(const std::filesystem::path& path, const std::vector<RecordedWorld>& worlds,
                 const VideoFormat& format, const std::function<bool(double)>& progress = {});

/// The worlds' last shot as a picture, `seconds` after its release; without it, at the end.
Bitmap still(const std::vector<RecordedWorld>& worlds, std::optional<double> seconds,
             const VideoFormat& format);
/// The same as a mask. Of the first world.
Mask still_mask(const std::vector<RecordedWorld>& worlds, std::optional<double> seconds,
                const VideoFormat& format);

}  // namespace startle
