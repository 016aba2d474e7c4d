#pragma once
/// \file  Levels, a study and a participant who follows a script, for the tests of studies with people.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>

#include "agents/built_in.hpp"
#include "agents/game.hpp"
#include "levels/level_file.hpp"
#include "people/study_session.hpp"
#include "sim/profile.hpp"
#include "sim/world.hpp"
#include "tests/folder.hpp"

namespace startle {

/// A folder of its own that goes with the test.
struct TestFolder : testing::Folder {
  std::filesystem::path file(const std::string& name) const { return path / name; }
};

/// Made-up levels, `count` of each cell, without scenes: what plans and stores need.
inline std::vector<StudyLevel> numbered_levels(int count, const std::vector<std::string>& novelties = {
                                                              "T1", "T2", "T3"}) {
  std::vector<StudyLevel> levels;
  for (const std::string& novelty : novelties)
    for (const char* tier : {"easy", "medium", "hard"})
      for (int i = 0; i < count; ++i) {
        const double value = (tier[0] == 'e' ? 0.1 : tier[0] == 'm' ? 0.4 : 0.8) + 0.01 * i;
        levels.push_back({.name = novelty + "-" + tier + "-" + std::to_string(i),
                          .hash = levels.size(),
                          .novelty = novelty,
                          .tier = tier,
                          .pid = value,
                          .bid = value / 2,
                          .value = 0.75 * value,
                          .birds = 4});
      }
  return levels;
}

inline StudyRecord record_of(const std::vector<StudyLevel>& levels, const StudySettings& settings,
                             const std::string& consent = "I agree.") {
  return make_study_record({.program = "startle test",
                            .profile = profile(),
                            .consent = consent,
                            .settings = settings,
                            .levels = levels});
}

/// A choice, a number and a text that may be left out.
inline const StudyQuestions& sample_questions() {
  static const StudyQuestions questions = StudyQuestions::parse(R"({
    "format": "startle-study-questions", "version": 1, "questions": [
      {"name": "played", "text": "Did you play this before?", "kind": "choice", "options": ["never", "often"],
       "required": true},
      {"name": "age", "text": "How old are you?", "kind": "number", "min": 18, "max": 99, "required": true},
      {"name": "language", "text": "Which language do you speak?", "kind": "text", "max_length": 10,
       "required": false}]})",
                                                                "sample");
  return questions;
}
inline StudyAnswers sample_answers() {
  return {{"played", "often"},
          {"age", 31.5},
          {"language",
           "Fran\xc3\xa7"
           "ais"}};
}

/// A study that asks these.
inline StudyRecord asking_record(const std::vector<StudyLevel>& levels, const StudySettings& settings,
                                 const std::string& program = "startle test") {
  return make_study_record({.program = program,
                            .profile = profile(),
                            .consent = "I agree.",
                            .questions = sample_questions(),
                            .settings = settings,
                            .levels = levels});
}

/// Real levels: the first `count` of each tier of T1 and T3.
inline const std::vector<StoredLevel>& real_levels() {
  static const std::vector<StoredLevel> all = [] {
    std::vector<StoredLevel> levels;
    for (const char* folder : {"T1/easy", "T1/medium", "T1/hard", "T3/easy", "T3/medium", "T3/hard"}) {
      const auto files = find_level_files({std::filesystem::path(STARTLE_BENCHMARK) / folder});
      for (std::size_t i = 0; i < 3; ++i) levels.push_back(read_level(files.at(i)));
    }
    return levels;
  }();
  return all;
}

inline const StoredLevel& real_level(const std::string& name) {
  for (const StoredLevel& level : real_levels())
    if (level.name == name) return level;
  throw std::runtime_error("no level " + name);
}

/// Seconds that pass only when given.
struct TestClock {
  double now = 100;
  std::function<double()> function() {
    return [this] { return now += 0.5; };
  }
};

/// Plays the level in play with the oracle, which takes the shots that make the novelty visible and says so;
/// reports with confidence 0.9 when it does. In practice it shoots as the oracle does in a normal level.
inline void play_level(StudySession& session) {
  const StoredLevel& level = real_level(session.level());
  const std::string novelty = level.difficulty->novelty;
  const Scene normal = study_scene(level, profile());
  Game game(session.novel() ? study_scene(level, profile(), novelty) : normal);
  const auto oracle = make_oracle(profile());
  oracle->begin({});
  oracle->enter(game, normal, session.novel() ? &find_novelty(novelty) : nullptr);
  while (session.state().may_shoot()) {
    const Shot shot = oracle->act(game);
    session.shot_released({.angle = shot.angle, .stretch = shot.stretch});
    const Scene before = game.hidden();
    const SeenShot& seen = game.shoot(shot);
    session.shot_ended(shot, game.hidden(), run_shot(before, shot).trace);
    const Report report = oracle->report(seen, game);
    if (session.state().stage == StudyStage::practice || report.novelty < 0.5) continue;
    if (session.state().reports == 0) session.report(0.9, "It moves in another way.");
  }
}

/// From wherever the session stands to its end; `stop`: asked before each step, ends it early.
inline void take_part(
    StudySession& session, const std::function<bool()>& stop = [] { return false; }) {
  while (session.state().unfinished() && !stop()) {
    const StudyState& state = session.state();
    switch (state.stage) {
      case StudyStage::consent:
        session.agree();
        break;
      case StudyStage::questions:
        session.answer(sample_questions(), sample_answers());
        break;
      case StudyStage::practice:
        if (state.practice_done()) {
          session.leave_practice();
          break;
        }
        session.begin_practice(static_cast<int>(
            std::find(state.practised.begin(), state.practised.end(), false) - state.practised.begin()));
        play_level(session);
        break;
      case StudyStage::briefing:
      case StudyStage::between:
        session.begin_item();
        break;
      case StudyStage::item:
        if (state.reports > 0)
          session.leave_item();
        else
          play_level(session);
        break;
      case StudyStage::question:
        session.report_nothing();
        break;
      case StudyStage::finished:
      case StudyStage::declined:
        break;
    }
  }
}

}  // namespace startle
