#include "people/study_session.hpp"

#include <chrono>
#include <cmath>
#include <stdexcept>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "levels/level_json.hpp"

namespace startle {
namespace {

double machine_clock() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

StudyState replayed(const StudyParticipant& participant, const std::vector<StudyEvent>& events) {
  StudyState state = initial_state(static_cast<int>(participant.practice.size()),
                                   static_cast<int>(participant.items.size()), participant.asks_questions);
  for (std::size_t i = 0; i < events.size(); ++i) {
    try {
      state = advanced(std::move(state), events[i]);
    } catch (const Error& error) {
      throw Error("participant " + participant.code + ", event " + std::to_string(i) + ": " + error.what());
    }
  }
  return state;
}

StudySession::StudySession(std::function<double()> clock, StudyStore& store, StudyParticipant participant)
    : store_(store),
      participant_(std::move(participant)),
      clock_(clock ? std::move(clock) : machine_clock),
      start_(clock_()) {}

StudySession::StudySession(StudyStore& store, StudyParticipant participant, std::function<double()> clock)
    : StudySession(std::move(clock), store, store.take_place(participant)) {
  for (int attempts_left = 10; state_.session == 0;) {
    try {
      open();
    } catch (const StudyConflict&) {  // another one of this participant stored an event at this moment
      if (--attempts_left == 0) throw;
      state_ = {};
    }
  }
}

StudySession StudySession::continued(StudyStore& store, StudyParticipant participant, int opening,
                                     std::function<double()> clock) {
  StudySession session(std::move(clock), store, std::move(participant));
  const std::vector<StudyEvent> before = session.read();
  if (before.empty() || session.state_.session != opening)
    throw StudyConflict("participant " + session.participant_.code + ": found opening " +
                        std::to_string(opening) + ", the last one is " +
                        std::to_string(session.state_.session));
  session.start_ -= before.back().seconds;
  return session;
}

std::vector<StudyEvent> StudySession::read() {
  std::vector<StudyEvent> before = store_.events(participant_);
  state_ = replayed(participant_, before);
  events_ = before.size();
  return before;
}

void StudySession::open() {
  read();
  add({.session = state_.session + 1, .kind = StudyEventKind::opened});
  if (state_.stage == StudyStage::item || state_.stage == StudyStage::question)
    add({.kind = StudyEventKind::interrupted, .position = state_.position});
}

const std::string& StudySession::level() const {
  if (!state_.playing()) throw std::logic_error("study session: no level is in play");
  return item() ? item()->level : participant_.practice.at(static_cast<std::size_t>(state_.position));
}

const StudyParticipant::Item* StudySession::item() const {
  return state_.playing() && state_.stage != StudyStage::practice
             ? &participant_.items.at(static_cast<std::size_t>(state_.position))
             : nullptr;
}

bool StudySession::novel() const { return item() && item()->novel; }
bool StudySession::attention() const { return item() && item()->attention; }

StoredLevel StudySession::stored_level(const StudyRecord& record) const {
  const std::string& name = level();
  if (!item() && !record.practice.empty())
    return level_from_json(record.practice.at(static_cast<std::size_t>(state_.position)).text, name);
  for (const StudyLevel& level : record.levels)
    if (level.name == name) return level_from_json(level.text, name);
  throw Error("study: level " + shown(name) + " of the plan is not in the record");
}

void StudySession::expect(std::size_t sequence) const {
  if (sequence != events_)
    throw StudyConflict("participant " + participant_.code + ": found event " + std::to_string(sequence) +
                        ", the next one is " + std::to_string(events_));
}

void StudySession::answer(const StudyQuestions& questions, const StudyAnswers& answers) {
  questions.check(answers);
  add({.kind = StudyEventKind::answered, .answers = answers});
}

void StudySession::shot_released(const Shot& shot) {
  add({.kind = StudyEventKind::shot, .position = state_.position, .number = state_.shots + 1, .shot = shot});
}

void StudySession::shot_ended(const Shot& shot, const Scene& after, const Trace& trace) {
  add({.kind = StudyEventKind::shot_ended,
       .position = state_.position,
       .number = state_.shots + 1,
       .shot = shot,
       .outcome = ShotOutcome{.score = after.score,
                              .pigs_left = after.pigs_left(),
                              .birds_left = static_cast<int>(after.birds_left()),
                              .trace = hexadecimal(trace.hash)}});
}

void StudySession::report(double confidence, const std::string& description) {
  if (description.size() > longest_description)
    throw Error("description: found " + std::to_string(description.size()) + " bytes, allowed are " +
                std::to_string(longest_description));
  if (first_invalid_utf8(description) != std::string_view::npos) throw Error("description: is not UTF-8");
  add({.kind = StudyEventKind::reported,
       .position = state_.position,
       .number = state_.shots,
       .confidence = confidence,
       .description = description});
}

void StudySession::add(StudyEvent event) {
  if (event.kind != StudyEventKind::opened) event.session = state_.session;
  event.seconds = std::round((clock_() - start_) * 1000) / 1000;
  if (!allowed(state_, event))
    throw std::logic_error(std::string("study session: ") + name(event.kind) + " in stage " +
                           name(state_.stage));
  store_.add(participant_, events_, event);
  state_ = advanced(std::move(state_), event);
  ++events_;
}

}  // namespace startle
