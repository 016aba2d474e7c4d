#include "levels/level_file.hpp"

#include <string>
#include <system_error>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/folders.hpp"
#include "core/text.hpp"
#include "levels/level_json.hpp"
#include "levels/level_xml.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;

std::string lower_extension(const fs::path& path) {
  std::string extension = path.extension().string();
  for (char& c : extension)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return extension;
}

bool is_level_file(const fs::path& path) {
  return lower_extension(path) == ".json" || lower_extension(path) == ".xml";
}

constexpr const char* manifest_name = "manifest.json";

/// That of a level set (levels/level_set.hpp).
bool is_manifest(const fs::path& path) {
  return path.filename() == manifest_name &&
         read_file(path).find("\"startle-level-set\"") != std::string::npos;
}

StoredLevel read_as_it_is(const fs::path& path) {
  const std::string bytes = read_file(path);
  // A byte order mark and the zero bytes of UTF-16 say nothing about which of the two it is.
  const std::size_t first = bytes.find_first_not_of(std::string("\xEF\xBB\xBF\xFF\xFE\0 \t\r\n", 10));
  if (first == std::string::npos)
    throw Error(path.string() + ": is empty; allowed: a level as JSON or Science Birds XML");
  if (bytes[first] == '{') return level_from_json(bytes, path.string());
  if (bytes[first] == '<') return {level_from_xml(bytes, path.string()), {}};
  throw Error(path.string() + ": begins with " + shown(bytes.substr(first, 10)) +
              "; allowed: a level as JSON, which begins with '{', or as XML, with '<'");
}

}  // namespace

StoredLevel read_level(const fs::path& path, const std::vector<MappedName>& names) {
  StoredLevel level = read_as_it_is(path);
  static_cast<Level&>(level) = with_mapped_names(level, names);
  return level;
}

void write_level(const StoredLevel& level, const fs::path& path) {
  const std::string extension = lower_extension(path);
  if (extension == ".json")
    write_file(path, level_to_json(level), {.new_version = true});
  else if (extension == ".xml")
    write_file(path, level_to_xml(level), {.new_version = true});
  else
    throw Error(path.string() + ": extension " + shown(extension) +
                " is no level format; allowed: .json, .xml");
}

std::vector<fs::path> find_level_files(const std::vector<fs::path>& paths) {
  if (paths.empty())
    throw Error("no level files given; allowed: .json and .xml files, or folders that hold some");
  std::vector<fs::path> result;
  for (const fs::path& path : paths) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw Error(path.string() + ": does not exist or cannot be reached");
    if (!fs::is_directory(status)) {
      if (!is_manifest(path)) result.push_back(path);
      continue;
    }
    const std::size_t before = result.size();
    for (const fs::path& file : list_folder(path, error, true)) {
      std::error_code ignored;
      if (file.filename() != manifest_name && is_level_file(file) && fs::is_regular_file(file, ignored))
        result.push_back(file);
    }
    if (error) throw Error(path.string() + ": folder cannot be read: " + error.message());
    if (result.size() == before) throw Error(path.string() + ": folder holds no .json or .xml file");
  }
  return result;
}

}  // namespace startle
