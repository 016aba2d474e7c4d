#pragma once
/// \file  What a simulated shot records, and how long it may last.

namespace startle {

struct WorldOptions {
  int record_every = 0;  ///< steps between recorded frames; 0: record nothing, at no cost
  bool record_events = false;
  bool record_motion = false;  ///< with frames: Frame::contacts, Trace::gravity and Trace::masses
  double time_limit = 20;      ///< s after release: life time of a bird in the original
};

}  // namespace startle
