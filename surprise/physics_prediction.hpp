#pragma once
/// \file  What perfect physics would expect of a clip, some frames ahead: the reference for every model that
/// predicts the next frame from those before.
#include "render/clip.hpp"
#include "surprise/predictor.hpp"

namespace startle {

/// What the engine knows of speeds.
enum class KnownSpeeds {
  estimated,  ///< from the clip's frames, as every observer has to: from the last two, and where three fit
              ///< free fall, with half a frame's fall more
  exact       ///< as they are in the world that the clip is of
};

/// The engine itself, as any predictor of frames. At each frame it knows the normal world's parameters, all
/// places, angles and lives exactly, and which bird it is (what came out of it is taken for one like it, an
/// egg too). From `frames_ahead` frames before, the first frame where there are fewer, it goes on to the
/// frame, which is then painted like the clip. `normal`: the world before the shot, with normal parameters;
/// `seen`: a clip of the shot in any world, from the same state. Throws Error for no frame ahead.
Prediction physics_prediction(const Scene& normal, const ShotClip& seen, const ClipFormat& format,
                              KnownSpeeds speeds = KnownSpeeds::estimated, int frames_ahead = 1);

}  // namespace startle
