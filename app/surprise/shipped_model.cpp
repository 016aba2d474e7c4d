#include "app/surprise/shipped_model.hpp"

#include "sim/error.hpp"

namespace startle {

std::filesystem::path model_path(const std::optional<std::string>& given) {
  namespace fs = std::filesystem;
  if (given) return *given;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path installed = program.parent_path().parent_path() / "share/startle/models/default.safetensors";
  const fs::path source = fs::path(STARTLE_SOURCE_FOLDER) / "surprise/models/default.safetensors";
  for (const fs::path& path : {installed, source})
    if (fs::exists(path, error)) return path;
  throw Error("--model: not given, and no shipped model in " + installed.string() + " or " + source.string() +
              "; startle surprise dataset and startle surprise train make one");
}

}  // namespace startle
