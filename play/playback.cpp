#include "play/playback.hpp"

#include <algorithm>
#include <cmath>

namespace startle {

void Playback::begin(double step_s) {
  step_s_ = step_s;
  position_ = 0;
  length_ = 0;
  complete_ = false;
  paused_ = false;
}

void Playback::set_length(int steps, bool complete) {
  length_ = steps;
  complete_ = complete;
  position_ = std::min(position_, static_cast<double>(length_));
}

void Playback::advance(double seconds) {
  if (!paused_) seek(position_ + seconds * speed() / step_s_);
}

void Playback::seek(double position) { position_ = std::clamp(position, 0.0, static_cast<double>(length_)); }

void Playback::step(int direction) {
  paused_ = true;
  seek(direction > 0 ? std::floor(position_) + 1 : std::ceil(position_) - 1);
}

double Playback::speed() const { return std::ldexp(1.0, exponent_); }
void Playback::faster() { exponent_ = std::min(exponent_ + 1, fastest_speed); }
void Playback::slower() { exponent_ = std::max(exponent_ - 1, slowest_speed); }

std::vector<BodyState> bodies_at(const Trace& trace, double position) {
  if (trace.frames.empty()) return {};
  const double last = static_cast<double>(trace.frames.size() - 1);
  position = std::clamp(position, 0.0, last);
  const auto index = static_cast<std::size_t>(position);
  std::vector<BodyState> bodies = trace.frames[index].bodies;
  const double share = position - static_cast<double>(index);
  if (share <= 0) return bodies;
  // Both frames are in order of id.
  const std::vector<BodyState>& next = trace.frames[index + 1].bodies;
  auto later = next.begin();
  for (BodyState& body : bodies) {
    while (later != next.end() && later->id < body.id) ++later;
    if (later == next.end() || later->id != body.id) continue;
    body.pose.position = body.pose.position + share * (later->pose.position - body.pose.position);
    body.pose.angle += share * (later->pose.angle - body.pose.angle);
  }
  return bodies;
}

}  // namespace startle
