#pragma once
/// \file  The models that come with the project.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace startle {

/// `given`, or else the shipped model: surprise/models/default.safetensors in shared_data_folder(). Throws
/// Error when it is not there.
std::filesystem::path model_path(const std::optional<std::string>& given);

/// The shipped models of that suite of `startle probe`, surprise/models/SUITE/*.safetensors in
/// shared_data_folder(), in order of their names. Throws Error when there are none.
std::vector<std::string> shipped_probe_models(const std::string& suite);

/// The calibration that comes with these models, surprise/models/SUITE.calibration.json; none where it is not
/// there.
std::optional<std::filesystem::path> shipped_probe_calibration(const std::string& suite);

}  // namespace startle
