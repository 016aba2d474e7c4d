#pragma once
/// \file  Writes the HDF5 file of a clip set (layout: surprise/dataset.hpp). Used inside surprise/ only.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "surprise/dataset.hpp"

namespace startle {

/// A clip as the file stores it: each array a zlib stream.
struct StoredClip {
  ClipOrigin origin;
  std::string frames;
  std::string masks;  ///< empty where the set has none
};

/// A zlib stream of the bytes at level 1: these pictures are flat, and higher levels gain little
/// (docs/surprise-data.md).
std::string deflated(const std::vector<std::uint8_t>& bytes);

/// Writes a set from the first clip to the last. Clips come deflated, so that this can be done by many
/// threads before.
class ClipFileWriter {
 public:
  /// Replaces the file. Throws Error, as all members do, when it cannot be written.
  ClipFileWriter(const std::filesystem::path& path, const DatasetInfo& info);
  ~ClipFileWriter();
  ClipFileWriter(const ClipFileWriter&) = delete;
  ClipFileWriter& operator=(const ClipFileWriter&) = delete;

  /// The next clip; info.count of them must be added.
  void add(const StoredClip& clip);
  /// Writes what stands over all clips, and closes the file: it is whole only now.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
