#pragma once
/// \file  Where the files are that come with Startle.
#include <filesystem>

namespace startle {

/// The folder that holds levels/data, levels/benchmark and surprise/models: PREFIX/share/startle for a
/// program that is installed as PREFIX/bin/startle, else the source tree that the program was built from.
std::filesystem::path shared_data_folder();

}  // namespace startle
