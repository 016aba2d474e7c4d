#pragma once
/// \file  What perfect physics would expect of a clip, one frame ahead: the reference for every model that
/// predicts the next frame from those before.
#include "surprise/clip.hpp"
#include "surprise/clip_scorer.hpp"

namespace startle {

/// Errors of the engine itself, as of any predictor of frames. At each frame it knows the normal world's
/// parameters, all places, angles and lives exactly, and which bird it is (what came out of it is taken for
/// one like it, an egg too); speeds it has to estimate from the clip's frames, as every observer does: from
/// the last two, and where three fit free fall, with half a frame's fall more. It goes on from there to the
/// next frame, which is then painted like the clip. `normal`: the world before the shot, with normal
/// parameters; `seen`: a clip of the shot in any world, from the same state.
FrameErrors physics_errors(const Scene& normal, const ShotClip& seen, const ClipFormat& format);

}  // namespace startle
