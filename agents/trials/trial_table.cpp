#include "agents/trials/trial_table.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/database.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"

namespace startle {

using Json = nlohmann::ordered_json;

namespace {

Json shot_json(const PlayedShot& shot) {
  Json json{{"angle", shot.shot.angle},
            {"stretch", shot.shot.stretch},
            {"tap_time", shot.shot.tap_time},
            {"novelty", shot.novelty}};
  if (!shot.description.empty()) json["description"] = shot.description;
  return json;
}

/// Throws what the JSON library throws.
PlayedShot shot_from(const Json& json) {
  return {{.angle = json.at("angle"), .stretch = json.at("stretch"), .tap_time = json.at("tap_time")},
          json.at("novelty"),
          json.value("description", "")};
}

Json levels_json(const std::vector<PlayedLevel>& levels) {
  Json json = Json::array();
  for (const PlayedLevel& level : levels) {
    Json shots = Json::array();
    for (const PlayedShot& shot : level.shots) shots.push_back(shot_json(shot));
    json.push_back({{"level", level.level},
                    {"hash", hexadecimal(level.hash)},
                    {"novel", level.novel},
                    {"birds", level.birds},
                    {"solved", level.solved},
                    {"score", level.score},
                    {"shots", std::move(shots)}});
  }
  return json;
}

/// Throws what the JSON library throws, or Error.
std::vector<PlayedLevel> levels_from(const Json& all) {
  std::vector<PlayedLevel> levels;
  for (const Json& json : all) {
    PlayedLevel& level = levels.emplace_back();
    json.at("level").get_to(level.level);
    const std::string hash = json.at("hash");
    level.hash = parse_number<std::uint64_t>(hash, 16).value_or(0);
    if (hexadecimal(level.hash) != hash)
      throw Error("found hash " + shown(hash) + ", allowed are 16 hexadecimal digits");
    json.at("novel").get_to(level.novel);
    json.at("birds").get_to(level.birds);
    json.at("solved").get_to(level.solved);
    json.at("score").get_to(level.score);
    if (std::signbit(level.score)) throw Error("found a score below 0, or -0, allowed are scores from 0");
    for (const Json& shot : json.at("shots")) level.shots.push_back(shot_from(shot));
  }
  return levels;
}

Status status_from(const std::string& text, const std::string& source) {
  for (Status status :
       {Status::ok, Status::timeout, Status::crash, Status::protocol_error, Status::invalid_action})
    if (text == name(status)) return status;
  throw Error(source + ": table trials: found status " + shown(text));
}

}  // namespace

std::string trial_words(const TrialResult& r) {
  return "trial " + std::to_string(r.trial) + " on " + r.unit + " (" + r.world + ")";
}

std::string shot_text(const PlayedShot& shot) { return shot_json(shot).dump(); }

PlayedShot shot_from_text(const std::string& text, const std::string& source) {
  try {
    return shot_from(Json::parse(text));
  } catch (const Json::exception& error) {
    throw Error(source + ": " + error.what());
  }
}

std::string levels_text(const std::vector<PlayedLevel>& levels) { return levels_json(levels).dump(); }

std::string trial_text(const TrialResult& r) {
  return Json{{"agent", r.agent},     {"unit", r.unit},           {"world", r.world},
              {"trial", r.trial},     {"novelty", r.novelty},     {"tier", r.tier},
              {"shift", r.shift},     {"status", name(r.status)}, {"error", valid_text(r.error)},
              {"retries", r.retries}, {"process", r.process},     {"levels", levels_json(r.levels)}}
      .dump();
}

TrialResult trial_from_text(const std::string& text, const std::string& source) {
  try {
    const Json json = Json::parse(text);
    return {.agent = json.at("agent"),
            .unit = json.at("unit"),
            .world = json.at("world"),
            .trial = json.at("trial"),
            .novelty = json.at("novelty"),
            .tier = json.at("tier"),
            .shift = json.at("shift"),
            .status = status_from(json.at("status"), source),
            .error = json.at("error"),
            .retries = json.at("retries"),
            .process = json.at("process"),
            .levels = levels_from(json.at("levels"))};
  } catch (const Json::exception& error) {
    throw Error(source + ": " + error.what());
  }
}

std::string valid_text(std::string text) {
  for (std::size_t bad; (bad = first_invalid_utf8(text)) != std::string_view::npos;) text[bad] = '?';
  return text;
}

std::string trials_table(const std::string& first) {
  return "CREATE TABLE trials (\n  " + first + R"sql( TEXT NOT NULL, unit TEXT NOT NULL, world TEXT NOT NULL,
  trial INTEGER NOT NULL, novelty TEXT NOT NULL, tier TEXT NOT NULL, shift INTEGER NOT NULL,
  status TEXT NOT NULL, error TEXT NOT NULL, retries INTEGER NOT NULL,
  levels TEXT NOT NULL, process TEXT NOT NULL,
  PRIMARY KEY ()sql" +
         first + ", unit, world, trial)) WITHOUT ROWID";
}

bool add_trial(Database& database, const std::string& first, const TrialResult& r) {
  Statement(database, "INSERT OR IGNORE INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
      .bind(first)
      .bind(r.unit)
      .bind(r.world)
      .bind(r.trial)
      .bind(r.novelty)
      .bind(r.tier)
      .bind(r.shift)
      .bind(name(r.status))
      .bind(valid_text(r.error))
      .bind(r.retries)
      .bind(levels_text(r.levels))
      .bind(r.process)
      .step();
  return database.changes() == 1;
}

std::vector<TrialResult> read_trials(const Database& database) {
  std::vector<TrialResult> all;
  std::vector<std::string> levels;  // read last, and by all threads: that takes the time
  Statement rows(database, "SELECT * FROM trials ORDER BY 1, 2, 3, 4");
  while (rows.step()) {
    TrialResult r{.agent = rows.text(0),
                  .unit = rows.text(1),
                  .world = rows.text(2),
                  .trial = rows.number(3),
                  .novelty = rows.text(4),
                  .tier = rows.text(5),
                  .shift = rows.number(6)};
    r.status = status_from(rows.text(7), database.file());
    r.error = rows.text(8);
    r.retries = rows.number(9);
    levels.push_back(rows.text(10));
    r.process = rows.text(11);
    all.push_back(std::move(r));
  }
  constexpr std::size_t block = 256;
  parallel_for((all.size() + block - 1) / block, 0, [&](std::size_t b) {
    for (std::size_t i = b * block; i < std::min(all.size(), (b + 1) * block); ++i) try {
        all[i].levels = levels_from(Json::parse(levels[i]));
        if (levels_text(all[i].levels) != levels[i])
          throw Error(trial_words(all[i]) +
                      ": found other keys, numbers or blanks than Startle writes, or a key twice");
      } catch (const std::exception& error) {  // of the JSON library, or Error
        throw Error(database.file() + ": table trials, column levels: " + error.what());
      }
  });
  return all;
}

}  // namespace startle
