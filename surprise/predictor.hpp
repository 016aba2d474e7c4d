#pragma once
/// \file  What predicts each frame of a clip from those before it: learned models and the controls they are
/// held against.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "surprise/clip_scorer.hpp"

namespace startle {

/// Of one clip of T frames. Frame t = 1 ... T - 1 (from 0) is predicted from frames 0 ... t - 1, which are
/// the true ones.
struct Prediction {
  std::vector<float> frames;   ///< (T - 1) x pixels x pixels x 3, clipped to [0, 1]; the first is that of
                               ///< frame 1
  std::vector<float> feature;  ///< z: the model's final hidden state, largest value per channel, not
                               ///< normalised; empty where there is none
  std::optional<StatedLikelihood> stated = {};  ///< of the clip, where the model states a density
};

class Predictor : public ClipScorer {
 public:
  /// Predictions in the order of the clips. Throws Error when a clip has another size than the model was made
  /// for.
  virtual std::vector<Prediction> predict(const std::vector<const Clip*>& clips) = 0;
  /// frame_errors() (surprise_score.hpp) of the predictions.
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) final;
  /// surprise_of() (surprise_score.hpp) the predictions.
  std::vector<ClipSurprise> score_with_residuals(const std::vector<const Clip*>& clips) final;
};

/// Predicts that nothing changes: the frame before.
std::unique_ptr<Predictor> make_copy_last();
/// Goes on as before: 2 x[t-1] - x[t-2], clipped to [0, 1]; the frame before for the first prediction.
std::unique_ptr<Predictor> make_linear_extrapolation();
/// One of each: what stands beside the models in every table.
std::vector<std::unique_ptr<ClipScorer>> make_controls();

}  // namespace startle
