#pragma once
/// \file  How surprising a single clip is, without its twin: what happens in it against what happens in
/// possible clips.
///
/// \code
///   // given: std::vector<PossibleClip> possible, const ClipSurprise& clip
///   const EventCalibration calibration(possible);
///   const double p = calibration.p(clip);  // 0.05 or less in about 5 of 100 possible clips
/// \endcode
///
/// An event is as odd as it is far from the events of its kind in possible clips, in the space of its
/// features: its context (how long hidden, how near the border) and its costs (how far from what was
/// expected). Per kind, the oddest event of a clip is ranked among those of other possible clips, in the
/// context of how many such events a clip has (surprise/dynamics/context_ranks.hpp). Where few possible clips
/// have such events it is ranked among all: an event of a kind that none has is as odd as can be. The least
/// of these p-values is ranked once more.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "surprise/clip_scorer.hpp"
#include "surprise/dynamics/context_ranks.hpp"

namespace startle {

/// What a scorer says of a clip in which nothing impossible happens.
struct PossibleClip {
  std::size_t scene = 0;  ///< clips of one scene share events, so they do not calibrate each other. Those of
                          ///< a scene stand side by side
  ClipSurprise surprise;
};

class EventCalibration {
 public:
  /// From clips of at least 2 scenes. Throws Error for fewer than least_normal_shots clips of every second
  /// scene, and where scorers differ in what they find.
  explicit EventCalibration(const std::vector<PossibleClip>& possible);

  /// The chance of a clip as odd among possible clips, in [least_p, 1].
  double p(const ClipSurprise& clip) const;

  /// As a file holds it, and back. The second throws Error, led by `place`, for anything else.
  std::string json() const;
  static EventCalibration parse(const std::string& text, const std::string& place);

 private:
  /// An event of possible clips, for all those that are nearly alike.
  struct Known {
    std::vector<float> features;
    double scenes = 0;  ///< in which there are such events
  };
  struct Kind {
    std::vector<Known> known;
    ContextRanks ranks;       ///< of the oddest event of a clip, in the context of the number of events
    std::vector<double> few;  ///< in place of ranks: these scores, of fewer than least_normal_shots clips
  };
  EventCalibration() = default;
  std::vector<ClipEvent> events_of(const ClipSurprise& clip) const;
  void learn(const std::vector<PossibleClip>& possible);
  double oddness(const ClipEvent& event) const;
  /// The chance of a clip with an event of this kind as odd as the oddest.
  double p(const Kind& kind, const ContextScore& oddest) const;
  /// The oddest event of each kind, in the context of their number.
  std::array<ContextScore, clip_event_kinds> oddest(const ClipSurprise& clip) const;
  /// Of the least p-value over kinds, -log, in the context of the number of events of all kinds.
  ContextScore score(const ClipSurprise& clip) const;

  double error_unit_ = 1, change_unit_ = 1;  ///< means over frames of possible clips
  std::array<Kind, clip_event_kinds> kinds_;
  std::size_t ranked_ = 0;  ///< possible clips that others are ranked among
  ContextRanks combined_;
};

}  // namespace startle
