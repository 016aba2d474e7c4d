#pragma once
/// \file  The scenes in which observe_shots observes and detection_features reasons.
#include <optional>
#include <string>

#include "core/error.hpp"
#include "core/text.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/level_file.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/runs.hpp"

namespace startle {

/// What is before a shot: the level at rest under the profile, after so many birds each flew a best shot in
/// the normal world.
struct ObservedScene {
  std::string profile = "startle";
  int birds_before = 0;
};

/// The first line of what observe_shots writes.
inline const std::string observed_columns =
    "level,shot,best,angle_rad,error_rad,novelty,strength,p,p_outcome,p_motion,profile,birds_before";

/// Of another line: the level's file with the ObservedScene.
inline std::string scene_key(const std::string& line) {
  return line.substr(0, line.find(',')) + line.substr(line.rfind(',', line.rfind(',') - 1));
}

/// Throws Error for other columns, as of another version.
inline void require_observed_columns(const std::string& file, const std::string& header) {
  if (header != observed_columns)
    throw Error(file + ": found columns " + shown(header) + ", needed are " + observed_columns);
}

/// Best shots are the extended method's, for most novelties alike.
inline Difficulty difficulty_of_first_shot(const OrderedScene& ordered) {
  return compute_difficulty(ordered, find_novelty("wood-density-up"), {.most_states = 1});
}

/// Nothing where no bird or no target is left.
inline std::optional<OrderedScene> scene_of(const StoredLevel& level, const ObservedScene& which) {
  OrderedScene ordered(settle(make_scene(level, profile(which.profile))));
  for (int bird = 0;; ++bird) {
    const Scene& scene = ordered.scene();
    if (scene.birds_left() == 0) return std::nullopt;
    if (bird == which.birds_before) break;
    const Difficulty difficulty = difficulty_of_first_shot(ordered);
    const Interaction& first = difficulty.interactions.front();
    if (first.best_shots.empty()) return std::nullopt;
    const BestShot& best = first.best_shots.front();
    ordered = OrderedScene(run_shot(scene, first.targets[best.target].shot(best.hit)).scene);
  }
  if (find_targets(ordered.scene(), ordered.scene().bird(), blocking_relation(ordered.scene())).empty())
    return std::nullopt;
  return ordered;
}

}  // namespace startle
