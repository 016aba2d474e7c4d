#pragma once
/// \file  Pictures of a shot without a screen: RGB frames and instance masks of any size, from the same
/// geometry.
///
/// \code
///   #include "sim/world.hpp"
///   // given: const Scene& scene, const Shot& shot
///   const ShotResult result = run_shot(scene, shot, {.record_every = 5, .record_events = true});
///   FramePainter painter(scene, result.trace, Style::training);
///   Bitmap picture(64, 64);
///   painter.paint(result.trace.frames[3], {.centre = {4, -1}, .width = 4.6}, picture);
/// \endcode
///
/// What is drawn depends on kind, type, material and place alone: a novel object looks like a normal one.
/// A painter belongs to one thread; different painters may run on different threads. The same input gives the
/// same bytes.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/scene.hpp"
#include "sim/trace.hpp"

namespace startle {

/// Part of the world that a picture shows. Pixels are square: the height follows from the shape of the
/// picture.
struct View {
  Vec2 centre;       ///< world units
  double width = 5;  ///< world units across the picture, > 0
};
/// The part of the world, world units, in a picture of so many pixels.
Bounds bounds(const View& view, int width, int height);

/// The view of a whole shot in a picture of that shape: the scene with its slingshot, and above them the
/// bird's way, up to 10 units above the ground.
View whole_view(const Scene& scene, const Trace& trace, int width, int height);

/// What a window shows of a level when it opens: its objects, birds and slingshot, and room for things to
/// fall and fly.
Bounds level_box(const Scene& scene);

/// Where birds wait on the ground behind the slingshot. `birds`: types, the next one first; that one is on
/// the slingshot, and there is a place, the origin of its body, for each of the others. Throws Error for a
/// type that the profile lacks.
std::vector<Vec2> waiting_places(const Profile& profile, Vec2 slingshot,
                                 const std::vector<std::string>& birds);
/// The scene as it stands, the next bird on the slingshot.
Frame standing_frame(const Scene& scene);

/// A bird that waits on the ground behind the slingshot, and where its origin is.
struct WaitingBird {
  const BirdType* bird = nullptr;
  Vec2 place;
};
/// In the order in which they will fly.
std::vector<WaitingBird> waiting_birds(const Scene& scene);

/// 8-bit RGB; rows from the top, pixels from the left, three bytes a pixel.
struct Bitmap {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;

  Bitmap() = default;
  Bitmap(int w, int h)
      : width(w), height(h), rgb(static_cast<std::size_t>(w) * static_cast<std::size_t>(h) * 3) {}
};

/// One number a pixel, laid out as a Bitmap: 0 sky, 1 ground and slingshot, 2 + id the body with that BodyId
/// (Trace).
struct Mask {
  int width = 0, height = 0;
  std::vector<std::uint16_t> ids;

  Mask() = default;
  Mask(int w, int h) : width(w), height(h), ids(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
};

enum class Style {
  training,  ///< flat colours with soft edges, plain sky: what models learn from
  people     ///< shaded and textured: what people look at
};

/// Draws the frames of one shot.
class FramePainter {
 public:
  /// `scene` is the one the shot started from: its next bird is the one in the trace, and what comes out of
  /// that bird is drawn as what it is. Explosions are drawn for people where the trace has events
  /// (WorldOptions::record_events); training frames show poses alone.
  FramePainter(const Scene& scene, const Trace& trace, Style style);
  ~FramePainter();
  FramePainter(FramePainter&&) noexcept;
  FramePainter& operator=(FramePainter&&) noexcept;

  /// Draws into all of `picture`. Throws Error for a picture without pixels and a view without width.
  void paint(const Frame& frame, const View& view, Bitmap& picture);
  /// Which body is seen at the centre of each pixel: the one drawn last there. Throws as paint().
  void paint(const Frame& frame, const View& view, Mask& mask);
  /// Draws a line around those of the frame's bodies, for people, over what is painted. Throws as paint().
  void outline(const Frame& frame, const View& view, const std::vector<BodyId>& bodies, Bitmap& picture);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
