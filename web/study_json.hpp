#pragma once
/// \file  What the browser of a study's participant gets. No level's name, no novelty or tier, no world and
/// no plan: a normal and a novel item differ in what is seen to move, as in the window.
#include <nlohmann/json_fwd.hpp>

#include "people/study_session.hpp"
#include "web/flown_shots.hpp"

namespace startle {

/// Where the participant stands, and what may be done next.
nlohmann::json study_state_json(const StudyParticipant& participant, const StudyState& state,
                                std::size_t sequence);
nlohmann::json study_state_json(const StudySession& session);

/// The texts of the record and their language.
nlohmann::json study_texts_json(const StudyRecord& record);

/// The questions about the participant, in order: `name`, `text`, `kind`, `required`, and `options`, `min`
/// and `max`, or `max_length`.
nlohmann::json study_questions_json(const StudyQuestions& questions);

/// Adds the level in play as it stands: `scene`, and its artwork as `art`.
void add_level(nlohmann::json& answer, const Scene& scene);
/// Adds a shot: `before` and `trace`, whether the bird's power was used, `tapped`, and the bird's way until
/// it touched something, `path`.
void add_flight(nlohmann::json& answer, const WebShot& shot);

}  // namespace startle
