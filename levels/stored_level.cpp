#include "levels/stored_level.hpp"

#include <array>
#include <utility>

#include "difficulty/played_level.hpp"

namespace startle {

namespace {

constexpr std::array<const char*, 4> source_names{"published", "extended", "simulated", "p_level"};

}  // namespace

const char* name(DifficultySource source) { return source_names[static_cast<std::size_t>(source)]; }

std::optional<DifficultySource> difficulty_source_from_name(const std::string& text) {
  for (std::size_t i = 0; i < source_names.size(); ++i)
    if (text == source_names[i]) return static_cast<DifficultySource>(i);
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

StoredDifficulty stored_p_level(const std::string& novelty, double p_level) {
  StoredDifficulty difficulty;
  difficulty.novelty = novelty;
  difficulty.source = DifficultySource::p_level;
  difficulty.p_level = p_level;
  difficulty.value = 1 - p_level;
  difficulty.version = played_level_version;
  difficulty.tier = tier_of(p_level);
  return difficulty;
}

std::vector<StoredLevel> without_difficulty(std::vector<Level> levels) {
  std::vector<StoredLevel> stored;
  for (Level& level : levels) stored.push_back({std::move(level), {}});
  return stored;
}

std::string tier_name(const std::optional<StoredDifficulty>& difficulty) {
  return difficulty && difficulty->tier ? name(*difficulty->tier) : "";
}

std::string tier_or_third(const std::optional<StoredDifficulty>& difficulty) {
  return difficulty && difficulty->third ? name(difficulty->third->third) : tier_name(difficulty);
}

}  // namespace startle
