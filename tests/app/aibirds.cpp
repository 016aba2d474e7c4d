/// \file  startle agents serve as a user runs it.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/folder.hpp"

namespace {

namespace fs = std::filesystem;

const std::string levels = std::string(STARTLE_TEST_FOLDER) + "/../../levels/benchmark/T2/easy";

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Exit code; what it says on standard output and error stands in the file.
int serve(const std::string& before, const std::string& arguments, const fs::path& said) {
  const int status = std::system(
      (before + " '" STARTLE_PROGRAM "' agents serve --levels '" + levels + "' " + arguments + " >'" + said.string() + "' 2>&1")
          .c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

}  // namespace

TEST_CASE("[app] agents serve: says where it listens, ends with 130 on Ctrl-C, and refuses what it cannot do") {
  const startle::testing::Folder folder;
  const fs::path said = folder / "said", out = folder / "results.sqlite";
  // Ctrl-C as soon as the address is there.
  const std::string until_it_listens =
      "(while ! grep -q 127.0.0.1: '" + said.string() + "' 2>/dev/null; do sleep 0.1; done; sleep 0.2; kill -INT $(cat '" +
      (folder / "pid").string() + "')) & sh -c 'echo $$ >\"$0\"; exec \"$@\"' '" + (folder / "pid").string() + "'";
  CHECK(serve(until_it_listens, "--port 0 --out '" + out.string() + "' --name nobody", said) == 130);
  CHECK_THAT(contents(said), Catch::Contains("127.0.0.1:"));
  CHECK(fs::exists(out));
  CHECK(serve("", "--port 0 --name nobody", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("--out"));
  CHECK(serve("", "--port 0 --host nowhere", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("nowhere"));
  CHECK(serve("", "--port 70000", said) == 2);
  CHECK(serve("", "--port 0 --observer-port -1", said) == 2);
  CHECK(serve("", "--port 0 --screen 800x600", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("800x600") && Catch::Contains("840x480"));
  CHECK(serve("", "--port 0 --record-free", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("--record-free: needs --out"));
  CHECK(serve("", "--port 0 --one-set", said) == 2);
  CHECK_THAT(contents(said), Catch::Contains("--one-set"));
  CHECK(serve("", "--port 0 --out '" + (folder / "none").string() + "' --record-free --one-set", said) == 2);
  CHECK(!fs::exists(folder / "none"));
  CHECK(serve("", "--port 0 --dev --out '" + out.string() + "' --name nobody", said) == 2);  // not what that agent was
  CHECK_THAT(contents(said), Catch::Contains("nobody"));
}
