#pragma once
/// \file  Reading a video: where every body is in each picture of a shot, from the pixels that people look
/// at.
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Scene& before, const Scene& novel
///   const ShotResult shot = run_shot(novel, {.angle = 0.5}, {.record_every = 2});
///   // as shot.trace, but read off pictures
///   const Trace seen = track_video(before, {.angle = 0.5}, shot.trace);
/// \endcode
#include <memory>

#include "render/frames.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"
#include "sim/trace.hpp"

namespace startle {

/// A camera that does not move.
struct VideoCamera {
  View view;
  int width = 960, height = 540;                               ///< pixels of a picture
  Bounds seen() const { return bounds(view, width, height); }  ///< part of the world in the picture
};
/// The camera that has the whole scene in view, whatever will happen in it; 20 mm a pixel or so.
VideoCamera video_camera(const Scene& before);

/// Follows the bodies of a scene from picture to picture: each by what it looks like (its artwork,
/// Style::people), by least squares over position and angle [Lucas and Kanade 1981] from where it should be
/// had nothing met it, pixels that are something else counting little. What is not there is looked for
/// wherever the picture shows something that none of the others, painted where they were found, explains
/// (analysis by synthesis). Two of a kind are distinguished by their grain, if they have one, and by who is
/// nearer to where it should be. Errs by 0.02 pixels or so.
class VideoTracker {
 public:
  /// What is known from a look at the standing scene: what is where, and what it looks like. The launch with
  /// its tap, and gravity in the normal world: where to look for what flies. No other parameter. Birds that
  /// come out of a bird are followed, an egg is not. `stride`: steps of the simulation from picture to
  /// picture, at least 1.
  VideoTracker(const Scene& before, const Shot& shot, const VideoCamera& camera, int stride);
  ~VideoTracker();
  VideoTracker(const VideoTracker&) = delete;
  VideoTracker& operator=(const VideoTracker&) = delete;

  /// The next picture. Throws Error for one of another size than the camera's.
  void frame(const Bitmap& picture);
  /// The pictures so far as a trace: in each of its frames the bodies that were found. A body that is found
  /// again after some pictures has moved evenly in between. No events.
  Trace trace() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The frames of a trace painted for people by video_camera(), without blasts and dust, and read again.
/// Throws Error for a trace that is not recorded.
Trace track_video(const Scene& before, const Shot& shot, const Trace& happened);

}  // namespace startle
