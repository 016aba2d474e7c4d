#pragma once
/// \file  Shots at generated levels in the normal world: what laws are learned from and calibrated on.
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "noticing/encounter.hpp"
#include "sim/profile.hpp"
#include "sim/shot.hpp"

namespace startle {

/// How shots are drawn: levels of all families by turns, each a candidate that stands; a random target and launch off it, one
/// in four at any angle instead, four in ten with a tap; one shot in four from where another
/// one has left the level.
struct LawShots {
  std::uint64_t seed = 1;
  std::size_t levels = 600;
  std::size_t shots = 8;  ///< a level
  int steps_a_look = 2;   ///< steps of the simulation between looks
  double pixel = 0;       ///< as for encounters()
  bool film = false;      ///< places are read off films (film_reader.hpp)
  int threads = 0;
  std::function<void()> progress = {};  ///< called after each level, from any thread, one call at a time
};

/// What was seen of one shot.
struct LawShot {
  std::size_t level = 0;
  std::vector<Encounter> encounters;
};

/// The same settings give the same shots, on any number of threads. Throws Error where no candidate of a family stands.
std::vector<LawShot> draw_law_shots(const LawShots& settings, std::shared_ptr<const Profile> profile);

}  // namespace startle
