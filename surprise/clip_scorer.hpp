#pragma once
/// \file  What says how surprising each frame of a clip is, be it by predicting pictures, masks or objects,
/// or without predicting anything.
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "render/clip.hpp"
#include "surprise/displacement.hpp"

namespace startle {

/// Errors of one clip, frame by frame, t = 1 ... T - 1 (from 0). For predictors of frames: squared, values in
/// [0, 1], summed over all pixels and channels of a frame. Other scorers have units of their own: compare
/// within one scorer only.
struct FrameErrors {
  std::vector<double> error;  ///< s_t = ||predicted[t] - x[t]||^2; 0 where the scorer says nothing of a frame
  std::vector<double> change;  ///< c_t = ||x[t] - x[t-1]||^2: the error of the prediction that nothing
                               ///< changes, in the same units; 0 where there is none
};

/// What an event is about. `frame` is for scorers that find no objects (frame_events()); for the others see
/// surprise/networks/object_events.hpp.
enum class ClipEventKind { frame, appears, missing, returns, moves, changes, path, hides, stops, gone };
inline constexpr std::size_t clip_event_kinds = 10;
const char* name(ClipEventKind kind);

/// Something that happens in a clip.
struct ClipEvent {
  ClipEventKind kind = ClipEventKind::frame;
  int frame = 0;                ///< when, from 0
  std::vector<float> features;  ///< its context and its costs, as many for all events of a kind, in units in
                                ///< which those of events alike differ by less than 1
};

/// Of a model that states a density of what comes next: how unlikely a clip is.
struct StatedLikelihood {
  double nll = 0;          ///< negative log-likelihood, nats, in the units of the values
  std::size_t values = 0;  ///< that the density is of
};

struct ClipSurprise {
  FrameErrors errors;
  std::vector<float> feature;  ///< z: the model's final hidden state, largest value per channel, not
                               ///< normalised; empty where there is none
  std::optional<std::vector<ClipEvent>> events = {};  ///< where it finds objects
  /// In place of errors: one number of the whole clip, in a unit of the scorer's own; larger is more
  /// surprising.
  std::optional<double> whole = {};
  std::optional<StatedLikelihood> stated = {};  ///< of predictors of frames that state a density
  /// Of predictors of frames, by score_with_residuals() alone: where things are, against where they were
  /// predicted.
  Residuals residuals = {};
};

class ClipScorer {
 public:
  virtual ~ClipScorer() = default;
  virtual std::string name() const = 0;
  /// In the order of the clips. Throws Error when a clip has another size than the model was made for, or
  /// lacks masks that it needs.
  virtual std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) = 0;
  /// The same with residuals, which cost a millisecond a frame.
  virtual std::vector<ClipSurprise> score_with_residuals(const std::vector<const Clip*>& clips) {
    return score(clips);
  }
  /// The errors alone.
  std::vector<FrameErrors> errors(const std::vector<const Clip*>& clips) {
    std::vector<FrameErrors> all;
    for (ClipSurprise& clip : score(clips)) all.push_back(std::move(clip.errors));
    return all;
  }
};

}  // namespace startle
