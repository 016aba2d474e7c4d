#pragma once
/// \file  Shots flown for browsers. A request names the level, the world and all shots so far; so the server
/// remembers nothing that could be lost, and what is flown is a function of the request.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/shot.hpp"
#include "sim/trace.hpp"
#include "web/web_levels.hpp"

namespace startle {

/// What a request asks about: a level, in the normal world or in that of a novelty, after some shots.
struct PlayedState {
  std::string level;    ///< id
  std::string novelty;  ///< empty: the normal world
  std::vector<Shot> shots;
};

/// A shot and the scenes before and after it.
struct WebShot {
  Scene before, after;
  Trace trace;  ///< every step, and events
};

class FlownShots {
 public:
  explicit FlownShots(WebLevels& levels);

  /// The scene after all shots of the state. Throws Error and NotFound for a level, a novelty or a shot that
  /// cannot be.
  std::shared_ptr<const Scene> scene(const PlayedState& state);
  /// The last shot of the state. Throws as scene(), and Error without shots.
  WebShot last(const PlayedState& state);
  /// Of all shots; of a cleared level with that of the unused birds, as `startle simulate` counts.
  static double score(const Scene& scene);

 private:
  WebLevels& levels_;
  Recent<Scene> scenes_;  ///< by level, world and shots
};

}  // namespace startle
