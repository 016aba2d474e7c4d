#include "web/play_routes.hpp"

#include <nlohmann/json.hpp>

#include "core/hash.hpp"
#include "core/json_tree.hpp"
#include "play/insight.hpp"
#include "play/twin_flight.hpp"
#include "sim/world.hpp"
#include "web/flown_shots.hpp"
#include "web/insight_json.hpp"
#include "web/seen_json.hpp"
#include "web/shot_json.hpp"

namespace startle {
namespace {

using nlohmann::json;

constexpr std::size_t most_insights = 256;
const std::string body_name = "request";  // in messages

/// What a request asks for.
struct PlayRequest {
  PlayedState state;
  std::string novelty;  ///< asked about; empty: none
};

PlayRequest read_request(const Call& call, bool with_novelty) {
  const JsonNode tree = parse_json(call.request.body, body_name);
  const JsonView view(tree, body_name);
  view.expect_keys({"shots"}, with_novelty ? std::initializer_list<const char*>{"world", "novelty"}
                                           : std::initializer_list<const char*>{"world"});
  PlayRequest request{.state = {.level = call.arguments[0]}};
  if (view.has("world")) request.state.novelty = view.at("world").string();
  if (view.has("novelty")) request.novelty = view.at("novelty").string();
  for (const JsonView& shot : view.at("shots").items()) request.state.shots.push_back(read_shot(shot));
  return request;
}

/// With what two machines compare, to know whether they have flown the same shot to the bit.
json hashed_trace_json(const Scene& before, const Trace& trace) {
  json result = trace_json(before, trace);
  result["hash"] = hexadecimal(trace.hash);
  return result;
}

/// A state without shots is answered with its scene alone.
json shots_json(FlownShots& flown, const PlayedState& state) {
  if (state.shots.empty()) return {{"scene", scene_json(*flown.scene(state))}};
  const WebShot shot = flown.last(state);
  return {{"trace", hashed_trace_json(shot.before, shot.trace)},
          {"tapped", was_tapped(shot.trace)},
          {"before", scene_json(shot.before)},
          {"scene", scene_json(shot.after)}};
}

/// Intervals of steps, [from, to], in which each object is visibly apart: {"3": [[120, 180]]}.
json apart_json(const TwinFlight& flight) {
  json apart = json::object();
  for (int step = 0; step <= flight.steps(); ++step)
    for (const std::size_t object : flight.apart_at(step)) {
      json& intervals = apart[std::to_string(object)];
      if (!intervals.empty() && intervals.back()[1] == step - 1)
        intervals.back()[1] = step;
      else
        intervals.push_back({step, step});
    }
  return apart;
}

json twins_json(FlownShots& flown, WebLevels& levels, const PlayRequest& request) {
  const std::shared_ptr<const OpenLevel> level = levels.open(request.state.level);
  const Novelty novelty = WebLevels::novelty(*level, request.novelty);
  PlayedState before = request.state;
  if (before.shots.empty()) throw Error("shots: found none, allowed is one or more");
  before.shots.pop_back();
  const Scene standing = without_novelty(*flown.scene(before), level->start);
  if (standing.birds_left() == 0) throw Error("shots: no bird is left");
  const TwinFlight flight = fly_twins(standing, novelty, request.state.shots.back());
  json result = {{"before", scene_json(standing)},
                 {"normal", hashed_trace_json(flight.normal, flight.normal_trace)},
                 {"novel", hashed_trace_json(flight.novel, flight.novel_trace)},
                 {"apart", apart_json(flight)}};
  if (flight.first_apart() >= 0) result["first_apart"] = flight.first_apart();
  return result;
}

std::string insight_text(FlownShots& flown, WebLevels& levels, const PlayRequest& request) {
  const std::shared_ptr<const OpenLevel> level = levels.open(request.state.level);
  const Scene standing = without_novelty(*flown.scene(request.state), level->start);
  const auto novelty = request.novelty.empty() ? std::nullopt
                                               : std::optional(WebLevels::novelty(*level, request.novelty));
  return insight_json(make_insight(standing, novelty ? &*novelty : nullptr), level->level.difficulty).dump();
}

/// A text of its own for each request about a scene.
std::string insight_name(const PlayRequest& request) {
  std::string name = json{request.state.level, request.state.novelty, request.novelty}.dump();
  for (const Shot& shot : request.state.shots) name += json{shot.angle, shot.stretch, shot.tap_time}.dump();
  return name;
}

}  // namespace

void add_play_routes(Router& router, WebLevels& levels) {
  const auto flown = std::make_shared<FlownShots>(levels);
  const auto insights = std::make_shared<Recent<std::string>>(most_insights);
  router.add("POST", "/api/levels/*/shots", [flown](const Call& call) {
    return HttpResponse{.body = shots_json(*flown, read_request(call, false).state).dump()};
  });
  router.add("POST", "/api/levels/*/twins", [flown, &levels](const Call& call) {
    return HttpResponse{.body = twins_json(*flown, levels, read_request(call, true)).dump()};
  });
  router.add("POST", "/api/levels/*/insight", [flown, insights, &levels](const Call& call) {
    const PlayRequest request = read_request(call, true);
    return HttpResponse{
        .body = *insights->get(insight_name(request), [&] { return insight_text(*flown, levels, request); })};
  });
}

}  // namespace startle
