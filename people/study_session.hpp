#pragma once
/// \file  One participant's session: takes what the participant does, stores it, and says what comes next. No
/// window in it.
///
/// \code
///   #include "sim/world.hpp"
///   // given: StudyStore& store, StudyParticipant participant, const Shot& shot, const World& world
///   StudySession session(store, participant);   // opens, or goes on with, the participant
///   session.agree();
///   session.begin_practice(0);                  // show the level; then, for each bird:
///   session.shot_released(shot);                // and when it has ended:
///   session.shot_ended(shot, world.scene(), world.trace());
/// \endcode
///
/// Every call stores its event before anything else changes. Where storing fails, Error comes out, nothing
/// has changed, and the same call may be made again. A call that does not fit the state throws
/// std::logic_error: screens ask state() what may be done.
///
/// A participant may open the study again and again. The session opened last goes on: every call of an
/// earlier one throws StudyConflict from then on. One thread, or several by turns, may serve the sessions of
/// many participants from one store; two calls of one session may not overlap.
#include <functional>
#include <string>
#include <vector>

#include "people/study_state.hpp"
#include "people/study_store.hpp"
#include "sim/scene.hpp"
#include "sim/trace.hpp"

namespace startle {

/// What an attention check asks for: a report of this confidence.
inline constexpr double attention_confidence = 0.5;

/// Longest description of what was noticed, bytes of UTF-8.
inline constexpr std::size_t longest_description = 2000;

class StudySession {
 public:
  /// `clock`: seconds since any moment; without it, the machine's steady clock. Both must outlive the
  /// session. Who has no place yet is given one. An item that was in play when the program ended is
  /// interrupted here.
  StudySession(StudyStore& store, StudyParticipant participant, std::function<double()> clock = {});
  /// Goes on with opening number `opening`, in the middle of a level too: for a server that ended while a
  /// browser kept the study open. Stores nothing; seconds count on from the last event. Throws StudyConflict
  /// unless the participant's last opening is that one.
  static StudySession continued(StudyStore& store, StudyParticipant participant, int opening,
                                std::function<double()> clock = {});

  const StudyState& state() const { return state_; }
  const StudyParticipant& participant() const { return participant_; }
  /// Name of the level in play, or begun next: for finding the level, never for the screen. State must be
  /// playing().
  const std::string& level() const;
  /// Whether the level in play is to be simulated under its novelty.
  bool novel() const;
  /// Whether the level in play is an attention check: the text "attention.text" is to be seen beside it.
  bool attention() const;
  /// The level in play itself, of the study's record.
  StoredLevel stored_level(const StudyRecord& record) const;
  /// Number of the next event, from 0. What comes over a network says the number that it takes itself to
  /// have; expect() refuses what comes twice or out of order.
  std::size_t sequence() const { return events_; }
  /// Throws StudyConflict unless `sequence` is sequence().
  void expect(std::size_t sequence) const;

  void agree() { add({.kind = StudyEventKind::agreed}); }
  void decline() { add({.kind = StudyEventKind::declined}); }
  /// The answers to all questions of the study, `questions`, once. Throws Error as StudyQuestions::check()
  /// does.
  void answer(const StudyQuestions& questions, const StudyAnswers& answers);
  /// Practice level `position`, from its beginning, whatever is in play.
  void begin_practice(int position) { add({.kind = StudyEventKind::practice_begun, .position = position}); }
  /// Once every practice level was played to its end.
  void leave_practice() { add({.kind = StudyEventKind::practice_left}); }
  /// The next item, after the briefing or between two.
  void begin_item() { add({.kind = StudyEventKind::item_begun, .position = state_.items_done}); }

  /// As soon as the bird is let go.
  void shot_released(const Shot& shot);
  /// When the shot has ended: the shot with its tap, the scene it left, and its trace.
  void shot_ended(const Shot& shot, const Scene& after, const Trace& trace);

  /// The participant noticed something. `confidence` in [0.5, 1]. Throws Error for a description that is
  /// longer than longest_description or no UTF-8.
  void report(double confidence, const std::string& description);
  /// The level is over, and the participant noticed nothing.
  void report_nothing() { add({.kind = StudyEventKind::unnoticed, .position = state_.position}); }
  /// Done with an item in which something was reported; birds may be left.
  void leave_item() { add({.kind = StudyEventKind::item_left, .position = state_.position}); }

  void pause() { add({.kind = StudyEventKind::paused}); }
  void go_on() { add({.kind = StudyEventKind::continued}); }
  /// The participant closes the window.
  void close() { add({.kind = StudyEventKind::closed}); }

 private:
  /// Before anything is read.
  StudySession(std::function<double()> clock, StudyStore& store, StudyParticipant participant);
  void add(StudyEvent event);
  std::vector<StudyEvent> read();
  void open();
  const StudyParticipant::Item* item() const;  ///< in play; null in practice and between levels

  StudyStore& store_;
  StudyParticipant participant_;
  std::function<double()> clock_;
  double start_ = 0;
  StudyState state_;
  std::size_t events_ = 0;
};

/// The state that the events lead to. Throws Error, naming the participant, for events that cannot follow
/// each other.
StudyState replayed(const StudyParticipant& participant, const std::vector<StudyEvent>& events);

}  // namespace startle
