#include "web/insight_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "difficulty/impact_score.hpp"

namespace startle {
namespace {

using nlohmann::json;

constexpr int pieces = 28;  ///< of a trajectory, as the window draws it

json trajectory_json(const Trajectory& trajectory) {
  json points = json::array();
  for (int i = 0; i <= pieces; ++i) {
    const Vec2 p = trajectory.at(trajectory.time * i / pieces);
    points.push_back({std::round(p.x * 1000) / 1000, std::round(p.y * 1000) / 1000});
  }
  return {{"upper", trajectory.upper},
          {"angle", trajectory.shot.angle},
          {"time", trajectory.time},
          {"points", std::move(points)}};
}

json hit_json(const Hit& hit) {
  json impacted = json::array();
  for (const ImpactedObject& object : hit.impacted)
    impacted.push_back({{"id", object.object}, {"reason", object.reason}});
  json result = {{"trajectory", hit.trajectory},
                 {"impacted", std::move(impacted)},
                 {"detectable", hit.detectable},
                 {"visible", hit.p_visible}};
  if (hit.detection) result["detected"] = hit.detection->chance;
  return result;
}

json targets_json(const Insight& insight) {
  json targets = json::array();
  const Interaction* next = insight.next();
  if (next == nullptr) return targets;
  for (std::size_t i = 0; i < next->targets.size(); ++i) {
    const TargetOutcome& outcome = next->targets[i];
    json trajectories = json::array(), hits = json::array();
    for (const Trajectory& trajectory : outcome.target.trajectories)
      trajectories.push_back(trajectory_json(trajectory));
    for (const Hit& hit : outcome.hits) hits.push_back(hit_json(hit));
    targets.push_back({{"id", outcome.target.object},
                       {"name", appearance(insight.scene.objects[outcome.target.object])},
                       {"best", next->best == i},
                       {"impact", outcome.impact_score},
                       {"visible", outcome.p_visible},
                       {"trajectories", std::move(trajectories)},
                       {"hits", std::move(hits)}});
  }
  return targets;
}

json explanation_json(const Insight& insight) {
  json parts = json::array();
  for (const ExplanationPart& part : insight.explanation)
    parts.push_back({{"title", part.title}, {"text", part.text}});
  return parts;
}

json stored_json(const StoredDifficulty& stored) {
  return {{"novelty", stored.novelty},
          {"value", stored.value},
          {"p_level", stored.tier ? json(stored.p_level) : json()},
          {"source", name(stored.source)},
          {"tier", tier_or_third(stored)}};
}

}  // namespace

json insight_json(const Insight& insight, const std::optional<StoredDifficulty>& stored) {
  json result = {{"novelty", insight.novelty.name},
                 {"targets", targets_json(insight)},
                 {"novel", json::array()},
                 {"explanation", explanation_json(insight)}};
  for (std::size_t i = 0; i < insight.detectability.size(); ++i)
    if (insight.detectability[i].novel) result["novel"].push_back(i);
  if (stored) result["stored"] = stored_json(*stored);
  if (insight.novelty.name.empty()) return result;
  result["pid"] = insight.difficulty.pid;
  result["bid"] = insight.difficulty.bid;
  result["value"] = insight.difficulty.value;
  if (const auto& detection = insight.difficulty.detection)
    result["detection"] = {{"best", detection->best}, {"random", detection->random}, {"any", detection->any}};
  return result;
}

}  // namespace startle
