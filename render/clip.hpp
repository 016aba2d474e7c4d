#pragma once
/// \file  A clip: the frames of one shot around the moment when things happen, as models see them.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "render/frames.hpp"
#include "sim/scene.hpp"
#include "sim/shot.hpp"

namespace startle {

/// How a shot becomes a clip. Models are tied to the format of the clips they were trained on.
struct ClipFormat {
  int frames = 15;    ///< T, 3 to 1000
  int pixels = 64;    ///< width and height, a multiple of 4, 4 to 1024
  int stride = 6;     ///< steps of the simulation between frames, 1 to 1000
  int lead = 2;       ///< frames before the bird's first contact, in [0, frames)
  double view = 4.6;  ///< world units across a frame, 0.1 to 1000: 64 pixels over 4.6 units make the thinnest
                      ///< block (0.22) 3 pixels wide
  friend bool operator==(const ClipFormat&, const ClipFormat&) = default;
};
/// Throws Error naming the field that is out of range.
void require_valid(const ClipFormat& format);

/// Frames as bytes, value/255 in [0, 1]: index ((t * pixels + row) * pixels + column) * 3 + channel.
struct Clip {
  int frames = 0, pixels = 0;
  std::vector<std::uint8_t> rgb;
  std::vector<std::uint8_t> masks;  ///< index (t * pixels + row) * pixels + column; empty when not asked for;
                                    ///< ids of Mask, over 255 as 255

  /// Bytes of frame t, pixels * pixels * 3 of them.
  const std::uint8_t* frame(int t) const { return rgb.data() + static_cast<std::size_t>(t) * frame_size(); }
  std::size_t frame_size() const {
    return static_cast<std::size_t>(pixels) * static_cast<std::size_t>(pixels) * 3;
  }
};

/// What a clip shows whose first contact is there, of a bird that was shot from `rest` over ground of that
/// height: the contact lies at 0.35 of the width from the side the bird comes from, the ground stays in view
/// unless the contact is too high above it.
View clip_view(Vec2 contact, Vec2 rest, double ground_y, const ClipFormat& format);

/// Where and when a clip is cut, the same for normal and novel twins, since until the first contact both
/// worlds are one.
struct ClipCut {
  View view;
  int first_step = 0;  ///< of the clip's first frame
};

/// The clip of one shot, simulated from `scene` (normal or novel). Until the bird's first contact nothing of
/// a novelty of the objects can show, so the cut is chosen by what is seen until then: it begins `lead`
/// frames before the first contact of the bird (its child, its egg) with an object, which lies at the left of
/// the view; the ground stays in view unless the contact is too high above it. Shots that touch nothing are
/// cut around their landing. A cut never begins before the release. After the end of a shot, when nothing
/// moves any more, the last frame is repeated.
struct ShotClip {
  Clip clip;
  ClipCut cut;
  Trace trace;  ///< up to the clip's last frame only: events and the frames of every step (frames[s] is that
                ///< after step s)
};
ShotClip make_clip(const Scene& scene, const Shot& shot, const ClipFormat& format, bool with_masks = false);

/// The same shot in `novel`, the twin of `scene` (novel_twin()), seen by the same camera at the same times.
/// For a scene at rest the frames up to the first contact are those of the normal world, bit for bit. Throws
/// Error for a cut that begins before the release.
ShotClip make_clip(const Scene& scene, const Shot& shot, const ClipFormat& format, const ClipCut& cut,
                   bool with_masks = false);

/// A shot of a row of them.
struct CutShot {
  int number = 1;  ///< from 1
  bool novel = false;
  int first_step = 0;  ///< of the simulation, at the clip's first frame
  Clip clip;
};
/// Shots one after the other in the normal world. Where `twin` is given, which makes the novel twin of a
/// scene, each is followed by the same shot there, from the same state and seen by the same camera at the
/// same times. Throws Error for more shots than there are birds.
std::vector<CutShot> cut_shots(Scene scene, const std::vector<Shot>& shots, const ClipFormat& format,
                               const std::function<Scene(const Scene&)>& twin = {});

}  // namespace startle
