#pragma once
/// \file  The window of a study with people: one participant, from consent to thanks. SFML and ImGui are
/// inside, not visible here.
#include <filesystem>
#include <functional>
#include <string>

#include "people/study_store.hpp"

namespace startle {

struct StudyWindowOptions {
  std::filesystem::path file;      ///< of the study
  std::string program;             ///< "startle 0.2.0": that of the study
  std::string resume;              ///< code of the participant to go on with; empty: a new one
  int width = 1280, height = 720;  ///< of the window, pixels
  /// Called with the participant before the first frame, for instance to show the plan to the researcher.
  std::function<void(const StudyParticipant&)> begun;
};

struct StudyWindowEnd {
  StudyParticipant participant;
  bool unfinished = false;  ///< the window was closed before the end
};

/// Opens the window and returns when it is closed. Throws Error, before anything is stored, when there is no
/// display, when the file cannot be used (see StudyStore, study_profile()), when the window has no letters
/// for its texts, and for a code that nobody has, or whose session is at its end.
StudyWindowEnd run_study_window(const StudyWindowOptions& options);

}  // namespace startle
