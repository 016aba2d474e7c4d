#pragma once
/// \file  The window of Startle: levels to browse and to play. SFML and ImGui are inside, not visible here.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/shot.hpp"

namespace startle {

struct ViewerOptions {
  std::vector<std::filesystem::path> paths;  ///< level files and folders of them
  std::string novelty;                       ///< in every level; empty: the normal world
  std::vector<Shot> shots;                   ///< flown and shown at once, in the one level given
  std::string profile = "startle";
  int width = 1280, height = 720;            ///< of the window, pixels
  std::optional<std::filesystem::path> record;  ///< each level played to its end adds a line of JSON: docs/viewer.md
  std::string version;                       ///< of the program, for what is written
};

/// Opens the window and returns when it is closed. One level file is played at once; from several files, or a folder, the player chooses.
/// Throws Error when there is no display, a path does not exist, or it holds no level.
void run_viewer(const ViewerOptions& options);

}  // namespace startle
