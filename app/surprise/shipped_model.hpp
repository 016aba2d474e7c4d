#pragma once
/// \file  The model that comes with the project.
#include <filesystem>
#include <optional>
#include <string>

namespace startle {

/// `given`, or else the shipped model: surprise/models/default.safetensors of the source tree that the program was built from. Throws Error
/// when it is not there.
std::filesystem::path model_path(const std::optional<std::string>& given);

}  // namespace startle
