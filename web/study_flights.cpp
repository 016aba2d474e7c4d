#include "web/study_flights.hpp"

#include "core/text.hpp"

namespace startle {
namespace {

/// A text of its own for each level and world. A practice level may be called as an item's.
std::string name_of(const StudySession& session) {
  const bool practice = session.state().stage == StudyStage::practice;
  return std::string(practice ? "practice" : session.novel() ? "novel" : "normal") + quoted(session.level());
}

std::string name_of(const StudySession& session, const std::vector<Shot>& shots) {
  std::string name = name_of(session);
  for (const Shot& shot : shots)
    name += ";" + shortest(shot.angle) + "," + shortest(shot.stretch) + "," + shortest(shot.tap_time);
  return name;
}

std::vector<Shot> without_last(std::vector<Shot> shots) {
  shots.pop_back();
  return shots;
}

/// Without what is seen: a scene and a hash, and whether the bird's power was used.
ShotResult without_sight(ShotResult flown) {
  flown.trace.frames.clear();
  std::erase_if(flown.trace.events, [](const Event& event) { return event.kind != EventKind::tap; });
  return flown;
}

}  // namespace

ShotsInPlay shots_in_play(const std::vector<StudyEvent>& events) {
  ShotsInPlay shots;
  for (const StudyEvent& event : events) {
    switch (event.kind) {
      case StudyEventKind::practice_begun:
      case StudyEventKind::item_begun:
        shots = {};
        break;
      case StudyEventKind::shot:
        shots.flying = event.shot;
        break;
      case StudyEventKind::shot_ended:
        shots.flying.reset();
        shots.ended.push_back(*event.shot);
        break;
      default:
        break;
    }
  }
  return shots;
}

std::shared_ptr<const Scene> StudyFlights::scene(const StudySession& session,
                                                 const std::vector<Shot>& shots) {
  if (!shots.empty()) {
    const std::shared_ptr<const ShotResult> flown = result(session, shots);
    return {flown, &flown->scene};
  }
  return starts_.get(name_of(session), [&] {
    const StoredLevel level = session.stored_level(record_);
    return study_scene(level, profile_, session.novel() ? level.difficulty->novelty : "");
  });
}

WebShot StudyFlights::last(const StudySession& session, const std::vector<Shot>& shots) {
  const std::shared_ptr<const Scene> before = scene(session, without_last(shots));
  ShotResult flown = run_shot(*before, shots.back(), {.record_every = 1, .record_events = true});
  // What is asked for when it has been seen.
  results_.get(name_of(session, shots), [&] { return without_sight(flown); });
  return {.before = *before, .after = std::move(flown.scene), .trace = std::move(flown.trace)};
}

std::shared_ptr<const ShotResult> StudyFlights::result(const StudySession& session,
                                                       const std::vector<Shot>& shots) {
  return results_.get(name_of(session, shots), [&] {
    return without_sight(
        run_shot(*scene(session, without_last(shots)), shots.back(), {.record_events = true}));
  });
}

}  // namespace startle
