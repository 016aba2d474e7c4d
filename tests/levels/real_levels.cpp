#include <cstdlib>
#include <map>

#include "levels/files.hpp"
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"
#include "levels/level_xml.hpp"
#include "tests/levels/level_samples.hpp"

using namespace startle;

namespace {

/// Public level files in the folder that STARTLE_LEVELS names: 45 of Phy-Q, NovPhy, Hi-Phy and the IratusAves generator.
std::vector<std::filesystem::path> real_files() {
  const char* folder = std::getenv("STARTLE_LEVELS");
  if (folder == nullptr) {
    WARN("STARTLE_LEVELS is not set: real level files are not tested");
    return {};
  }
  return find_level_files({folder});
}

}  // namespace

TEST_CASE("[levels] real files: all are read and survive XML and JSON") {
  for (const std::filesystem::path& path : real_files()) {
    INFO(path);
    const Level level = read_level(path);
    const std::string source = path.string();
    CHECK(level.name == path.stem().string());
    CHECK_FALSE(level.birds.empty());
    const std::string json = level_to_json(level);
    const Level from_json = level_from_json(json, source);
    CHECK(from_json == level);
    const Level from_xml = level_from_xml(level_to_xml(from_json), source);
    CHECK(from_xml == level);
    CHECK(level_to_json(from_xml) == json);
  }
}

TEST_CASE("[levels] real files: every element is read or kept") {
  const std::vector<std::filesystem::path> files = real_files();
  std::map<std::string, std::size_t> tags, found;
  for (const std::filesystem::path& path : files) {
    // Counted by looking for "<Name" in the bytes; zero bytes are left out, so that UTF-16 counts too.
    std::string text;
    for (char c : read_file(path))
      if (c != '\0') text += c;
    for (const std::string name : {"Bird", "Block", "Pig", "TNT", "Platform", "Novelty", "Score"})
      for (std::size_t at = text.find("<" + name + " "); at != std::string::npos; at = text.find("<" + name + " ", at + 1))
        ++tags[name];

    const Level level = read_level(path);
    found["Bird"] += level.birds.size();
    for (const LevelObject& object : level.objects) {
      const std::map<Kind, std::string> names{
          {Kind::block, "Block"}, {Kind::pig, "Pig"}, {Kind::tnt, "TNT"}, {Kind::platform, "Platform"}};
      ++found[names.at(object.kind)];
    }
    for (const UnknownElement& unknown : level.unknown) ++found[unknown.element];
  }
  CHECK(found == tags);
  if (files.size() == 45) {
    CHECK(found["Novelty"] == 10);
    CHECK(found["Block"] == 816);
  }
}

TEST_CASE("[levels] real files: cut off anywhere, they give an Error and never a crash") {
  for (const std::filesystem::path& path : real_files()) {
    INFO(path);
    const std::string bytes = read_file(path);
    const std::size_t step = 1 + bytes.size() / 500;
    // The last tag is </Level>, 8 characters; what follows it is blank.
    for (std::size_t size = 0; size + 24 < bytes.size(); size += step)
      CHECK_THROWS_AS(level_from_xml(std::string_view(bytes).substr(0, size), path.string()), Error);
  }
}
