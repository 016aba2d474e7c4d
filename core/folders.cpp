#include "core/folders.hpp"

#include <algorithm>
#include <string>

namespace startle {

namespace fs = std::filesystem;

bool is_left_by_programs(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.starts_with('.') || name == "__MACOSX" || name.ends_with(".gstmp") || name.ends_with('~') ||
         (name.starts_with('#') && name.ends_with('#'));
}

std::vector<fs::path> list_folder(const fs::path& folder, std::error_code& error, bool below) {
  std::vector<fs::path> found;
  fs::recursive_directory_iterator entry(folder, error), end;
  for (; !error && entry != end; entry.increment(error)) {
    const bool skip = is_left_by_programs(entry->path());
    if (!below || skip) entry.disable_recursion_pending();
    if (!skip) found.push_back(entry->path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace startle
