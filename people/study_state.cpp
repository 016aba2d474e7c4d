#include "people/study_state.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.hpp"

namespace startle {
namespace {

constexpr std::array<const char*, 16> event_names{
    "opened",      "agreed", "declined",   "answered", "practice_begun", "practice_left",
    "item_begun",  "shot",   "shot_ended", "reported", "unnoticed",      "item_left",
    "interrupted", "paused", "continued",  "closed"};

void enter_level(StudyState& state, int position) {
  state.position = position;
  state.shots = state.reports = state.reported_after = 0;
  state.flying = state.over = false;
}

void begin_practice_or_briefing(StudyState& state) {
  state.stage = state.practice_levels > 0 ? StudyStage::practice : StudyStage::briefing;
}

void end_item(StudyState& state) {
  ++state.items_done;
  state.flying = state.over = false;
  state.stage = state.items_done == state.items ? StudyStage::finished : StudyStage::between;
}

}  // namespace

const char* name(StudyEventKind kind) { return event_names[static_cast<std::size_t>(kind)]; }

StudyEventKind study_event_kind(const std::string& name) {
  const auto found = std::find(event_names.begin(), event_names.end(), name);
  if (found == event_names.end()) throw Error("found event '" + name + "', which this version does not know");
  return static_cast<StudyEventKind>(found - event_names.begin());
}

const char* name(StudyStage stage) {
  constexpr std::array<const char*, 9> names{"consent",  "questions", "practice", "briefing", "item",
                                             "question", "between",   "finished", "declined"};
  return names[static_cast<std::size_t>(stage)];
}

bool StudyState::practice_done() const {
  return std::all_of(practised.begin(), practised.end(), [](bool done) { return done; });
}

StudyState initial_state(int practice_levels, int items, bool asks_questions) {
  return {.asks_questions = asks_questions,
          .practice_levels = practice_levels,
          .items = items,
          .practised = std::vector<bool>(static_cast<std::size_t>(practice_levels))};
}

bool allowed(const StudyState& s, const StudyEvent& e) {
  using enum StudyStage;
  if (e.kind == StudyEventKind::opened) return e.session == s.session + 1;
  if (e.session != s.session || s.session == 0) return false;
  const bool in_level = s.playing() && e.position == s.position;
  const bool in_item = in_level && s.stage != practice;
  switch (e.kind) {
    case StudyEventKind::opened:
      return true;
    case StudyEventKind::agreed:
    case StudyEventKind::declined:
      return s.stage == consent;
    case StudyEventKind::answered:
      return s.stage == questions;
    case StudyEventKind::practice_begun:
      return s.stage == practice && !s.paused && !s.flying && e.position >= 0 &&
             e.position < s.practice_levels;
    case StudyEventKind::practice_left:
      return s.stage == practice && !s.paused && !s.flying && s.practice_done();
    case StudyEventKind::item_begun:
      return (s.stage == briefing || s.stage == between) && !s.paused && e.position == s.items_done;
    case StudyEventKind::shot:
      return in_level && s.may_shoot() && e.shot && e.number == s.shots + 1;
    case StudyEventKind::shot_ended:
      return in_level && s.flying && e.shot && e.outcome && e.number == s.shots + 1;
    case StudyEventKind::reported:
      return in_item && s.may_report() && e.confidence && *e.confidence >= 0.5 && *e.confidence <= 1 &&
             e.number == s.shots;
    case StudyEventKind::unnoticed:
      return in_item && !s.paused && s.stage == question;
    case StudyEventKind::item_left:
      return in_item && !s.paused && !s.flying && s.reports > 0;
    case StudyEventKind::interrupted:
      return in_item;
    case StudyEventKind::paused:
      return !s.paused && !s.flying &&
             (s.stage == practice || s.stage == briefing || s.stage == item || s.stage == between);
    case StudyEventKind::continued:
      return s.paused;
    case StudyEventKind::closed:
      return true;
  }
  return false;
}

StudyState advanced(StudyState s, const StudyEvent& e) {
  if (!allowed(s, e))
    throw Error(std::string("event ") + name(e.kind) + " at position " + std::to_string(e.position) +
                " cannot follow in stage " + name(s.stage));
  switch (e.kind) {
    case StudyEventKind::opened:
      s.session = e.session;
      s.paused = false;
      if (s.stage == StudyStage::practice) enter_level(s, -1);
      break;
    case StudyEventKind::agreed:
      if (s.asks_questions)
        s.stage = StudyStage::questions;
      else
        begin_practice_or_briefing(s);
      break;
    case StudyEventKind::declined:
      s.stage = StudyStage::declined;
      break;
    case StudyEventKind::answered:
      begin_practice_or_briefing(s);
      break;
    case StudyEventKind::practice_begun:
      enter_level(s, e.position);
      break;
    case StudyEventKind::practice_left:
      enter_level(s, -1);
      s.stage = StudyStage::briefing;
      break;
    case StudyEventKind::item_begun:
      enter_level(s, e.position);
      s.stage = StudyStage::item;
      break;
    case StudyEventKind::shot:
      s.flying = true;
      break;
    case StudyEventKind::shot_ended:
      s.flying = false;
      ++s.shots;
      s.over = e.outcome->over();
      if (s.over && s.stage == StudyStage::practice) s.practised[static_cast<std::size_t>(s.position)] = true;
      if (s.over && s.stage == StudyStage::item && s.reports == 0) s.stage = StudyStage::question;
      break;
    case StudyEventKind::reported:
      ++s.reports;
      s.reported_after = s.shots;
      s.stage = StudyStage::item;
      break;
    case StudyEventKind::unnoticed:
    case StudyEventKind::item_left:
    case StudyEventKind::interrupted:
      end_item(s);
      break;
    case StudyEventKind::paused:
      s.paused = true;
      break;
    case StudyEventKind::continued:
      s.paused = false;
      break;
    case StudyEventKind::closed:
      break;
  }
  return s;
}

}  // namespace startle
