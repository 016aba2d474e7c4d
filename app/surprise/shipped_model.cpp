#include "app/surprise/shipped_model.hpp"

#include "sim/error.hpp"

namespace startle {

std::filesystem::path model_path(const std::optional<std::string>& given) {
  if (given) return *given;
  const std::filesystem::path path = std::filesystem::path(STARTLE_SOURCE_FOLDER) / "surprise/models/default.safetensors";
  std::error_code error;
  if (std::filesystem::exists(path, error)) return path;
  throw Error("--model: not given, and no shipped model in " + path.string() + "; startle surprise dataset and startle surprise train make one");
}

}  // namespace startle
