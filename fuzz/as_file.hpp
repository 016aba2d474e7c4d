#pragma once
/// \file  Bytes as a file, for readers that want a path.
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

/// The same file each time, of this process alone.
inline std::filesystem::path as_file(const std::uint8_t* data, std::size_t size) {
  static const std::filesystem::path path = std::filesystem::temp_directory_path() /
                                            ("startle-fuzz-" + std::to_string(getpid()));
  static const int remove_at_end = std::atexit([] { std::filesystem::remove(path); });
  if (remove_at_end != 0 ||
      !std::ofstream(path, std::ios::binary)
           .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size)))
    std::abort();
  return path;
}
