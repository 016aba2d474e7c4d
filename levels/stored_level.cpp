#include "levels/stored_level.hpp"

#include <utility>

namespace startle {

const char* name(DifficultySource source) {
  switch (source) {
    case DifficultySource::published:
      return "published";
    case DifficultySource::extended:
      return "extended";
    case DifficultySource::simulated:
      return "simulated";
    case DifficultySource::detection:
      return "detection";
    case DifficultySource::observer:
      return "observer";
  }
  return "";
}

std::optional<DifficultySource> difficulty_source_from_name(const std::string& text) {
  using enum DifficultySource;
  for (const DifficultySource source : {published, extended, simulated, detection, observer})
    if (text == name(source)) return source;
  return std::nullopt;
}

DifficultySource source_of(Method method) {
  return method == Method::published ? DifficultySource::published : DifficultySource::extended;
}

std::optional<Method> method_of(DifficultySource source) {
  if (source == DifficultySource::published) return Method::published;
  if (source == DifficultySource::extended) return Method::extended;
  return std::nullopt;
}

std::vector<StoredLevel> without_difficulty(std::vector<Level> levels) {
  std::vector<StoredLevel> stored;
  for (Level& level : levels) stored.push_back({std::move(level), {}});
  return stored;
}

std::string tier_name(const std::optional<StoredDifficulty>& difficulty) {
  return difficulty && difficulty->tier ? name(difficulty->tier->tier) : "";
}

std::string tier_or_third(const std::optional<StoredDifficulty>& difficulty) {
  return difficulty && difficulty->third ? name(difficulty->third->third) : tier_name(difficulty);
}

}  // namespace startle
