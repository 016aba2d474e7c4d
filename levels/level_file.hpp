#pragma once
/// \file  Level files of either format.
#include <filesystem>
#include <vector>

#include "levels/name_map.hpp"
#include "levels/stored_level.hpp"

namespace startle {

/// Reads JSON or Science Birds XML; which of them shows in the text, not in the name. Names that Startle does
/// not know are taken for what `names` says (with_mapped_names()). A level that does not name itself gets the
/// file's name without extension. Throws Error for files that cannot be read (see level_from_json,
/// level_from_xml). Whoever reads a level for a person should report Level::unknown: those elements are not
/// simulated.
StoredLevel read_level(const std::filesystem::path& path, const std::vector<MappedName>& names = {});

/// Writes JSON or XML, as the extension says (.json or .xml in any case), all or nothing (see write_file).
/// Throws Error for other extensions, for what the format cannot hold, and when the file cannot be written.
void write_level(const StoredLevel& level, const std::filesystem::path& path);

/// The level files that `paths` stand for: files as given, except manifests of level sets, which stand beside
/// their levels (DIR/*.json); for a folder all .json and .xml files below it, sorted, except manifest.json
/// and files left by programs (is_left_by_programs()). Throws Error for a path that does not exist, for a
/// folder that holds no such file, and when `paths` is empty.
std::vector<std::filesystem::path> find_level_files(const std::vector<std::filesystem::path>& paths);

}  // namespace startle
