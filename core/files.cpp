#include "core/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <system_error>

#include "core/error.hpp"

namespace startle {
namespace {

constexpr std::size_t largest_file = 64u << 20;  // bytes; the largest known level file has less than 1 MiB

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& action, int error) {
  throw Error(path.string() + ": cannot be " + action + ": " + std::strerror(error));
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error(path.string() + ": is a folder; a file is needed");
  const File file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (!file) fail(path, "read", errno);
  std::string bytes;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) {
    bytes.append(buffer, count);
    if (bytes.size() > largest_file)
      throw Error(path.string() + ": is larger than 64 MiB, the largest file that is read");
  }
  if (std::ferror(file.get())) fail(path, "read", errno);
  return bytes;
}

namespace {

/// Opens `path` in `mode` and writes all of the bytes; `lasting`: to the disk, whatever happens to the power.
/// 0, or the error's number.
int write_all(const std::filesystem::path& path, const char* mode, std::string_view bytes, bool lasting) {
  File file(std::fopen(path.c_str(), mode), std::fclose);
  if (!file) return errno;
  int error = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size() ? 0 : errno;
  if (error == 0 && std::fflush(file.get()) != 0)
    error = errno;  // a full disk may show only when the last buffer is written out
  if (error == 0 && lasting && fsync(fileno(file.get())) != 0) error = errno;
  if (std::fclose(file.release()) != 0 && error == 0) error = errno;
  return error;
}

/// The folder to the disk, too, so that after a power cut the new file stands under its name. A file system
/// that cannot do that does what it can.
void keep_name(const std::filesystem::path& path) {
  const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const int handle = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;
  fsync(handle);
  close(handle);
}

}  // namespace

void write_file(const std::filesystem::path& given, std::string_view bytes, bool lasting) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::file_status status = fs::status(given, none);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status)) {
    // A device or a pipe cannot be replaced by a file.
    if (const int error = write_all(given, "wb", bytes, false)) fail(given, "written", error);
    return;
  }
  // A link stays a link: the file it leads to is the one replaced.
  const fs::path path = fs::is_symlink(given, none) ? fs::weakly_canonical(given, none) : given;
  // Process and count make the name unique, so that writers do not meet in one temporary file.
  static std::atomic<unsigned> count{0};
  fs::path temporary = path;
  temporary += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(count++);

  int error = write_all(temporary, "wbx", bytes, lasting);
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    if (error != EEXIST)
      std::remove(temporary.c_str());  // a file of that name that is there already is not ours
    fail(path, "written", error);
  }
  if (lasting) keep_name(path);
}

}  // namespace startle
