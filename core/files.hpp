#pragma once
/// \file  Whole files in and out, and names of files. Everything that Startle writes goes through here, but
/// for SQLite files, which core/database.hpp makes.
#include <filesystem>
#include <string>
#include <string_view>

namespace startle {

/// The bytes of a file. Throws Error when it cannot be read, is a folder, or is larger than 64 MiB.
std::string read_file(const std::filesystem::path& path);

struct WriteOptions {
  bool lasting = true;  ///< on the disk before it gets its name, so that it survives a power cut; not so for
                        ///< the thousands of pictures of a data set, each of which would wait for the disk
  bool is_private = false;   ///< its owner alone may read it (mode 0600), from the first byte on
  bool new_version = false;  ///< may replace an input, of which it is the new version
};

/// Writes a file: at every moment the old one stands there or the new one in full.
///
/// It is written beside its place and renamed, and keeps the old one's permissions. A named pipe or a device
/// is written to directly, and so are /dev/stdout, /dev/stderr and /dev/fd/N. Throws Error where the path is
/// a symbolic link, which is never followed, or one of the files that protect_input() was given, and where
/// the folder does not exist or cannot be written, or the disk is full; the old file then stands as it was,
/// and nothing else is left behind.
void write_file(const std::filesystem::path& path, std::string_view bytes, const WriteOptions& options = {});

/// Adds to the end of a file, which is made where it does not exist. Throws Error as write_file().
void append_to_file(const std::filesystem::path& path, std::string_view bytes);

/// A file that others write, and that gets its name when it is whole, as those of write_file() do.
class NewFile {
 public:
  /// Makes the temporary file. Throws Error as write_file(), and where the path is a pipe or a device.
  explicit NewFile(const std::filesystem::path& path, const WriteOptions& options = {});
  /// Without commit() nothing is left behind.
  ~NewFile();
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// Where to write: a file that exists and is empty.
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Gives the file its name. Throws Error where that fails.
  void commit();

 private:
  friend void write_file(const std::filesystem::path&, std::string_view, const WriteOptions&);
  std::filesystem::path path_, temporary_;
  WriteOptions options_;
  int handle_ = -1;
};

/// From now on nothing here writes to this file, by whatever name, unless it is its new version. `name` is
/// what messages call it: "LEVEL a.json". Nothing happens where it is no regular file.
void protect_input(const std::filesystem::path& path, const std::string& name);
/// Throws Error, which begins with `name`, where write_file() would refuse the path as a link or an input:
/// for commands to ask before their work. A link to a folder is none that is refused.
void require_output(const std::filesystem::path& path, const std::string& name);

/// Throws Error where write_file() could not make the file now: in no such folder, or in one that may not be
/// written. Nothing is left behind. For commands to ask before their work; links are require_output()'s.
void require_writable(const std::filesystem::path& path);

/// Whether the text can be the name of a file in a folder: it does not lead out of it, and has no zero byte.
bool is_file_name(std::string_view text);
/// A text of a stranger, the name of a level, as one that is_file_name(): '-' in place of '/', '\' and
/// control characters, and of a dot that it begins with; at most 200 bytes; "unnamed" for an empty one.
std::string file_name(std::string_view text);

}  // namespace startle
