#include "web/web_levels.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "web/router.hpp"

namespace startle {
namespace {

/// Objects in all scenes that are kept, about 400 bytes each.
constexpr std::size_t most_objects = 200000, fewest_scenes = 16, most_kept_scenes = 2048;
constexpr std::size_t scenes_a_level = 8;  // kept for each open level

}  // namespace

WebLevels::WebLevels(const std::vector<std::filesystem::path>& paths, std::shared_ptr<const Profile> profile)
    : profile_(std::move(profile)) {
  for (CatalogueEntry& entry : read_catalogue(paths)) {
    if (!entry.error.empty() || entry.birds == 0 || entry.pigs == 0) {
      ++left_out_;
      continue;
    }
    std::string id = entry.name;
    for (int i = 2; places_.contains(id); ++i) id = entry.name + "~" + std::to_string(i);
    places_[id] = levels_.size();
    largest_ = std::max(largest_, entry.objects);
    levels_.push_back({id, std::move(entry)});
  }
  if (levels_.empty())
    throw Error(paths.front().string() + ": no level can be played; allowed are levels with birds and pigs");
  open_ = std::make_unique<Recent<OpenLevel>>(most_scenes() / scenes_a_level);
}

std::size_t WebLevels::most_scenes() const {
  return std::clamp(most_objects / largest_, fewest_scenes, most_kept_scenes);
}

const WebLevel& WebLevels::find(const std::string& id) const {
  const auto found = places_.find(id);
  if (found == places_.end()) throw NotFound("level: found " + shown(id) + ", which is none of this server");
  return levels_[found->second];
}

std::shared_ptr<const OpenLevel> WebLevels::open(const std::string& id) {
  const WebLevel& found = find(id);
  return open_->get(id, [&] {
    try {
      OpenLevel level{.level = read_level(found.entry.file)};
      if (!validate(level.level, *profile_).errors.empty()) throw Error("cannot be used");
      level.start = make_scene(level.level, profile_);
      level.normal = settle(level.start);
      return level;
    } catch (const Error&) {
      throw NotFound("level: " + shown(id) + " cannot be read");  // the reason names folders of this machine
    }
  });
}

std::vector<std::string> WebLevels::novelties(const OpenLevel& level) {
  std::vector<std::string> names;
  if (level.level.novelty) names.push_back(own_novelty);
  if (level.level.difficulty && level.level.difficulty->novelty.find('@') != std::string::npos)
    names.push_back(level.level.difficulty->novelty);
  for (const auto* catalogue : {&novelty_catalogue(), &world_novelties()})
    for (const Novelty& novelty : *catalogue) names.push_back(novelty.name);
  return names;
}

Novelty WebLevels::novelty(const OpenLevel& level, const std::string& name) {
  const std::vector<std::string> names = novelties(level);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw Error("novelty: found " + shown(name) + ", allowed are: " + listed(names));
  return find_novelty(name, level.level);
}

}  // namespace startle
