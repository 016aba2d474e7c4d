#pragma once
/// \file  Where a participant stands, as a function of the plan and of the events so far. Nothing else is
/// remembered, so a session that was killed goes on from what is stored.
#include <vector>

#include "people/study_event.hpp"

namespace startle {

enum class StudyStage {
  consent,    ///< the consent text is shown
  questions,  ///< about the participant; of studies that ask any
  practice,   ///< practice levels, in any order, as often as wished
  briefing,   ///< how the items go; the first follows
  item,       ///< an item is played
  question,   ///< the item's level is over and nothing was reported: noticed something, or nothing?
  between,    ///< an item is done, the next follows when the participant wishes
  finished,
  declined
};
const char* name(StudyStage stage);

struct StudyState {
  StudyStage stage = StudyStage::consent;
  bool paused = false;
  bool asks_questions = false;         ///< the study does, between consent and practice
  int session = 0;                     ///< openings so far
  int practice_levels = 0, items = 0;  ///< of the plan
  std::vector<bool> practised;         ///< practice levels played to their end at least once
  int position = -1;    ///< practice: level in play, -1 for none; item, question: the item; between: the item
                        ///< that is done; else -1
  int items_done = 0;   ///< those that ended, also interrupted ones
  int shots = 0;        ///< ended, of the level in play
  bool flying = false;  ///< a shot was released and has not ended
  bool over = false;    ///< no pig or no bird is left in the level in play
  int reports = 0;      ///< in this item
  int reported_after = 0;  ///< number of the shot after which the last report came

  /// A level is to be seen and played.
  bool playing() const {
    return (stage == StudyStage::practice || stage == StudyStage::item || stage == StudyStage::question) &&
           position >= 0;
  }
  bool may_shoot() const {
    return (stage == StudyStage::practice || stage == StudyStage::item) && position >= 0 && !paused &&
           !flying && !over;
  }
  /// After any shot of an item, once a shot.
  bool may_report() const {
    return (stage == StudyStage::item || stage == StudyStage::question) && !paused && !flying &&
           shots > reported_after;
  }
  /// Every practice level was played to its end.
  bool practice_done() const;
  /// The participant has not come to the end.
  bool unfinished() const { return stage != StudyStage::finished && stage != StudyStage::declined; }
};

/// Before the first event. `asks_questions`: the study has questions about its participants.
StudyState initial_state(int practice_levels, int items, bool asks_questions);

/// Whether the event may come next.
bool allowed(const StudyState& state, const StudyEvent& event);

/// The state after the event. Throws Error for one that is not allowed: the file was changed by hand.
StudyState advanced(StudyState state, const StudyEvent& event);

}  // namespace startle
