#include "agents/trials/replay.hpp"

#include <algorithm>

#include "agents/trials/runner.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "levels/level_file.hpp"
#include "levels/level_set.hpp"

namespace startle {

std::shared_ptr<const Profile> recorded_profile(const Manifest& manifest, const std::string& file) {
  const auto entry = manifest.find("profile");
  if (entry == manifest.end()) throw Error(file + ": does not say with which profile it was made");
  auto constants = profile(entry->second.substr(0, entry->second.find(' ')));
  if (profile_fingerprint(*constants) != entry->second)
    throw Error(file + ": profile " + constants->name + " has other constants in this program");
  return constants;
}

PlayedLevelFiles::PlayedLevelFiles(std::vector<std::filesystem::path> files, std::vector<MappedName> map)
    : files_(std::move(files)), map_(std::move(map)) {}

PlayedLevelFiles::Found PlayedLevelFiles::find(const std::string& name, std::uint64_t hash) {
  // Most files are named after their level; only where none of these is the one are all of them read.
  for (const std::filesystem::path& file : files_) {
    if (file.stem().string() != name) continue;
    try {
      if (Found found{file, read_level(file, map_)}; level_hash(found.level) == hash) return found;
    } catch (const Error&) {
      continue;
    }
  }
  if (!read_) {
    for (const std::filesystem::path& file : files_) {
      try {
        const StoredLevel level = read_level(file, map_);
        by_hash_.emplace(level_hash(level), file);
        names_.insert(level.name);
      } catch (const Error&) {
        continue;
      }
    }
    read_ = true;
  }
  if (const auto found = by_hash_.find(hash); found != by_hash_.end())
    return {found->second, read_level(found->second, map_)};
  const bool known = names_.contains(name);
  if (!known) throw Error("--levels: found no level " + shown(name));
  throw Error("--levels: level " + shown(name) +
              " is not the one that was played: its data has another hash than " + hexadecimal(hash));
}

bool played_whole(const TrialResult& trial, std::size_t level) {
  // The level in which an agent failed is the last one with shots, or comes after that.
  return trial.status == Status::ok ||
         std::any_of(trial.levels.begin() + static_cast<std::ptrdiff_t>(level) + 1, trial.levels.end(),
                     [](const PlayedLevel& later) { return !later.shots.empty(); });
}

std::string replay_difference(const TrialResult& trial, const PlayedLevel& played, bool solved,
                              double score) {
  const auto index = static_cast<std::size_t>(&played - trial.levels.data());
  if (!played_whole(trial, index) || (solved == played.solved && score == played.score)) return {};
  const auto ended = [](bool cleared, double points) {
    return std::string(cleared ? "cleared" : "not cleared") + ", score " + number_text(points);
  };
  return "the shots end otherwise than recorded: " + ended(solved, score) + " here, " +
         ended(played.solved, played.score) + " there";
}

}  // namespace startle
