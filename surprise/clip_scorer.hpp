#pragma once
/// \file  What judges clips frame by frame, however it does so: the interface that evaluations of probes and IntPhys sets know.
///
/// A Predictor is one by its squared errors. Models that predict masks, objects, or frames a span ahead, and discriminators, implement it themselves.
#include <memory>
#include <string>
#include <vector>

#include "surprise/surprise_score.hpp"

namespace startle {

class ClipScorer {
 public:
  virtual ~ClipScorer() = default;
  virtual std::string name() const = 0;
  /// One entry a clip, in the order of the clips. FrameErrors::error holds how implausible each judged frame is, in order of time, larger being less
  /// plausible; every clip of one length has equally many, at least one. FrameErrors::change has as many entries: how far that frame is from the last one the
  /// scorer was shown. Throws Error when a clip has another size than the scorer was made for, or lacks masks that it needs.
  virtual std::vector<FrameErrors> errors(const std::vector<const Clip*>& clips) = 0;
};

/// frame_errors() of its predictions, under its name. `predictor` is not null.
std::unique_ptr<ClipScorer> scorer_of(std::unique_ptr<Predictor> predictor);

}  // namespace startle
