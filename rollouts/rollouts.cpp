#include "rollouts/rollouts.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "agents/trials/runner.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "levels/level_json.hpp"
#include "levels/level_set.hpp"
#include "rollouts/croissant.hpp"
#include "rollouts/shard_file.hpp"
#include "sim/rest.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

/// Of bytes that come in parts.
class Sha256 {
 public:
  Sha256() { crypto_hash_sha256_init(&state_); }
  void add(std::string_view bytes) {
    crypto_hash_sha256_update(&state_, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  }
  std::string text() {
    std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
    crypto_hash_sha256_final(&state_, hash.data());
    std::string text;
    for (const unsigned char byte : hash) {
      text += "0123456789abcdef"[byte >> 4];
      text += "0123456789abcdef"[byte & 15];
    }
    return text;
  }

 private:
  crypto_hash_sha256_state state_;
};

std::string sha256_of(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.text();
}

/// Empty where the file cannot be read.
std::string sha256_of_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  Sha256 hash;
  std::array<char, 1 << 16> buffer;
  while (file.read(buffer.data(), buffer.size()), file.gcount() > 0)
    hash.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  return hash.text();
}

constexpr const char* description_name = "croissant.json";

std::string shard_name(std::size_t number) {
  const std::string digits = std::to_string(number);
  return "rollouts-" + std::string(digits.size() < 5 ? 5 - digits.size() : 0, '0') + digits + ".h5";
}

Json settings_json(const std::vector<RolloutLevel>& levels, const RolloutSettings& settings) {
  Hash of_levels;
  for (const RolloutLevel& level : levels) {
    of_levels.add(level.playable.hash);
    for (const std::string& text :
         {level.playable.name, level.set, level.playable.novelty, level.playable.tier})
      of_levels.add(text + "\n");
  }
  const RolloutRecording& recording = settings.recording;
  Json agents = Json::object();
  for (const AgentSpec& agent : settings.agents) agents[agent.name] = fingerprint(agent);
  return {
      {"program", settings.program},
      {"profile", profile_fingerprint(*profile(settings.profile))},
      {"levels", std::to_string(levels.size()) + " " + hexadecimal(of_levels.value())},
      {"novelty", settings.novelty},
      {"agents", agents},
      {"trials", settings.trials},
      {"seed", settings.seed},
      {"every", recording.every},
      {"size", recording.width > 0 ? std::to_string(recording.width) + "x" + std::to_string(recording.height)
                                   : "none"},
      {"masks", recording.masks},
      {"shard_size", settings.shard_size}};
}

/// rollouts.json.
class RolloutList {
 public:
  RolloutList(fs::path path, const std::vector<RolloutLevel>& levels, const RolloutSettings& settings)
      : path_(std::move(path)) {
    json_ = {{"format", rollouts_format},
             {"version", rollouts_version},
             {"command", settings.command},
             {"complete", false},
             {"settings", settings_json(levels, settings)}};
    json_["levels"] = Json::array();
    for (const RolloutLevel& level : levels)
      json_["levels"].push_back({{"level", level.playable.name},
                                 {"set", level.set},
                                 {"novelty", level.playable.novelty},
                                 {"tier", level.playable.tier}});
    json_["shards"] = Json::array();
  }

  /// The shards that the file in the folder lists. Throws Error where it is of other settings.
  std::vector<ShardRecord> listed() const {
    std::error_code none;
    if (!fs::exists(path_, none)) {
      for (const fs::directory_entry& entry : fs::directory_iterator(path_.parent_path(), none))
        throw Error(entry.path().string() +
                    ": is there, and no rollouts.json that lists it; choose another folder");
      return {};
    }
    try {
      const Json there = Json::parse(read_file(path_));
      if (there.at("format") != rollouts_format || there.at("version") != rollouts_version)
        throw Error(path_.string() + ": is no list of rollouts of this version; choose another folder");
      for (const auto& [key, value] : json_["settings"].items())
        if (const Json found = there.at("settings").value(key, Json()); found != value)
          throw Error(path_.string() + ": the rollouts there were made with another " + key + ": found " +
                      found.dump() + ", asked for is " + value.dump() + "; choose another folder");
      std::vector<ShardRecord> shards;
      for (const Json& shard : there.at("shards")) {
        ShardRecord record{
            .file = shard.at("file"), .sha256 = shard.at("sha256"), .bytes = shard.at("bytes")};
        if (!is_file_name(record.file))
          throw Error(path_.string() + ": found " + shown(record.file) +
                      " as a shard, allowed are names of files in this folder; choose another folder");
        for (const auto& [table, rows] : shard.at("rows").items()) record.rows[table] = rows;
        shards.push_back(std::move(record));
      }
      return shards;
    } catch (const Json::exception&) {
      throw Error(path_.string() + ": is no list of rollouts; choose another folder");
    }
  }

  void write(const std::vector<ShardRecord>& shards, bool complete) {
    json_["complete"] = complete;
    json_["shards"] = Json::array();
    for (const ShardRecord& shard : shards) {
      Json rows = Json::object();
      for (const TableInfo& table : rollout_tables()) rows[table.name] = shard.rows.at(table.name);
      json_["shards"].push_back(
          {{"file", shard.file}, {"sha256", shard.sha256}, {"bytes", shard.bytes}, {"rows", rows}});
    }
    write_file(path_, json_.dump(2) + "\n");
  }

 private:
  fs::path path_;
  Json json_;
};

void require_valid(const std::vector<RolloutLevel>& levels, const RolloutSettings& settings) {
  if (levels.empty()) throw Error("rollouts: no level can be played");
  std::set<std::string> names;
  EpisodeRow row;
  for (const AgentSpec& agent : settings.agents) {
    put_text(row.agent, agent.name, "agent");
    if (!names.insert(agent.name).second)
      throw Error("rollouts: agent '" + agent.name + "': found twice; NAME=COMMAND gives another name");
  }
  for (const RolloutLevel& level : levels) {
    put_text(row.level, level.playable.name, "level");
    put_text(row.set, level.set, "folder of levels");
  }
}

/// The finished shards of an earlier run that are whole, by file.
std::map<std::string, ShardRecord> whole_shards(std::vector<ShardRecord> listed, const fs::path& folder) {
  std::map<std::string, ShardRecord> whole;
  for (ShardRecord& shard : listed)
    if (sha256_of_file(folder / shard.file) == shard.sha256) whole[shard.file] = std::move(shard);
  return whole;
}

/// In the order of the plans; empty where keep_going ended it before.
std::optional<RolloutTables> play_episodes(const std::vector<RolloutLevel>& levels,
                                           std::span<const EpisodePlan> plans,
                                           const RolloutSettings& settings, const RolloutOptions& options) {
  RolloutTables tables;
  std::size_t taken = 0;
  parallel_in_order<RolloutTables>(
      plans.size(), options.threads,
      [&](std::size_t i) {
        const EpisodePlan& plan = plans[i];
        return play_episode(levels[plan.level], plan, settings.agents[plan.agent], settings.seed,
                            settings.recording);
      },
      [&](RolloutTables&& episode) {
        tables.append(std::move(episode));
        ++taken;
        if (options.progress) options.progress();
        return true;
      },
      options.keep_going);
  if (taken < plans.size()) return std::nullopt;
  return tables;
}

ShardRecord write_shard(const fs::path& path, const RolloutTables& tables, const RolloutSettings& settings) {
  const std::string bytes = shard_bytes(tables, settings.recording,
                                        {{"program", settings.program}, {"command", settings.command}});
  write_file(path, bytes);
  ShardRecord record{.file = path.filename().string(), .sha256 = sha256_of(bytes), .bytes = bytes.size()};
  for_each_table(
      tables, [&](const TableInfo& table, const void*, std::size_t rows) { record.rows[table.name] = rows; });
  return record;
}

}  // namespace

std::vector<RolloutLevel> rollout_levels(const LevelsAtRest& set, const std::string& novelty,
                                         std::vector<LeftOutLevel>& left_out) {
  const std::string common = novelty.empty() || novelty == "stored" ? "" : novelty_name(novelty);
  std::vector<RolloutLevel> levels;
  for (const LevelAtRest& level : set.levels) {
    const std::optional<StoredDifficulty>& stored = level.level.difficulty;
    const std::string played = novelty != "stored" ? common : stored ? stored->novelty : "";
    std::optional<LeftOut> why = level.left_out;
    if (!why && novelty == "stored" && !stored) why = LeftOut::no_novelty;
    if (!why && played == "own" && !level.level.novelty) why = LeftOut::no_own;
    RolloutLevel made{.playable = {.name = level.name,
                                   .hash = level_hash(level.level),
                                   .novelty = played,
                                   .tier = stored && stored->novelty == played ? tier_or_third(stored) : "",
                                   .normal = taken_at_rest(level.rest)},
                      .set = fs::absolute(level.file).lexically_normal().parent_path().filename().string()};
    if (!why && !played.empty()) {
      made.playable.change = find_novelty(played, level.level);
      made.playable.novel = novel_twin(made.playable.normal, made.playable.change);
      if (!anything_novel(made.playable.novel)) why = LeftOut::untouched;
    }
    if (why)
      left_out.push_back({level.file, *why, {}});
    else
      levels.push_back(std::move(made));
  }
  return levels;
}

std::vector<EpisodePlan> plan_episodes(const std::vector<RolloutLevel>& levels,
                                       const RolloutSettings& settings) {
  std::vector<EpisodePlan> plans;
  for (std::size_t level = 0; level < levels.size(); ++level)
    for (const bool novel : {false, true}) {
      if (novel && levels[level].playable.novelty.empty()) continue;
      for (std::size_t agent = 0; agent < settings.agents.size(); ++agent)
        for (int trial = 0; trial < settings.trials; ++trial) plans.push_back({level, agent, novel, trial});
    }
  return plans;
}

RolloutSummary make_rollouts(const fs::path& folder, const std::vector<RolloutLevel>& levels,
                             const RolloutSettings& settings, const RolloutOptions& options) {
  require_valid(levels, settings);
  const std::vector<EpisodePlan> plans = plan_episodes(levels, settings);
  RolloutList list(folder / "rollouts.json", levels, settings);
  std::map<std::string, ShardRecord> finished = whole_shards(list.listed(), folder);
  RolloutSummary summary;
  summary.found = finished.size();
  const auto plans_of = [&](std::size_t shard) {
    const std::size_t first = shard * settings.shard_size;
    return std::span(plans).subspan(first, std::min(settings.shard_size, plans.size() - first));
  };
  const std::size_t shards = (plans.size() + settings.shard_size - 1) / settings.shard_size;
  std::size_t missing = 0;
  for (std::size_t shard = 0; shard < shards; ++shard)
    if (!finished.contains(shard_name(shard))) missing += plans_of(shard).size();
  if (options.expect) options.expect(missing);

  const auto write_list = [&](bool complete) {
    summary.shards.clear();
    for (const auto& [file, shard] : finished) summary.shards.push_back(shard);
    list.write(summary.shards, complete);
  };
  write_list(false);
  for (std::size_t shard = 0; shard < shards; ++shard) {
    const std::string file = shard_name(shard);
    if (finished.contains(file)) continue;
    const std::optional<RolloutTables> tables = play_episodes(levels, plans_of(shard), settings, options);
    if (!tables) return summary;
    const ShardRecord& written = finished[file] = write_shard(folder / file, *tables, settings);
    summary.frames_made += written.rows.at("frames");
    write_list(false);
  }
  // The description last: a folder that has it is whole.
  write_list(true);
  write_file(folder / description_name, rollouts_croissant(settings, summary.shards));
  summary.complete = true;
  return summary;
}

}  // namespace startle
