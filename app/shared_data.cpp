#include "app/shared_data.hpp"

#include "core/child_process.hpp"

namespace startle {

std::filesystem::path shared_data_folder() {
  std::error_code error;
  const std::filesystem::path installed = own_folder().parent_path() / "share/startle";
  if (own_folder().filename() == "bin" && std::filesystem::is_directory(installed, error)) return installed;
  return STARTLE_SOURCE_FOLDER;
}

}  // namespace startle
