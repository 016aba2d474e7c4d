#include "levels/level_file.hpp"

#include <fstream>

#include "core/files.hpp"
#include "levels/level_json.hpp"
#include "levels/level_xml.hpp"
#include "tests/folder.hpp"
#include "tests/levels/level_samples.hpp"

using namespace startle;
using startle::testing::Folder;
namespace fs = std::filesystem;

namespace {

void put(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

StoredLevel sample() {
  Random random(6);
  StoredLevel level{random_level(random), {}};
  level.name = "sample";
  return level;
}

}  // namespace

TEST_CASE("[levels] files: a level comes back from either format, whatever the file is called") {
  const Folder folder;
  const StoredLevel level = sample();
  write_level(level, folder.path / "sample.json");
  write_level(level, folder.path / "sample.XML");
  CHECK(read_file(folder.path / "sample.json") == level_to_json(level));
  CHECK(read_file(folder.path / "sample.XML") == level_to_xml(level));
  CHECK(read_level(folder.path / "sample.json") == level);
  CHECK(read_level(folder.path / "sample.XML") == level);
  fs::rename(folder.path / "sample.XML", folder.path / "sample.txt");
  CHECK(read_level(folder.path / "sample.txt") == level);
  CHECK(folder.entries() == 2);  // no temporary file stays
}

TEST_CASE("[levels] files: writing replaces the old file") {
  const Folder folder;
  const fs::path path = folder.path / "sample.json";
  put(path, std::string(100000, 'x'));
  write_level(sample(), path);
  CHECK(read_level(path) == sample());
  CHECK(folder.entries() == 1);
}

TEST_CASE("[levels] files: what cannot be read is an Error that names the file") {
  const Folder folder;
  require_error([&] { return read_level(folder.path / "none.json"); },
                {"none.json", "cannot be read", "No such file"});
  require_error([&] { return read_level(folder.path); }, {folder.path.string(), "is a folder"});
  put(folder.path / "empty.xml", "\xEF\xBB\xBF \n");
  require_error([&] { return read_level(folder.path / "empty.xml"); }, {"empty.xml", "is empty"});
  put(folder.path / "picture.xml", "\x89PNG\r\n\x1A\n");
  require_error([&] { return read_level(folder.path / "picture.xml"); },
                {"picture.xml", "PNG", "'{'", "'<'"});
  put(folder.path / "array.json", "[]");
  require_error([&] { return read_level(folder.path / "array.json"); }, {"array.json", "\"[]\"", "'{'"});
}

TEST_CASE("[levels] files: what cannot be written is an Error and leaves nothing behind") {
  const Folder folder;
  const StoredLevel level = sample();
  require_error([&] { write_level(level, folder.path / "none" / "a.json"); },
                {"a.json", "cannot be written", "No such file"});
  require_error([&] { write_level(level, folder.path / "a.yaml"); }, {"a.yaml", "\".yaml\"", ".json, .xml"});
  require_error([&] { write_level(level, folder.path / "a"); }, {"allowed: .json, .xml"});
  put(folder.path / "file", "");
  require_error([&] { write_level(level, folder.path / "file" / "a.xml"); },
                {"a.xml", "cannot be written", "Not a directory"});
  fs::create_directory(folder.path / "b.json");
  require_error([&] { write_level(level, folder.path / "b.json"); }, {"b.json", "is a folder"});
  CHECK(folder.entries() == 2);
}

TEST_CASE("[levels] files: what systems and programs leave in a folder is no level") {
  const Folder folder;
  for (const char* name : {".git", "__MACOSX", ".hidden", "sub"}) fs::create_directory(folder.path / name);
  for (const char* name : {"a.json", "._a.json", ".a.json.swp", "a.json~", "#a.json#", "a.json_.gstmp",
                           "b.json.gstmp", ".git/c.json", "__MACOSX/a.json", ".hidden/d.xml", "sub/e.xml"})
    put(folder.path / name, "");
  CHECK(find_level_files({folder.path}) ==
        std::vector<fs::path>{folder.path / "a.json", folder.path / "sub/e.xml"});
  // What is named is meant.
  CHECK(find_level_files({folder.path / "._a.json", folder.path / ".hidden"}).size() == 2);
}

TEST_CASE("[levels] files: folders stand for the levels below them, in order") {
  const Folder folder;
  fs::create_directories(folder.path / "b" / "deep");
  fs::create_directory(folder.path / "empty");
  fs::create_directory(folder.path / "c.xml");  // a folder with a level's extension is a folder
  for (const char* name : {"b/z.json", "b/a.xml", "b/deep/m.XML", "b/notes.md", "b/a.json.tmp-1-0",
                           "b/manifest.json", "a.json", "odd"})
    put(folder.path / name, "");
  const auto found = find_level_files({folder.path / "odd", folder.path});
  CHECK(found == std::vector<fs::path>{folder.path / "odd", folder.path / "a.json", folder.path / "b/a.xml",
                                       folder.path / "b/deep/m.XML", folder.path / "b/z.json"});
  require_error(
      [&] {
        find_level_files({folder.path, folder.path / "empty"});
      },
      {"empty", "holds no .json or .xml"});
  require_error([&] { find_level_files({folder.path / "none"}); }, {"none", "does not exist"});
  require_error([] { find_level_files({}); }, {"no level files given"});
  // DIR/*.json, as a shell gives it: the manifest of a level set is none of its levels. Another file of that
  // name is taken as given.
  put(folder.path / "manifest.json", "{\"format\": \"startle-level-set\", \"version\": 1}");
  CHECK(find_level_files({folder.path / "a.json", folder.path / "manifest.json"}) ==
        std::vector<fs::path>{folder.path / "a.json"});
  CHECK(find_level_files({folder.path / "manifest.json"}).empty());
  CHECK(find_level_files({folder.path / "b/manifest.json"}).size() == 1);
}
