#include "levels/level_set.hpp"

#include <nlohmann/json.hpp>

#include "levels/files.hpp"
#include "levels/level_json.hpp"
#include "sim/error.hpp"
#include "sim/hash.hpp"

namespace startle {

std::string level_set_member(const std::string& family, std::uint64_t seed, std::uint64_t index) {
  std::string number = std::to_string(index);
  if (number.size() < 4) number.insert(0, 4 - number.size(), '0');
  return family + "-" + std::to_string(seed) + "-" + number;
}

std::string level_file_name(const std::string& family, std::uint64_t seed, std::uint64_t index) {
  return level_set_member(family, seed, index) + ".json";
}

std::uint64_t level_set_hash(const std::vector<Level>& levels) {
  Hash hash;
  for (const Level& level : levels) hash.add(level_to_json(level));
  return hash.value();
}

void write_level_set(const std::vector<Level>& levels, const std::filesystem::path& folder, const LevelSetInfo& info) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": the folder cannot be made: " + error.message());

  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const Level& level : levels) {
    const std::string file = level.name + ".json";
    write_file(folder / file, level_to_json(level));
    files.push_back(file);
  }
  static const char digits[] = "0123456789abcdef";
  std::string hash;
  const std::uint64_t value = level_set_hash(levels);
  for (int shift = 60; shift >= 0; shift -= 4) hash += digits[(value >> shift) & 15];
  const nlohmann::ordered_json manifest{{"format", "startle-level-set"},
                                        {"version", 1},
                                        {"program_version", info.version},
                                        {"command", info.command},
                                        {"seed", info.seed},
                                        {"profile", info.profile},
                                        {"hash", hash},
                                        {"levels", files}};
  write_file(folder / "manifest.json", manifest.dump(2) + "\n");
}

}  // namespace startle
