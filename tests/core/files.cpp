#include "core/files.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>

#include "core/error.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;
using startle::testing::Folder;
namespace fs = std::filesystem;

namespace {

void put_bytes(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("[core] files: a link stays a link and a pipe a pipe") {
  const Folder folder;
  put_bytes(folder.path / "real.json", "old");
  fs::create_symlink("real.json", folder.path / "link.json");
  write_file(folder.path / "link.json", "new");
  CHECK(fs::is_symlink(folder.path / "link.json"));
  CHECK(read_file(folder.path / "real.json") == "new");

  const fs::path pipe = folder.path / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  write_file(pipe, "through");
  char got[16] = {};
  CHECK(::read(reader, got, sizeof got) == 7);
  CHECK(std::string(got) == "through");
  CHECK(fs::is_fifo(pipe));
  ::close(reader);
  CHECK(folder.entries() == 3);
}

TEST_CASE("[core] files: when the disk is full the old file stands") {
  const Folder folder;
  const fs::path path = folder.path / "a.json";
  put_bytes(path, "old");
  // A limit on the size of files fails a write half-way, just as a full disk does.
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const std::size_t size : {200u, 1000000u}) {  // fails when the buffer is flushed at the end; and in
                                                     // the midst
    INFO(size);
    rlimit small = before;
    small.rlim_cur = 100;
    setrlimit(RLIMIT_FSIZE, &small);
    std::string message;
    try {
      write_file(path, std::string(size, 'x'));
    } catch (const Error& error) {
      message = error.what();
    }
    setrlimit(RLIMIT_FSIZE, &before);
    CHECK_THAT(message, Catch::Contains("a.json: cannot be written: File too large"));
    CHECK(read_file(path) == "old");
    CHECK(folder.entries() == 1);
  }
  std::signal(SIGXFSZ, handler);
}
