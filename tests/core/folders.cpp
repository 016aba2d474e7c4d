#include "core/folders.hpp"

#include <fstream>

#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;
using startle::testing::Folder;
namespace fs = std::filesystem;

TEST_CASE("[core] folders: what systems and programs leave in one is passed over, with what is in it") {
  const Folder folder;
  const fs::path root = folder.path / ".given";  // the folder itself may have any name
  for (const char* name : {"a/b", ".git/objects", "__MACOSX", "a/.hidden"})
    fs::create_directories(root / name);
  for (const char* name : {"z", "a/y.png", "._z", "a/.DS_Store", "z~", "#z#", "z_.gstmp", ".git/x",
                           "__MACOSX/z", "a/.hidden/w", "a~b", "#c"})
    std::ofstream(root / name) << "x";
  std::error_code error;
  CHECK(list_folder(root, error) == std::vector<fs::path>{root / "#c", root / "a", root / "a~b", root / "z"});
  CHECK(list_folder(root, error, true) == std::vector<fs::path>{root / "#c", root / "a", root / "a/b",
                                                                root / "a/y.png", root / "a~b", root / "z"});
  CHECK_FALSE(error);
  CHECK(list_folder(root / "none", error).empty());
  CHECK(error);
}
