#pragma once
/// \file  The window of a study with people: one participant, from consent to thanks. SFML and ImGui are
/// inside, not visible here.
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "people/study_store.hpp"

namespace startle {

struct StudyWindowOptions {
  std::filesystem::path file;  ///< of the study
  StudyRecord record;
  StudySettings settings;
  std::vector<StoredLevel> levels;    ///< those of the record
  std::vector<StoredLevel> practice;  ///< where they are given; else they are drawn from `levels`
  std::shared_ptr<const Profile> profile;
  std::string resume;              ///< code of the participant to go on with; empty: a new one
  int width = 1280, height = 720;  ///< of the window, pixels
  /// Called with the participant before the first frame, for instance to show the plan to the researcher.
  std::function<void(const StudyParticipant&)> begun;
};

struct StudyWindowEnd {
  StudyParticipant participant;
  bool unfinished = false;  ///< the window was closed before the end
};

/// Opens the window and returns when it is closed. Throws Error when there is no display (before anything is
/// stored), when the file cannot be used (see StudyStore), and for a code that nobody has, or whose session
/// is at its end.
StudyWindowEnd run_study_window(const StudyWindowOptions& options);

}  // namespace startle
