#include "app/surprise/shipped_model.hpp"

#include <algorithm>

#include "app/shared_data.hpp"
#include "core/error.hpp"
#include "core/folders.hpp"

namespace startle {

std::filesystem::path model_path(const std::optional<std::string>& given) {
  if (given) return *given;
  const std::filesystem::path path = shared_data_folder() / "surprise/models/default.safetensors";
  std::error_code error;
  if (std::filesystem::exists(path, error)) return path;
  throw Error("--model: not given, and no shipped model in " + path.string() +
              "; startle surprise dataset and startle surprise train make one");
}

std::vector<std::string> shipped_probe_models(const std::string& suite) {
  const std::filesystem::path folder = shared_data_folder() / "surprise/models" / suite;
  std::vector<std::string> models;
  std::error_code error;
  for (const std::filesystem::path& file : list_folder(folder, error))
    if (file.extension() == ".safetensors") models.push_back(file.string());
  if (models.empty())
    throw Error("--model: not given, and no shipped models in " + folder.string() +
                "; startle surprise dataset and startle surprise train make some");
  const auto stem = [](const std::string& model) { return std::filesystem::path(model).stem(); };
  std::sort(models.begin(), models.end(),
            [&](const std::string& a, const std::string& b) { return stem(a) < stem(b); });
  return models;
}

std::optional<std::filesystem::path> shipped_probe_calibration(const std::string& suite) {
  const std::filesystem::path path = shared_data_folder() / "surprise/models" / (suite + ".calibration.json");
  std::error_code error;
  return std::filesystem::exists(path, error) ? std::optional(path) : std::nullopt;
}

}  // namespace startle
