#pragma once
/// \file  Shots at generated levels in the normal world: what mechanisms are learned from and calibrated on.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/profile.hpp"
#include "sim/shot.hpp"
#include "surprise/dynamics/contact_event.hpp"

namespace startle {

/// How shots are drawn: levels of all families by turns, each a candidate that stands; a random target and
/// launch off it, one in four at any angle instead, four in ten with a tap; one shot in four from where
/// another one has left the level. Or as `played`: levels of all families by turns, each verified, with all
/// shots of its solution, from where those before have left it, and two at random targets. Shots chosen
/// because they clear a level do more than others.
struct DynamicsShots {
  std::uint64_t seed = 1;
  std::size_t levels = 600;
  bool played = false;
  std::size_t shots = 8;  ///< a level; says nothing of played ones
  int stride = 2;         ///< steps of the simulation between frames
  double pixel = 0;       ///< as for contact_events()
  bool video = false;     ///< places are read off videos (video_tracker.hpp)
  int threads = 0;
  std::function<void()> progress = {};  ///< called after each level, from any thread, one call at a time
};

/// What was seen of one shot.
struct DynamicsShot {
  std::size_t level = 0;
  std::vector<ContactEvent> contact_events;
};

/// The same settings give the same shots, on any number of threads. Throws Error where no candidate of a
/// family stands, or is verified.
std::vector<DynamicsShot> draw_dynamics_shots(const DynamicsShots& settings,
                                              std::shared_ptr<const Profile> profile);

}  // namespace startle
