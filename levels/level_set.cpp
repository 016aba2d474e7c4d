#include "levels/level_set.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"

namespace startle {

std::string level_set_member(const std::string& family, std::uint64_t seed, std::uint64_t index) {
  std::string number = std::to_string(index);
  if (number.size() < 4) number.insert(0, 4 - number.size(), '0');
  return family + "-" + std::to_string(seed) + "-" + number;
}

std::uint64_t level_hash(StoredLevel level) {
  if (level.difficulty) level.difficulty->measured.clear();
  Hash hash;
  hash.add(level_to_json(level));
  return hash.value();
}

std::uint64_t level_set_hash(const std::vector<StoredLevel>& levels) {
  Hash hash;
  for (const StoredLevel& level : levels) hash.add(level_to_json(level));
  return hash.value();
}

namespace {

constexpr const char* set_manifest = "manifest.json";

/// Of the folder, null where there is none. Throws Error when it is not one of ours.
nlohmann::ordered_json manifest_of(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / set_manifest;
  if (!std::filesystem::exists(path)) return {};
  try {
    nlohmann::ordered_json manifest = nlohmann::ordered_json::parse(read_file(path));
    if (manifest.at("format") != "startle-level-set") throw Error("");
    for (const std::string file : manifest.at("levels"))
      if (!is_file_name(file)) throw Error("");
    return manifest;
  } catch (const std::exception&) {
    throw Error(path.string() +
                ": is no manifest of a level set; choose another folder, or take the file away");
  }
}

/// A command up to how many levels it makes: of one that was interrupted they are fewer.
std::string without_count(std::string command) {
  const std::string option = " --count ";
  if (const std::size_t at = command.find(option); at != std::string::npos)
    command.erase(at, command.find(' ', at + option.size()) - at);
  return command;
}

/// level_set_hash() of the levels as they stand in the folder; empty where one cannot be read.
std::string hash_of_files(const std::filesystem::path& folder, const std::vector<std::string>& files) {
  Hash hash;
  try {
    for (const std::string& file : files) hash.add(read_file(folder / file));
  } catch (const Error&) {
    return {};
  }
  return hexadecimal(hash.value());
}

/// Of the levels, by their names, which are any text: none leads out of the folder, and no two are the same.
std::vector<std::string> file_names(const std::vector<StoredLevel>& levels) {
  std::vector<std::string> files;
  std::set<std::string> taken{"manifest.json"};
  for (const StoredLevel& level : levels) {
    const std::string name = file_name(level.name);
    std::string file = name + ".json";
    for (int i = 2; !taken.insert(file).second; ++i) file = name + "-" + std::to_string(i) + ".json";
    files.push_back(file);
  }
  return files;
}

/// Files that are new in a folder, which go again where not all of them can be written.
class NewFiles {
 public:
  /// `own`: of the set that stands there. Throws Error where another file of that name does.
  void write(const std::filesystem::path& path, const std::string& bytes,
             const std::vector<std::string>& own) {
    const std::string name = path.filename().string();
    const bool is_own = name == set_manifest || std::find(own.begin(), own.end(), name) != own.end();
    std::error_code error;
    const bool exists = std::filesystem::exists(std::filesystem::symlink_status(path, error));
    if (exists && !is_own)
      throw Error(path.string() +
                  ": is there already, and not of this level set; choose another folder, or take "
                  "it away");
    write_file(path, bytes, {.new_version = true});
    if (!exists) made_.push_back(path);
  }
  void keep() { made_.clear(); }
  NewFiles() = default;
  ~NewFiles() {
    std::error_code ignored;
    for (const std::filesystem::path& path : made_) std::filesystem::remove(path, ignored);
  }
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;

 private:
  std::vector<std::filesystem::path> made_;
};

}  // namespace

std::vector<std::string> level_set_files(const std::filesystem::path& folder) {
  const nlohmann::ordered_json manifest = manifest_of(folder);
  return manifest.is_null() ? std::vector<std::string>{}
                            : manifest.at("levels").get<std::vector<std::string>>();
}

void store_in_place(const std::vector<StoredLevel>& levels, const std::vector<std::string>& files) {
  std::set<std::filesystem::path> folders;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    write_file(files[i], level_to_json(levels[i]), {.new_version = true});
    folders.insert(std::filesystem::path(files[i]).parent_path());
  }
  for (const std::filesystem::path& folder : folders) {
    nlohmann::ordered_json manifest = manifest_of(folder);
    if (manifest.is_null()) continue;
    manifest["hash"] = hash_of_files(folder, manifest.at("levels"));
    write_file(folder / set_manifest, manifest.dump(2) + "\n", {.new_version = true});
  }
}

void require_place_for_set(const std::filesystem::path& folder, const std::string& command) {
  const nlohmann::ordered_json manifest = manifest_of(folder);
  const std::string choose = "; choose another folder, or take them away";
  if (manifest.is_null()) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error))
      if (const auto ending = entry.path().extension(); ending == ".json" || ending == ".xml")
        throw Error(folder.string() + ": holds " + entry.path().filename().string() +
                    ", and maybe more, of no level set" + choose);
    return;
  }
  const std::string made_by = manifest.value("command", "");
  if (without_count(made_by) != without_count(command))
    throw Error(folder.string() + ": holds levels of another command (" + made_by + ")" + choose);
  if (manifest.value("hash", "") != hash_of_files(folder, manifest.at("levels")))
    throw Error(folder.string() +
                ": holds levels that are not as their command made them: edited, or taken away" + choose);
  for (const std::string& file : manifest.at("levels").get<std::vector<std::string>>())
    if (const StoredLevel level = read_level(folder / file);
        level.difficulty && !level.difficulty->measured.empty())
      throw Error((folder / file).string() +
                  ": holds a p_level that startle observe --store measured, which would be lost" + choose);
}

void write_level_set(const std::vector<StoredLevel>& levels, const std::filesystem::path& folder,
                     const LevelSetInfo& info) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": the folder cannot be made: " + error.message());

  require_place_for_set(folder, info.command);
  const std::vector<std::string> before = level_set_files(folder), files = file_names(levels);
  if (info.from_files)
    for (const std::string& file : before)
      if (std::find(files.begin(), files.end(), file) == files.end())
        throw Error(
            (folder / file).string() +
            ": is a level of the set that stands there, and not one of those given now; choose another "
            "folder, or take it away");
  NewFiles made;
  for (std::size_t i = 0; i < levels.size(); ++i)
    made.write(folder / files[i], level_to_json(levels[i]), before);
  nlohmann::ordered_json manifest{{"format", "startle-level-set"},
                                  {"version", 1},
                                  {"program_version", info.version},
                                  {"command", info.command},
                                  {"seed", info.seed},
                                  {"profile", info.profile},
                                  {"hash", hexadecimal(level_set_hash(levels))}};
  if (info.goal) {
    const Novelty& novelty = *novelty_of(*info.goal);
    manifest["difficulty"] = {{"novelty", novelty.name}, {"method", name(source_of(*info.goal))}};
    if (const auto* value = std::get_if<ValueGoal>(&*info.goal))
      manifest["difficulty"]["alpha"] = value->measure.alpha;
    if (const auto tier = tier_of(*info.goal)) manifest["difficulty"]["tier"] = name(*tier);
    manifest["difficulty"]["range"] = range_of(*info.goal);
    if (info.thirds)
      manifest["thresholds"][novelty.name] = {{"low", info.thirds->low},
                                              {"high", info.thirds->high},
                                              {"count", info.thirds->count},
                                              {"alpha", info.thirds->alpha}};
    if (info.diversity)
      manifest["diversity"] = {{"mean", info.diversity->mean},
                               {"least", info.diversity->least},
                               {"nearest", info.diversity->nearest}};
  }
  manifest["levels"] = files;
  made.write(folder / set_manifest, manifest.dump(2) + "\n", {});
  made.keep();
  for (const std::string& file : before)
    if (std::find(files.begin(), files.end(), file) == files.end())
      std::filesystem::remove(folder / file, error);
}

}  // namespace startle
