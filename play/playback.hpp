#pragma once
/// \file  The clock of a shot that is shown: where it stands, how fast it runs, and the poses between two
/// steps.
///
/// Physics runs at its fixed step; the window draws whenever it can, and sees the poses of the two nearest
/// steps mixed.
#include <vector>

#include "sim/trace.hpp"

namespace startle {

/// How many times as fast as the world: 1/16, 1/8 ... 8.
inline constexpr int slowest_speed = -4, fastest_speed = 3;

class Playback {
 public:
  /// Back to the release, running. `step_s`: seconds a step.
  void begin(double step_s);

  /// As much of the shot as can be shown: its number of steps so far, and whether that is all.
  void set_length(int steps, bool complete);
  int length() const { return length_; }

  /// Lets `seconds` of the window's time pass. Stops at the last step there is.
  void advance(double seconds);
  /// Steps since the release, with a fraction; 0 to length().
  double position() const { return position_; }
  /// To that step, and clipped to those there are. Whether it runs stays as it is.
  void seek(double position);
  /// The whole shot has been shown.
  bool at_end() const { return complete_ && position_ >= length_; }

  bool paused() const { return paused_; }
  void pause(bool paused) { paused_ = paused; }
  /// To the next whole step, or the one before; pauses.
  void step(int direction);

  double speed() const;
  void faster();
  void slower();
  void normal_speed() { exponent_ = 0; }

 private:
  double step_s_ = 0.02, position_ = 0;
  int length_ = 0, exponent_ = 0;
  bool complete_ = false, paused_ = false;
};

/// The bodies at a position between two frames of a trace that records every step. Positions and angles are
/// mixed linearly; a body that the later frame no longer has stays where it was. Empty for a trace without
/// frames.
std::vector<BodyState> bodies_at(const Trace& trace, double position);

}  // namespace startle
