#include "levels/placed_levels.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "difficulty/played_level.hpp"
#include "levels/level_file.hpp"
#include "sim/novelty.hpp"
#include "sim/world.hpp"
#include "simulated/simulated_difficulty.hpp"
#include "simulated/twin.hpp"

namespace startle {

const char* name(LeftOut reason) {
  switch (reason) {
    case LeftOut::no_level:
      return "no level";
    case LeftOut::given_twice:
      return "given twice";
    case LeftOut::no_novelty:
      return "no novelty stored";
    case LeftOut::no_own:
      return "no novelty of its own";
    case LeftOut::not_covered:
      return "novelty not covered by the method";
    case LeftOut::no_birds:
      return "no birds";
    case LeftOut::no_pigs:
      return "no pigs";
    case LeftOut::untouched:
      return "not touched by the novelty";
    case LeftOut::no_target:
      return "no target";
  }
  return "";
}

std::string counted(const std::vector<LeftOutLevel>& left_out) {
  std::map<LeftOut, std::size_t> counts;
  for (const LeftOutLevel& level : left_out) ++counts[level.reason];
  std::string text;
  for (const auto& [reason, count] : counts)
    text += (text.empty() ? "" : ", ") + std::string(name(reason)) + " " + std::to_string(count);
  return text;
}

namespace {

/// Throws Error for what cannot be used.
LevelAtRest at_rest(const std::string& file, StoredLevel level, std::shared_ptr<const Profile> profile) {
  const LevelProblems problems = validate(level, *profile);
  if (!problems.errors.empty()) throw Error(file + ": " + problems.errors.front());
  LevelAtRest result{.file = file, .level = std::move(level)};
  SettleResult settled = settle_scene(make_scene(result.level, std::move(profile)));
  result.dropped = !problems.dropped.empty();
  result.collapsed = settled.collapsed();
  result.rest = std::move(settled.scene);
  result.left_out = left_out_by(result.rest);
  return result;
}

}  // namespace

LevelsAtRest levels_at_rest(const std::vector<std::filesystem::path>& files,
                            std::shared_ptr<const Profile> profile, const SetWork& work,
                            const std::function<bool(const StoredLevel&)>& wanted) {
  LevelsAtRest result;
  const auto no_level = [](const std::string& file, const std::string& message) {
    return LeftOutLevel{file, LeftOut::no_level, message.starts_with(file) ? message : file + ": " + message};
  };
  struct Read {
    std::string file;
    StoredLevel level;
  };
  std::vector<Read> read;
  std::set<std::filesystem::path> known;
  for (const std::filesystem::path& path : files) {
    if (work.keep_going && !work.keep_going()) break;
    const std::string file = path.string();
    std::error_code none;
    if (!known.insert(std::filesystem::weakly_canonical(path, none)).second) {
      result.left_out.push_back({file, LeftOut::given_twice, {}});
      continue;
    }
    try {
      StoredLevel level = read_level(path, work.map);
      if (!wanted || wanted(level)) read.push_back({file, std::move(level)});
    } catch (const Error& error) {
      result.left_out.push_back(no_level(file, error.what()));
    }
  }
  std::vector<std::optional<LevelAtRest>> levels(read.size());
  std::vector<std::string> errors(read.size());
  parallel_for(
      read.size(), work.threads,
      [&](std::size_t i) {
        try {
          levels[i] = at_rest(read[i].file, std::move(read[i].level), profile);
        } catch (const Error& error) {
          errors[i] = error.what();
        }
        if (work.progress) work.progress();
      },
      work.keep_going);
  for (std::size_t i = 0; i < read.size(); ++i) {
    if (levels[i])
      result.levels.push_back(std::move(*levels[i]));
    else if (!errors[i].empty())
      result.left_out.push_back(no_level(read[i].file, errors[i]));
  }
  std::vector<std::string> names, of_files;
  for (const LevelAtRest& level : result.levels) {
    names.push_back(level.level.name);
    of_files.push_back(level.file);
  }
  names = distinct_names(names, of_files);
  for (std::size_t i = 0; i < names.size(); ++i) result.levels[i].name = names[i];
  return result;
}

std::vector<std::string> distinct_names(const std::vector<std::string>& given,
                                        const std::vector<std::string>& files) {
  std::vector<std::string> names = given;
  std::vector<std::filesystem::path> folders;
  for (const std::string& file : files) {
    std::error_code error;
    folders.push_back(std::filesystem::absolute(file, error).lexically_normal().parent_path());
  }
  const auto by_name = [&] {
    std::map<std::string, std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < names.size(); ++i) groups[names[i]].push_back(i);
    std::erase_if(groups, [](const auto& group) { return group.second.size() == 1; });
    return groups;
  };
  for (const auto& [name, same] : by_name()) {
    std::map<std::filesystem::path, int> in_folder;
    for (const std::size_t i : same) ++in_folder[folders[i]];
    for (const std::size_t i : same)
      if (in_folder[folders[i]] > 1) names[i] = std::filesystem::path(files[i]).filename().string();
  }
  for (bool again = true; again;) {
    again = false;
    for (const auto& [name, same] : by_name())
      for (const std::size_t i : same) {
        if (!folders[i].has_filename()) continue;  // the root
        names[i] = folders[i].filename().string() + "-" + names[i];
        folders[i] = folders[i].parent_path();
        again = true;
      }
  }
  return names;
}

std::optional<LeftOut> left_out_by(const Scene& rest) {
  if (rest.birds_left() == 0) return LeftOut::no_birds;
  return rest.cleared() ? std::optional(LeftOut::no_pigs) : std::nullopt;
}

std::optional<LeftOut> left_out_by(const Difficulty& difficulty) {
  if (difficulty.novel_objects == 0) return LeftOut::untouched;
  const auto hits_something = [](const Interaction& interaction) { return interaction.counts.targets > 0; };
  if (std::none_of(difficulty.interactions.begin(), difficulty.interactions.end(), hits_something))
    return LeftOut::no_target;
  return std::nullopt;
}

namespace {

/// The novelty that the level is played with, and what is stored of it.
std::string novelty_of(const StoredLevel& level, const PlacingOptions& options) {
  return options.novelty ? *options.novelty : level.difficulty ? level.difficulty->novelty : "";
}
std::optional<StoredDifficulty> stored_for(const StoredLevel& level, const std::string& novelty) {
  return level.difficulty && level.difficulty->novelty == novelty ? level.difficulty : std::nullopt;
}

/// Counts levels of each novelty and tier.
class Limit {
 public:
  explicit Limit(std::size_t most) : most_(most) {}
  bool admits(const std::string& novelty, const std::string& tier) {
    return most_ == 0 || ++taken_[{novelty, tier}] <= most_;
  }

 private:
  std::size_t most_;
  std::map<std::pair<std::string, std::string>, std::size_t> taken_;
};

/// Where a difficulty comes from that is not stored, of the levels of a novelty together, whose values are
/// compared: the first of them that covers the novelty in all of the levels.
std::vector<DifficultySource> sources(bool thirds) {
  using enum DifficultySource;
  return thirds ? std::vector{published, extended, simulated} : std::vector{p_level, simulated};
}
bool source_covers(DifficultySource source, const Novelty& novelty) {
  if (source == DifficultySource::simulated) return true;
  return covers(method_of(source).value_or(Method::extended), novelty);
}
static_assert(third_method == Method::published);

/// A level on its way into the set.
struct LevelToPlace {
  PlacedLevel placed;
  std::optional<LeftOut> left_out;
  std::string error;  ///< of a stored novelty that the catalogue lacks
  bool stored = false, done = false;
};

/// Takes the reason for which the level is left out, if any, from a step.
void attempt(LevelToPlace& placement, const std::function<std::optional<LeftOut>()>& step) {
  try {
    placement.left_out = step();
  } catch (const Error& error) {  // a stored novelty that the catalogue lacks
    placement.left_out = LeftOut::no_level;
    placement.error = placement.placed.file + ": " + error.what();
  }
}

/// The novelty of the level, and what is stored of it; or why the level is left out. Throws Error for a
/// stored novelty that the catalogue lacks.
std::optional<LeftOut> name_novelty(const LevelAtRest& level, PlacedLevel& placed) {
  if (placed.novelty.empty()) return LeftOut::no_novelty;
  if (names_own(placed.novelty) && !level.level.novelty) return LeftOut::no_own;
  placed.change = find_novelty(placed.novelty, level.level);
  placed.difficulty = stored_for(level.level, placed.novelty);
  placed.tier = tier_or_third(placed.difficulty);
  return level.left_out;
}

/// Gives the level its difficulty, where none is stored; or says why it is left out.
std::optional<LeftOut> place(const LevelAtRest& level, PlacedLevel& placed, DifficultySource source) {
  if (placed.difficulty) {
    return anything_novel(novel_twin(level.rest, placed.change)) ? std::nullopt
                                                                 : std::optional(LeftOut::untouched);
  }
  const Method method = covers(Method::published, placed.change) ? Method::published : Method::extended;
  const Difficulty difficulty = compute_difficulty(level.rest, placed.change,
                                                   {.method = method_of(source).value_or(method)});
  if (const std::optional<LeftOut> left_out = left_out_by(difficulty)) return left_out;
  if (source == DifficultySource::p_level) {
    placed.difficulty = stored_p_level(placed.novelty, predict_level(level.rest, placed.change).p_level);
    placed.tier = tier_or_third(placed.difficulty);
    return std::nullopt;
  }
  placed.difficulty.emplace();
  placed.difficulty->novelty = placed.novelty;
  placed.difficulty->source = source;
  placed.difficulty->alpha = difficulty.alpha;
  DifficultyValues& values = *placed.difficulty;
  values = difficulty;
  if (source == DifficultySource::simulated) values = simulated_difficulty(level.rest, placed.change);
  return std::nullopt;
}

/// By one source for all levels of a novelty, whose values are compared.
void compute_difficulties(const std::vector<LevelAtRest>& levels, std::vector<LevelToPlace>& placements,
                          const PlacingOptions& options) {
  const std::vector<DifficultySource> all = sources(options.thirds);
  std::map<std::string, std::size_t> chosen;  // by novelty
  for (const LevelToPlace& placement : placements) {
    if (placement.left_out) continue;
    std::size_t& source = chosen[placement.placed.novelty];
    while (!placement.stored && !source_covers(all[source], placement.placed.change)) ++source;
  }
  parallel_for(
      placements.size(), options.work.threads,
      [&](std::size_t i) {
        LevelToPlace& placement = placements[i];
        if (!placement.left_out)
          attempt(placement, [&] {
            return place(levels[i], placement.placed, all[chosen.at(placement.placed.novelty)]);
          });
        placement.done = true;
      },
      options.work.keep_going);
}

/// The values of those whose difficulty was computed, and with `thirds` the third of each.
std::map<std::string, ComputedDifficulty> computed_difficulties(std::vector<LevelToPlace>& placements,
                                                                bool thirds) {
  std::map<std::string, ComputedDifficulty> computed;
  const auto counts = [](const LevelToPlace& p) { return p.done && !p.left_out && !p.stored; };
  for (const LevelToPlace& placement : placements) {
    if (!counts(placement)) continue;
    const StoredDifficulty& difficulty = *placement.placed.difficulty;
    ComputedDifficulty& of_novelty = computed[placement.placed.novelty];
    of_novelty.source = difficulty.source;
    of_novelty.alpha = difficulty.alpha;
    of_novelty.values.push_back(difficulty.value);
  }
  if (!thirds) return computed;
  for (auto& [novelty, of_novelty] : computed)
    of_novelty.thirds = third_thresholds(of_novelty.values, of_novelty.alpha);
  for (LevelToPlace& placement : placements) {
    if (!counts(placement)) continue;
    PlacedLevel& placed = placement.placed;
    const ThirdThresholds& t = computed.at(placed.novelty).thirds.value();
    placed.difficulty->third = PlacedThird{third_of(placed.difficulty->value, t), t};
    placed.tier = tier_or_third(placed.difficulty);
  }
  return computed;
}

}  // namespace

PlacedSet place_levels(const std::vector<std::filesystem::path>& files,
                       std::shared_ptr<const Profile> profile, const PlacingOptions& options) {
  if (options.novelty) novelty_name(*options.novelty);
  Limit stored_tiers(options.limit);  // what is surely too much need not come to rest
  LevelsAtRest found = levels_at_rest(files, profile, options.work, [&](const StoredLevel& level) {
    const std::string novelty = novelty_of(level, options);
    const auto stored = stored_for(level, novelty);
    return !stored || stored_tiers.admits(novelty, tier_or_third(stored));
  });
  std::vector<LevelToPlace> placements;
  for (const LevelAtRest& level : found.levels) {
    LevelToPlace& placement = placements.emplace_back();
    placement.placed = {.file = level.file, .name = level.name, .novelty = novelty_of(level.level, options)};
    attempt(placement, [&] { return name_novelty(level, placement.placed); });
    placement.stored = placement.placed.difficulty.has_value();
  }
  compute_difficulties(found.levels, placements, options);
  PlacedSet set{.left_out = std::move(found.left_out),
                .computed = computed_difficulties(placements, options.thirds)};
  Limit limit(options.limit);
  for (std::size_t i = 0; i < placements.size(); ++i) {
    PlacedLevel& placed = placements[i].placed;
    if (!placements[i].done) continue;  // keep_going ended it before
    if (placements[i].left_out) {
      set.left_out.push_back({placed.file, *placements[i].left_out, placements[i].error});
      continue;
    }
    if (!limit.admits(placed.novelty, placed.tier)) continue;
    set.dropped += found.levels[i].dropped ? 1 : 0;
    set.collapsed += found.levels[i].collapsed ? 1 : 0;
    placed.level = std::move(found.levels[i].level);
    placed.rest = std::move(found.levels[i].rest);
    set.levels.push_back(std::move(placed));
  }
  return set;
}

}  // namespace startle
