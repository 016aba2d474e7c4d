#pragma once
/// \file  Scenes, shots and artwork for browsers: what a player sees and nothing else.
///
/// Kind, type, material, place, outline and cracks; of the world the normal profile's launch speed and
/// gravity, by which a flight is drawn before it is flown. No parameter, no life in numbers, and nothing that
/// depends on whether an object is novel. docs/web.md has every key.
#include <nlohmann/json_fwd.hpp>

#include "sim/scene.hpp"
#include "sim/trace.hpp"

namespace startle {

/// Places are sent as whole numbers of these: 1/1000 of a world unit, and of a radian.
inline constexpr double steps_a_unit = 1000;

nlohmann::json scene_json(const Scene& scene);

/// Of everything that the scene and its birds can show, by name; in the order in which it is drawn.
nlohmann::json artwork_json(const Scene& scene);
/// Sky, hills and ground, far to both sides; the same for all levels of a profile.
nlohmann::json landscape_json(const Profile& profile);

/// What moves: for each body the poses of the steps in which they change, cracks, and its end.
nlohmann::json trace_json(const Scene& before, const Trace& trace);

}  // namespace startle
