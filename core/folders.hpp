#pragma once
/// \file  What lies in a folder that a user gave.
#include <filesystem>
#include <system_error>
#include <vector>

namespace startle {

/// True for a name that a system or a program left there, and nobody means: hidden ones (.git, ._a.json of
/// macOS), __MACOSX of its archives, *.gstmp of downloads under way, and backups of editors, which end with
/// '~' or stand between two '#'.
bool is_left_by_programs(const std::filesystem::path& path);

/// The entries of a folder, sorted, without those that programs left; with `below` also those of the folders
/// in it, but for folders that programs left. The folder itself may have any name. Sets `error`, and gives
/// what was found until then, where a folder cannot be read.
std::vector<std::filesystem::path> list_folder(const std::filesystem::path& folder, std::error_code& error,
                                               bool below = false);

}  // namespace startle
