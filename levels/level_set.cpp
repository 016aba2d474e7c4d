#include "levels/level_set.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "core/json_tree.hpp"
#include "levels/level_json.hpp"
#include "statistics/intervals.hpp"

namespace startle {

std::string level_set_member(const std::string& family, std::uint64_t seed, std::uint64_t index) {
  std::string number = std::to_string(index);
  if (number.size() < 4) number.insert(0, 4 - number.size(), '0');
  return family + "-" + std::to_string(seed) + "-" + number;
}

std::uint64_t level_set_hash(const std::vector<StoredLevel>& levels) {
  Hash hash;
  for (const StoredLevel& level : levels) hash.add(level_to_json(level));
  return hash.value();
}

namespace {

/// Of the folder, null where there is none. Throws Error when it is not one of ours.
nlohmann::ordered_json manifest_of(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "manifest.json";
  if (!std::filesystem::exists(path)) return {};
  try {
    nlohmann::ordered_json manifest = nlohmann::ordered_json::parse(read_file(path));
    if (manifest.at("format") != "startle-level-set") throw Error("");
    for (const std::string file : manifest.at("levels"))
      if (std::filesystem::path(file).filename() != file) throw Error("");
    return manifest;
  } catch (const std::exception&) {
    throw Error(path.string() +
                ": is no manifest of a level set; choose another folder, or take the file away");
  }
}

/// Share of the shots counted by `of` that make the novelty visible, with its interval over levels.
nlohmann::ordered_json visible_share(const std::vector<StoredLevel>& levels, Rate StoredShots::*of) {
  const auto share = [&](const std::vector<std::size_t>& chosen) -> std::optional<double> {
    Rate rate;
    for (const std::size_t i : chosen) {
      const Rate& visible = levels[i].difficulty->visible_shots.value().*of;
      rate.hits += visible.hits;
      rate.count += visible.count;
    }
    return rate.value();
  };
  std::vector<std::size_t> all(levels.size());
  std::iota(all.begin(), all.end(), 0);
  nlohmann::ordered_json json{{"share", share(all).value_or(0)}};
  if (const auto interval = bootstrap_interval(levels.size(), share, 1))
    json["interval"] = {interval->low, interval->high};
  return json;
}

}  // namespace

std::vector<std::string> level_set_files(const std::filesystem::path& folder) {
  const nlohmann::ordered_json manifest = manifest_of(folder);
  return manifest.is_null() ? std::vector<std::string>{}
                            : manifest.at("levels").get<std::vector<std::string>>();
}

void record_observed(const std::filesystem::path& folder, const ObservedSet& observed) {
  nlohmann::ordered_json manifest = manifest_of(folder);
  if (manifest.is_null()) throw Error(folder.string() + ": holds no manifest.json");
  const auto share = [](const Estimate& estimate) {
    nlohmann::ordered_json json{{"share", nullptr}};
    if (estimate.value) json["share"] = *estimate.value;
    if (estimate.interval) json["interval"] = {estimate.interval->low, estimate.interval->high};
    return json;
  };
  nlohmann::ordered_json levels = manifest.at("levels");
  manifest.erase("levels");
  manifest["observed"] = {{"program_version", observed.version},
                          {"shots", observed.shots},
                          {"aim_noise", observed.aim_noise},
                          {"detected", share(observed.detected)},
                          {"false_alarms", share(observed.false_alarms)}};
  manifest["levels"] = std::move(levels);  // stay last
  write_file(folder / "manifest.json", manifest.dump(2) + "\n");
}

void write_level_set(const std::vector<StoredLevel>& levels, const std::filesystem::path& folder,
                     const LevelSetInfo& info) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw Error(folder.string() + ": the folder cannot be made: " + error.message());

  const std::vector<std::string> before = level_set_files(folder);

  std::vector<std::string> files;
  for (const StoredLevel& level : levels) {
    const std::string file = level.name + ".json";
    write_file(folder / file, level_to_json(level));
    files.push_back(file);
  }
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
    if (const auto measure = measure_of(*info.goal)) manifest["difficulty"]["alpha"] = measure->alpha;
    const auto tier = tier_of(*info.goal);
    if (tier)
      manifest["difficulty"]["tier"] = name(tier->tier);
    else
      manifest["difficulty"]["range"] = range_of(*info.goal);
    if (const auto thresholds = tier ? tier->thresholds : info.placed_by)
      manifest["thresholds"][novelty.name] = {{"low", thresholds->low},
                                              {"high", thresholds->high},
                                              {"count", thresholds->count},
                                              {"alpha", thresholds->alpha}};
    if (std::holds_alternative<VerifiedTierGoal>(*info.goal)) {
      const std::size_t verified = levels.size() + static_cast<std::size_t>(info.counts.near_duplicates +
                                                                            info.counts.surplus);
      manifest["verified"] = {{"fitted", verified + static_cast<std::size_t>(info.counts.unverified)},
                              {"verified", verified},
                              {"aim_noise", search_noise.sd},
                              {"shots", search_noise.launches}};
      manifest["verified"]["best"] = visible_share(levels, &StoredShots::best);
      manifest["verified"]["random"] = visible_share(levels, &StoredShots::random);
      manifest["verified"]["solution"] = visible_share(levels, &StoredShots::solution);
    }
    if (info.diversity)
      manifest["diversity"] = {{"mean", info.diversity->mean},
                               {"least", info.diversity->least},
                               {"nearest", info.diversity->nearest}};
  }
  manifest["levels"] = files;
  write_file(folder / "manifest.json", manifest.dump(2) + "\n");
  for (const std::string& file : before)
    if (std::find(files.begin(), files.end(), file) == files.end())
      std::filesystem::remove(folder / file, error);
}

TierThresholds read_thresholds(const std::filesystem::path& path, const DifficultyMeasure& measure) {
  const std::string source = path.string(), method = name(source_of(measure));
  const JsonNode root = parse_json(read_file(path), source);
  const JsonView json(root, source);
  // Manifests say the method under difficulty, tables beside the thresholds; studies hold both methods.
  const bool of_study = !json.has("difficulty") && !json.has("method"),
             extended = of_study && measure.method == Method::extended && json.has("extended");
  if (!of_study)
    (json.has("difficulty") ? json.at("difficulty") : json).at("method").string_of({method});
  else if (!extended && measure.method != Method::published)
    throw Error(source + ": thresholds of method published, wanted are those of " + method);
  const JsonView thresholds =
      (extended ? json.at("extended") : json).at("thresholds").at(measure.novelty->name);
  TierThresholds result;
  result.low = thresholds.at("low").number();
  result.high = thresholds.at("high").number_from(result.low);
  result.count = static_cast<std::size_t>(thresholds.at("count").natural());
  result.alpha = thresholds.at("alpha").number();
  return result;
}

}  // namespace startle
