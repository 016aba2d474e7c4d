#pragma once
/// \file  The window of Startle: levels to browse and to play. SFML and ImGui are inside, not visible here.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace startle {

struct ViewerOptions {
  std::vector<std::filesystem::path> paths;  ///< level files and folders of them
  std::string novelty;                       ///< in every level; empty: the normal world
  std::string profile = "startle";
  int width = 1280, height = 720;            ///< of the window, pixels
  std::optional<std::filesystem::path> record;  ///< writes what was played, level by level, as JSON
};

/// Opens the window and returns when it is closed. One level file is played at once; of several, or a folder, the player chooses.
/// Throws Error when there is no display, or no level among `paths` can be read.
void run_viewer(const ViewerOptions& options);

}  // namespace startle
