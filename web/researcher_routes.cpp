#include "web/researcher_routes.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/json_tree.hpp"
#include "people/study_scores.hpp"
#include "web/researcher_door.hpp"

namespace startle {
namespace {

using nlohmann::json;

const std::string researcher_request = "request";  // in messages

/// Where a participant stands, in one word.
std::string standing(const PlayedSession& session) {
  if (session.withdrawn) return "withdrawn";
  if (session.openings == 0) return "invited";
  if (session.stage == StudyStage::item || session.stage == StudyStage::question ||
      session.stage == StudyStage::between)
    return "items";
  return name(session.stage);
}

json rate_json(const Rate& rate) {
  json result = {{"hits", rate.hits}, {"count", rate.count}};
  if (!rate.value()) return result;
  result["value"] = *rate.value();
  result["low"] = rate.interval().low;
  result["high"] = rate.interval().high;
  return result;
}

/// Of all items and of each tier.
json scores_json(const std::vector<PlayedItem>& items) {
  json rows = json::array();
  for (const PeopleScore& score : people_scores(items)) {
    if (!score.novelty.empty()) continue;
    rows.push_back({{"tier", score.tier.empty() ? "all" : score.tier},
                    {"detected", rate_json(score.detected)},
                    {"false_alarm", rate_json(score.false_alarm)}});
  }
  return rows;
}

json figures_json(StudyStore& store) {
  json standings = json::object(), codes = json::object();
  for (const char* each : {"invited", "consent", "questions", "practice", "briefing", "items", "finished",
                           "declined", "withdrawn"})
    standings[each] = 0;
  json figures = {{"detection", json::array()}, {"attentive", json::array()}, {"failed_checks", 0}};
  if (!store.participants().empty()) {
    const PeopleStudy study = read_people_study({store.file()});
    int failed = 0;
    for (const PlayedSession& session : study.sessions) {
      const std::string where = standing(session);
      standings[where] = standings[where].get<int>() + 1;
      if (!session.withdrawn) codes[where].push_back(session.participant);
      failed += session.failed > 0;
    }
    figures["failed_checks"] = failed;
    figures["detection"] = scores_json(study.items);
    figures["attentive"] = scores_json(attentive_items(study));
  }
  // Not in the order in which people came.
  for (auto& [where, of_them] : codes.items()) std::sort(of_them.begin(), of_them.end());
  figures["participants"] = std::move(standings);
  figures["codes"] = std::move(codes);
  return figures;
}

HttpResponse enter(ResearcherDoor& door, const Call& call) {
  const JsonNode tree = parse_json(call.request.body, researcher_request);
  const JsonView body(tree, researcher_request);
  body.expect_keys({"password"});
  try {
    const std::string key = door.key(body.at("password").string());
    if (key.empty()) return error_response(403, "the password is wrong");
    return {.body = json{{"key", key}}.dump()};
  } catch (const DoorBusy& busy) {
    HttpResponse response = error_response(429, busy.what());
    response.headers["Retry-After"] = "60";
    return response;
  }
}

}  // namespace

void add_researcher_routes(Router& router, StudyStore& store, const std::string& password_hash) {
  const auto door = std::make_shared<ResearcherDoor>(password_hash);
  router.add("POST", "/api/researcher/enter", [door](const Call& call) { return enter(*door, call); });
  router.add("POST", "/api/researcher/figures", [door, &store](const Call& call) {
    const JsonNode tree = parse_json(call.request.body, researcher_request);
    const JsonView body(tree, researcher_request);
    body.expect_keys({"key"});
    if (!door->fits(body.at("key").string())) return error_response(403, "the key is none of this server");
    return HttpResponse{.body = figures_json(store).dump()};
  });
}

}  // namespace startle
