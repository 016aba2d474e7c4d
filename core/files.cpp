#include "core/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"

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

namespace fs = std::filesystem;

constexpr mode_t for_owner = 0600, for_everyone = 0666;

/// A file descriptor that is closed in the end.
struct Descriptor {
  int number = -1;
  explicit Descriptor(int opened) : number(opened) {}
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
};

/// What stands at a path, links not followed; nothing where there is none.
std::optional<struct stat> at_path(const fs::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return std::nullopt;
  return found;
}

/// Of "/dev/stdout", "/dev/stderr", "/dev/fd/N" and "/proc/self/fd/N", which are links to what the descriptor
/// is: a pipe, or the file that a shell wrote ">" for.
std::optional<int> named_descriptor(const fs::path& path) {
  const std::string name = path.lexically_normal().string();
  if (name == "/dev/stdout") return STDOUT_FILENO;
  if (name == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"})
    if (name.starts_with(folder)) return parse_number<int>(std::string_view(name).substr(folder.size()));
  return std::nullopt;
}

[[noreturn]] void refuse_link(const fs::path& path, const std::string& name) {
  std::error_code error;
  const fs::path target = fs::read_symlink(path, error);
  throw Error(name + ": is a symbolic link to " + target.string() +
              ", which is not followed; name that file itself, or take the link away");
}

/// Whether a new file takes the place of what stands there; a pipe or a device stays. Throws Error for a link
/// and for a folder.
bool is_replaced(const fs::path& path, const std::optional<struct stat>& there) {
  if (!there) return true;
  if (S_ISLNK(there->st_mode)) refuse_link(path, path.string());
  if (S_ISDIR(there->st_mode)) throw Error(path.string() + ": is a folder; a file is needed");
  return S_ISREG(there->st_mode);
}

/// 0, or the error's number.
int write_all(int handle, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(handle, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

/// The folder to the disk, too, so that after a power cut the new file stands under its name. A file system
/// that cannot do that does what it can.
void keep_name(const fs::path& path) {
  const fs::path folder = path.has_parent_path() ? path.parent_path() : ".";
  const Descriptor handle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.number >= 0) fsync(handle.number);
}

/// The files that are read, by device and inode, with what messages call them.
class Inputs {
 public:
  using Key = std::pair<dev_t, ino_t>;
  static Key key(const struct stat& file) { return {file.st_dev, file.st_ino}; }

  void add(const Key& file, const std::string& name) {
    const std::lock_guard lock(mutex_);
    names_.try_emplace(file, name);
  }
  /// Empty where the file is no input.
  std::string name(const Key& file) {
    const std::lock_guard lock(mutex_);
    const auto found = names_.find(file);
    return found == names_.end() ? "" : found->second;
  }
  /// The file has a new version. The number of the old inode may soon be another file's.
  void replace(const Key& old, const Key& version) {
    const std::lock_guard lock(mutex_);
    auto file = names_.extract(old);
    if (!file) return;
    file.key() = version;
    names_.insert(std::move(file));
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::string> names_;
};

Inputs& inputs() {
  static Inputs all;
  return all;
}

}  // namespace

NewFile::NewFile(const fs::path& path, const WriteOptions& options) : path_(path), options_(options) {
  const std::optional<struct stat> there = at_path(path);
  if (!is_replaced(path, there))
    throw Error(path.string() + ": is a pipe or a device; a regular file is needed");
  if (!options.new_version) require_output(path, path.string());
  // Process and count make the name unique, so that writers do not meet in one temporary file.
  static std::atomic<unsigned> count{0};
  temporary_ = path;
  temporary_ += ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(count++);
  handle_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                   options.is_private || there ? for_owner : for_everyone);
  if (handle_ < 0)
    fail(path, "written", errno);  // no object then, and nobody removes a file that is not ours
  if (there && !options.is_private) fchmod(handle_, there->st_mode & 0777);
}

NewFile::~NewFile() {
  if (handle_ >= 0) ::close(handle_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void NewFile::commit() {
  int error = options_.lasting && fsync(handle_) != 0 ? errno : 0;
  struct stat old {};
  struct stat made {};
  const bool of_input = options_.new_version && ::stat(path_.c_str(), &old) == 0 &&
                        ::fstat(handle_, &made) == 0;
  if (::close(std::exchange(handle_, -1)) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(temporary_.c_str(), path_.c_str()) != 0) error = errno;
  if (error != 0) fail(path_, "written", error);
  temporary_.clear();
  if (of_input) inputs().replace(Inputs::key(old), Inputs::key(made));
  if (options_.lasting) keep_name(path_);
}

void write_file(const fs::path& path, std::string_view bytes, const WriteOptions& options) {
  const std::optional<int> descriptor = named_descriptor(path);
  if (descriptor || !is_replaced(path, at_path(path))) {
    const Descriptor stream(descriptor ? ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0)
                                       : ::open(path.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
    const int error = stream.number < 0 ? errno : write_all(stream.number, bytes);
    if (error != 0) fail(path, "written", error);
    return;
  }
  NewFile file(path, options);
  if (const int error = write_all(file.handle_, bytes)) fail(path, "written", error);
  file.commit();
}

void append_to_file(const fs::path& path, std::string_view bytes) {
  const std::optional<int> descriptor = named_descriptor(path);
  if (!descriptor) {
    is_replaced(path, at_path(path));  // throws for a link and for a folder
    require_output(path, path.string());
  }
  const Descriptor stream(
      descriptor
          ? ::fcntl(*descriptor, F_DUPFD_CLOEXEC, 0)
          : ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, for_everyone));
  const int error = stream.number < 0 ? errno : write_all(stream.number, bytes);
  if (error != 0) fail(path, "written", error);
}

void protect_input(const fs::path& path, const std::string& name) {
  struct stat found {};
  if (::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode)) inputs().add(Inputs::key(found), name);
}

void require_output(const fs::path& path, const std::string& name) {
  if (named_descriptor(path)) return;
  struct stat found {};
  const bool exists = ::stat(path.c_str(), &found) == 0;
  if (const auto there = at_path(path);
      there && S_ISLNK(there->st_mode) && !(exists && S_ISDIR(found.st_mode)))
    refuse_link(path, name);
  if (!exists) return;
  if (const std::string input = inputs().name(Inputs::key(found)); !input.empty())
    throw Error(name + ": is the same file as " + input +
                ", which is read and would be lost; choose another name");
}

void require_writable(const fs::path& path) {
  const std::optional<struct stat> there = at_path(path);
  if ((there && S_ISLNK(there->st_mode)) || named_descriptor(path) || !is_replaced(path, there)) return;
  const NewFile made_and_removed(path, {.new_version = true});
}

bool is_file_name(std::string_view text) {
  return !text.empty() && text != "." && text != ".." &&
         text.find_first_of(std::string_view("/\0", 2)) == std::string_view::npos;
}

std::string file_name(std::string_view text) {
  constexpr std::size_t longest = 200;  // bytes; file systems allow 255, and endings follow
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (name.size() == longest) break;
    name += byte < ' ' || byte == 127 || c == '/' || c == '\\' || (c == '.' && name.empty()) ? '-' : c;
  }
  if (text.size() > longest) {  // no half of a letter of UTF-8
    const auto back = [&] { return static_cast<unsigned char>(name.back()) & 0xC0; };
    while (name.size() > 1 && back() == 0x80) name.pop_back();
    if (back() == 0xC0) name.pop_back();
  }
  return name.empty() ? "unnamed" : name;
}

}  // namespace startle
