#pragma once
/// \file  The window of Startle: levels to browse and to play. SFML and ImGui are inside, not visible here.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "levels/name_map.hpp"
#include "sim/shot.hpp"

namespace startle {

struct ViewerOptions {
  /// Level files and folders of them; or one trace of `startle simulate`, or one results file of agents.
  std::vector<std::filesystem::path> paths;
  std::optional<std::filesystem::path> edit;  ///< in place of `paths`: a level that is edited; one that does
                                              ///< not exist yet is made
  std::vector<std::filesystem::path> played_levels;  ///< files and folders in which the levels of a results
                                                     ///< file are looked for
  std::vector<MappedName> map;  ///< what names in level files that Startle does not know are taken for
  std::string novelty;          ///< in every level, "own": each its own; empty: the normal world
  std::vector<Shot> shots;      ///< flown and shown at once, in the one level given
  std::string profile = "startle";
  int width = 1280, height = 720;               ///< of the window, pixels
  std::optional<std::filesystem::path> record;  ///< each level played to its end adds a line of JSON:
                                                ///< docs/viewer.md
  std::string version;                          ///< of the program, for what is written
};

/// Opens the window and returns when it is closed. One level file is played at once; from several files, or a
/// folder, the player chooses. Throws Error when there is no display, a path does not exist, it holds no
/// level, or is of a kind or version that cannot be shown.
void run_viewer(const ViewerOptions& options);

}  // namespace startle
