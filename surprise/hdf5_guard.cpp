#include "surprise/hdf5_guard.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace startle {
namespace {

constexpr std::string_view checksum_mark("startle-checksum-1\n\0", 16);
constexpr std::size_t checksum_size = checksum_mark.size() + 8;
constexpr std::string_view hdf5_mark("\x89HDF\r\n\x1a\n", 8);

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
  throw Error(path.string() + ": " + what);
}

/// Little-endian.
std::uint64_t number_at(std::string_view bytes, std::size_t at) {
  std::uint64_t value = 0;
  for (std::size_t i = 8; i-- > 0;) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

/// Of the first `size` bytes.
std::uint64_t hash_of(const std::filesystem::path& path, std::uint64_t size) {
  std::ifstream file(path, std::ios::binary);
  std::string part(1 << 20, '\0');
  Hash hash;
  while (size > 0) {
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(size, part.size()));
    if (!file.read(part.data(), static_cast<std::streamsize>(count)))
      refuse(path, "cannot be read to its end");
    hash.add(std::string_view(part.data(), count));
    size -= count;
  }
  return hash.value();
}

/// Where the file ends as its superblock says (HDF5 file format specification, II.A).
std::uint64_t end_by_superblock(const std::filesystem::path& path, std::string_view start) {
  if (start.substr(0, hdf5_mark.size()) != hdf5_mark) refuse(path, "is no HDF5 file, or cannot be read");
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(start[at]); };
  const int version = byte(8);
  if (version > 3)
    refuse(path, "found superblock version " + std::to_string(version) + " of HDF5, allowed are 0 to 3");
  const std::size_t sizes = version < 2 ? 13 : 9, base = version == 0 ? 24 : version == 1 ? 28 : 12;
  if (byte(sizes) != 8 || byte(sizes + 1) != 8)
    refuse(path, "the superblock has addresses of " + std::to_string(byte(sizes)) + " and " +
                     std::to_string(byte(sizes + 1)) + " bytes, allowed are 8");
  if (number_at(start, base) != 0)
    refuse(path,
           "the superblock has base address " + std::to_string(number_at(start, base)) + ", allowed is 0");
  return number_at(start, base + 16);
}

[[noreturn]] void do_in_child(const std::function<void()>& job, int answers, unsigned seconds) {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) std::signal(number, SIG_DFL);
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  alarm(seconds);
  std::string complaint;
  try {
    job();
  } catch (const std::exception& error) {
    complaint = error.what();
  }
  while (!complaint.empty()) {
    const ssize_t count = write(answers, complaint.data(), complaint.size());
    if (count <= 0) break;
    complaint.erase(0, static_cast<std::size_t>(count));
  }
  _exit(0);
}

}  // namespace

void add_hdf5_checksum(const std::filesystem::path& path) {
  std::uint64_t hash = hash_of(path, std::filesystem::file_size(path));
  std::string checksum(checksum_mark);
  for (int i = 0; i < 8; ++i, hash >>= 8) checksum += static_cast<char>(hash & 255);
  const int file = open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  const bool written = file >= 0 &&
                       write(file, checksum.data(), checksum.size()) ==
                           static_cast<ssize_t>(checksum.size()) &&
                       fsync(file) == 0;
  const std::string reason = std::strerror(errno);
  if (file >= 0) close(file);
  if (!written) refuse(path, "cannot be written: " + reason);
}

bool has_hdf5_checksum(const std::filesystem::path& path) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(path, error);
  std::string start(64, '\0'), end(checksum_size, '\0');
  std::ifstream file(path, std::ios::binary);
  if (error || size < start.size() || !file.read(start.data(), static_cast<std::streamsize>(start.size())))
    refuse(path, "is no HDF5 file, or cannot be read");
  const std::uint64_t known = end_by_superblock(path, start);
  if (known > size)
    refuse(path, "is cut off: its superblock says " + std::to_string(known) + " bytes, found are " +
                     std::to_string(size));
  if (!file.seekg(static_cast<std::streamoff>(size - checksum_size)) ||
      !file.read(end.data(), static_cast<std::streamsize>(checksum_size)))
    refuse(path, "cannot be read to its end");
  if (!end.starts_with(checksum_mark)) return false;
  const std::uint64_t with_checksum = number_at(end, checksum_mark.size()),
                      found = hash_of(path, size - checksum_size);
  if (with_checksum != found)
    refuse(path, "is damaged: its bytes have the hash " + hexadecimal(found) + ", those that were written " +
                     hexadecimal(with_checksum));
  return true;
}

void try_in_child(const std::filesystem::path& path, const std::function<void()>& job) {
  std::array<int, 2> ends;
  if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse(path, std::string("no pipe: ") + std::strerror(errno));
  const unsigned seconds = 60 + static_cast<unsigned>(std::filesystem::file_size(path) >> 20);
  const pid_t child = fork();
  if (child == 0) do_in_child(job, ends[1], seconds);
  const int reason = errno;
  close(ends[1]);
  std::string complaint;
  std::array<char, 4096> part;
  for (ssize_t count;
       child > 0 && ((count = read(ends[0], part.data(), part.size())) > 0 || (count < 0 && errno == EINTR));)
    if (count > 0) complaint.append(part.data(), static_cast<std::size_t>(count));
  close(ends[0]);
  if (child < 0) refuse(path, std::string("no process: ") + std::strerror(reason));
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) {
  }
  if (complaint.starts_with(path.string())) throw Error(complaint);
  if (!complaint.empty()) refuse(path, complaint);
  if (WIFSIGNALED(state) && WTERMSIG(state) == SIGALRM)
    refuse(path,
           "the HDF5 library did not finish reading it in " + std::to_string(seconds) + " s: it is damaged");
  if (state != 0) refuse(path, "the HDF5 library crashes on it: it is damaged");
}

}  // namespace startle
