#pragma once
/// \file  What reasoning and difficulty say of a scene, for the overlays of the page.
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "levels/stored_level.hpp"
#include "play/insight.hpp"

namespace startle {

/// Targets of the next bird with trajectories and what hits move, PID and BID, predicted detection, the
/// explanation. `stored`: what the level's file says.
nlohmann::json insight_json(const Insight& insight, const std::optional<StoredDifficulty>& stored);

}  // namespace startle
