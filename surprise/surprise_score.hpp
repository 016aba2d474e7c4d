#pragma once
/// \file  Surprise: how far the frames of a clip are from what was predicted.
#include <string>
#include <vector>

#include "surprise/predictor.hpp"

namespace startle {

FrameErrors frame_errors(const Clip& clip, const Prediction& prediction);
/// What is said of a clip whose frames were predicted: errors, the feature, and residuals (displacement.hpp).
/// Throws Error for a prediction of another size.
ClipSurprise surprise_of(const Clip& clip, Prediction prediction);

/// One number a clip, from the errors of its frames; larger is more surprising.
enum class ClipScore {
  sum,      ///< sum of s_t: surprise as in [Lin §4.1]
  mean,     ///< sum / (T - 1)
  maximum,  ///< largest s_t [IntPhys eq. 4]
  log,  ///< sum of log(s_t + log_epsilon): Gaussian likelihood with the variance of each frame profiled out
  relative  ///< sum of s_t/(c_t + relative_constant): against the explanation that nothing changes
};
const std::vector<ClipScore>& clip_scores();
const char* name(ClipScore score);

/// Constants fixed on possible clips only.
inline constexpr double log_epsilon = 0.1, relative_constant = 1.0;

double clip_score(const FrameErrors& errors, ClipScore score);
/// ClipSurprise::whole, where there is one, is every score.
inline double clip_score(const ClipSurprise& clip, ClipScore score) {
  return clip.whole ? *clip.whole : clip_score(clip.errors, score);
}

}  // namespace startle
