#pragma once
/// \file  What happens in a session of a study, as it is stored: one event a row, in order.
#include <optional>
#include <string>

#include "people/study_questions.hpp"
#include "sim/shot.hpp"

namespace startle {

enum class StudyEventKind {
  opened,          ///< the window was opened for this participant, for the first time or again
  agreed,          ///< to the consent text
  declined,        ///< to take part; nothing follows
  answered,        ///< the questions about the participant
  practice_begun,  ///< practice level `position` starts, from its beginning
  practice_left,   ///< practice is over; the briefing follows
  item_begun,      ///< item `position` starts
  shot,            ///< released: number, angle, stretch
  shot_ended,      ///< everything is at rest: the whole shot, and what it left
  reported,        ///< the participant noticed something, after shot `number`
  unnoticed,       ///< the level is over and the participant noticed nothing; ends the item
  item_left,       ///< ends an item in which something was reported
  interrupted,     ///< the window was closed, or the program ended, in the middle of an item; ends it
  paused,
  continued,
  closed  ///< the participant closed the window
};
const char* name(StudyEventKind kind);
/// Throws Error for any other name.
StudyEventKind study_event_kind(const std::string& name);

struct ShotOutcome {
  double score = 0;  ///< of the level so far
  int pigs_left = 0, birds_left = 0;
  std::string trace;  ///< hash of the shot's trace, 16 hexadecimal digits: the same shot flown again must
                      ///< give it
  bool over() const { return pigs_left == 0 || birds_left == 0; }
  friend bool operator==(const ShotOutcome&, const ShotOutcome&) = default;
};

struct StudyEvent {
  int session = 1;     ///< number of the opening of the window, from 1
  double seconds = 0;  ///< since that opening; no date is kept
  StudyEventKind kind = StudyEventKind::opened;
  int position = -1;         ///< of the practice level or item, from 0; -1: concerns none
  int number = 0;            ///< of the shot in its level, from 1; reported: of the last shot before
  std::optional<Shot> shot;  ///< shot, shot_ended
  std::optional<ShotOutcome> outcome;  ///< shot_ended
  std::optional<double> confidence;    ///< reported: in [0.5, 1], 1 being certain
  std::string description;             ///< reported: in the participant's words; may be empty
  StudyAnswers answers = {};           ///< answered
  friend bool operator==(const StudyEvent&, const StudyEvent&) = default;
};

}  // namespace startle
