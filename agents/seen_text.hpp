#pragma once
/// \file  What a player sees, in words: for language models. agents/clients/chat.py has the same words.
#include <optional>
#include <string>
#include <vector>

#include "agents/agent.hpp"

namespace startle {

/// "wood block RectFat".
std::string object_words(const SeenObject& object);

/// The birds left, how the next one flies, and every object with its place and size.
std::string level_text(const Observation& seen);

/// What one body did in a shot.
struct SeenMotion {
  struct Place {
    double time = 0;  ///< s
    Pose pose;
  };
  int id = 0;
  std::string what;            ///< object_words(), "bird" or "another bird"
  std::vector<Place> places;   ///< about eight of its places, the first and the last of them, at about equal
                               ///< lengths of way; never empty
  double turned = 0;           ///< radians over all of it
  std::optional<double> gone;  ///< s; empty: it exists after the shot
  bool hardly_moved = false;   ///< less than 0.1 world units and radians from its first place
};
/// Of the bodies that moved or are gone, by id.
std::vector<SeenMotion> seen_motions(const SeenShot& seen);

/// seen_motions() in words.
std::string shot_text(const SeenShot& seen);

}  // namespace startle
