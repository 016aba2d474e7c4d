#pragma once
/// \file  Whole files in and out.
#include <filesystem>
#include <string>
#include <string_view>

namespace startle {

/// The bytes of a file. Throws Error when it cannot be read, is a folder, or is larger than 64 MiB.
std::string read_file(const std::filesystem::path& path);

/// Writes under a temporary name in the same folder, then renames: at every moment the file is either the old one
/// or the new one in full. Throws Error when the folder does not exist or cannot be written, or the disk is full;
/// the old file then stands as it was and nothing else is left behind. A symbolic link stays, and what it leads to is
/// written; a device or pipe is written to directly.
void write_file(const std::filesystem::path& path, std::string_view bytes);

}  // namespace startle
