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

TEST_CASE("[core] files: a symbolic link is not followed, and a pipe is written to") {
  const Folder folder;
  put_bytes(folder / "real.json", "old");
  fs::create_symlink("real.json", folder / "link.json");
  fs::create_symlink("none.json", folder / "dangling.json");
  for (const char* link : {"link.json", "dangling.json"}) {
    CHECK_THROWS_WITH(write_file(folder / link, "new"), Catch::Contains("is a symbolic link to"));
    CHECK_THROWS_WITH(append_to_file(folder / link, "new"), Catch::Contains("is a symbolic link to"));
    CHECK_THROWS_WITH(NewFile(folder / link), Catch::Contains("is a symbolic link to"));
    CHECK_THROWS_WITH(require_output(folder / link, "--out x"),
                      Catch::StartsWith("--out x: is a symbolic link"));
  }
  CHECK(read_file(folder / "real.json") == "old");
  CHECK(folder.entries() == 3);

  // A folder may be a link: a user has one to a larger disk.
  fs::create_symlink(folder.path, folder / "folder");
  require_output(folder / "folder", "--out");
  write_file(folder / "folder/real.json", "new");
  CHECK(read_file(folder / "real.json") == "new");

  const fs::path pipe = folder / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  REQUIRE(reader >= 0);
  write_file(pipe, "through");
  char got[16] = {};
  CHECK(::read(reader, got, sizeof got) == 7);
  CHECK(std::string(got) == "through");
  CHECK(fs::is_fifo(pipe));
  CHECK_THROWS_WITH(NewFile(pipe), Catch::Contains("is a pipe or a device"));
  ::close(reader);
  write_file("/dev/null", "away");
  CHECK(folder.entries() == 5);
}

TEST_CASE("[core] files: a descriptor's name adds to the file that it is open for") {
  const Folder folder;
  const int file = ::open((folder / "all").c_str(), O_WRONLY | O_CREAT, 0644);
  REQUIRE(file >= 0);
  REQUIRE(::write(file, "a", 1) == 1);
  const std::string name = "/dev/fd/" + std::to_string(file);
  require_output(name, name);
  write_file(name, "b");
  append_to_file("/proc/self/fd/" + std::to_string(file), "c");
  REQUIRE(::write(file, "d", 1) == 1);
  ::close(file);
  CHECK(read_file(folder / "all") == "abcd");
  CHECK_THROWS_AS(write_file("/dev/fd/9999", "x"), Error);
}

TEST_CASE("[core] files: an input is not written over, by whatever name") {
  const Folder folder;
  const fs::path input = folder / "input.json";
  put_bytes(input, "kept");
  fs::create_hard_link(input, folder / "hard.json");
  fs::create_directory(folder / "sub");
  protect_input(input, "LEVEL input.json");
  protect_input(folder / "none.json", "LEVEL none.json");
  protect_input(folder.path, "LEVELS");
  for (const char* name : {"input.json", "hard.json", "sub/../input.json"}) {
    INFO(name);
    const auto refused = Catch::Contains("is the same file as LEVEL input.json");
    CHECK_THROWS_WITH(write_file(folder / name, "lost"), refused);
    CHECK_THROWS_WITH(append_to_file(folder / name, "lost"), refused);
    CHECK_THROWS_WITH(NewFile(folder / name), refused);
    CHECK_THROWS_WITH(require_output(folder / name, "--out x"),
                      Catch::StartsWith("--out x: is the same file"));
  }
  CHECK(read_file(input) == "kept");
  CHECK(read_file(folder / "hard.json") == "kept");
  CHECK(folder.entries() == 3);
  write_file(folder / "none.json", "new");
  write_file(input, "next", {.new_version = true});
  CHECK(read_file(input) == "next");
  CHECK(read_file(folder / "hard.json") == "kept");
}

TEST_CASE("[core] files: private ones are their owner's from the start, others keep their permissions") {
  const Folder folder;
  const auto mode = [&](const std::string& name) {
    struct stat found {};
    REQUIRE(::stat((folder / name).c_str(), &found) == 0);
    return found.st_mode & 07777;
  };
  const mode_t before = ::umask(022);
  write_file(folder / "open", "");
  CHECK(mode("open") == 0644);
  write_file(folder / "secret", "x", {.is_private = true});
  CHECK(mode("secret") == 0600);
  put_bytes(folder / "old", "x");
  write_file(folder / "old", "y", {.is_private = true});
  CHECK(mode("old") == 0600);
  write_file(folder / "old", "z");  // somebody made it private
  CHECK(mode("old") == 0600);
  fs::permissions(folder / "open", fs::perms{0664});
  write_file(folder / "open", "x");
  CHECK(mode("open") == 0664);
  {
    const NewFile unfinished(folder / "film", {.is_private = true});
    CHECK(mode(unfinished.temporary().filename().string()) == 0600);
  }
  CHECK_FALSE(fs::exists(folder / "film"));
  NewFile finished(folder / "film");
  put_bytes(finished.temporary(), "film");
  finished.commit();
  CHECK(read_file(folder / "film") == "film");
  CHECK(folder.entries() == 4);
  ::umask(before);
}

TEST_CASE("[core] files: names from files lead nowhere") {
  CHECK(file_name("castles-1-0001") == "castles-1-0001");
  CHECK(file_name("Level 1 (\xC3\xA4)") == "Level 1 (\xC3\xA4)");
  CHECK(file_name("../../etc/passwd") == "-.-..-etc-passwd");
  CHECK(file_name("..") == "-.");
  CHECK(file_name(".hidden") == "-hidden");
  CHECK(file_name("a\\b\nc") == "a-b-c");
  CHECK(file_name(std::string("a\0b", 3)) == "a-b");
  CHECK(file_name("") == "unnamed");
  CHECK(file_name(std::string(199, 'a') + "\xC3\xA4" + "b") == std::string(199, 'a'));
  CHECK(file_name(std::string(1000, 'a')).size() == 200);
  for (const std::string& text :
       {std::string("../x"), std::string("/"), std::string(), std::string("\0", 1)}) {
    CHECK_FALSE(is_file_name(text));
    CHECK(is_file_name(file_name(text)));
  }
  CHECK_FALSE(is_file_name("."));
  CHECK_FALSE(is_file_name(".."));
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
