#include "app/shared_data.hpp"

namespace startle {

std::filesystem::path shared_data_folder() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::filesystem::path installed = program.parent_path().parent_path() / "share/startle";
  if (program.parent_path().filename() == "bin" && std::filesystem::is_directory(installed, error))
    return installed;
  return STARTLE_SOURCE_FOLDER;
}

}  // namespace startle
