#pragma once
/// \file  Whole files in and out.
#include <filesystem>
#include <string>
#include <string_view>

namespace startle {

/// The bytes of a file. Throws Error when it cannot be read, is a folder, or is larger than 64 MiB.
std::string read_file(const std::filesystem::path& path);

/// Writes under a temporary name in the same folder, then renames: at every moment the file is either the old
/// one or the new one in full. Throws Error when the folder does not exist or cannot be written, or the disk
/// is full; the old file then stands as it was and nothing else is left behind. A symbolic link stays, and
/// what it leads to is written; a device or pipe is written to directly. The file is on the disk before it
/// gets its name, so that it survives a power cut; not so where `lasting` is false, for the thousands of
/// pictures of a data set, each of which would wait for the disk and all of which one command makes again.
void write_file(const std::filesystem::path& path, std::string_view bytes, bool lasting = true);

}  // namespace startle
