#include "web/study_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "play/aim.hpp"
#include "web/seen_json.hpp"
#include "web/shot_json.hpp"

namespace startle {

using nlohmann::json;

json study_state_json(const StudyParticipant& participant, const StudyState& state, std::size_t sequence) {
  return {{"opening", state.session},   {"sequence", sequence},           {"code", participant.code},
          {"stage", name(state.stage)}, {"paused", state.paused},         {"practised", state.practised},
          {"items", state.items},       {"items_done", state.items_done}, {"position", state.position},
          {"shots", state.shots},       {"flying", state.flying},         {"over", state.over},
          {"reports", state.reports},   {"playing", state.playing()},     {"may_report", state.may_report()}};
}

json study_state_json(const StudySession& session) {
  json answer = study_state_json(session.participant(), session.state(), session.sequence());
  if (session.attention()) answer["attention"] = true;
  return answer;
}

json study_texts_json(const StudyRecord& record) {
  const StudyTexts texts = record.texts();
  return {{"language", texts.language()}, {"texts", texts.all()}};
}

json study_questions_json(const StudyQuestions& questions) {
  json all = json::array();
  for (const StudyQuestion& question : questions.all()) {
    json& one = all.emplace_back(json{{"name", question.name},
                                      {"text", question.text},
                                      {"kind", name(question.kind)},
                                      {"required", question.required}});
    switch (question.kind) {
      case StudyQuestion::Kind::choice:
        one["options"] = question.options;
        break;
      case StudyQuestion::Kind::number:
        one["min"] = question.min;
        one["max"] = question.max;
        break;
      case StudyQuestion::Kind::text:
        one["max_length"] = question.max_length;
        break;
    }
  }
  return all;
}

void add_level(json& answer, const Scene& scene) {
  answer["scene"] = scene_json(scene);
  answer["art"] = artwork_json(scene);
}

void add_flight(json& answer, const WebShot& shot) {
  answer["before"] = scene_json(shot.before);
  answer["trace"] = trace_json(shot.before, shot.trace);
  answer["tapped"] = was_tapped(shot.trace);
  json path = json::array();
  for (const Vec2 point : flown_points(shot.before, shot.trace))
    path.push_back({std::round(point.x * steps_a_unit) / steps_a_unit,
                    std::round(point.y * steps_a_unit) / steps_a_unit});
  answer["path"] = std::move(path);
}

}  // namespace startle
