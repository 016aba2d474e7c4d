#include "play/play_record.hpp"

#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/text.hpp"
#include "play/aim.hpp"

namespace startle {

std::string play_record(const PlayedWhere& where, const GameSession& session) {
  nlohmann::ordered_json json;
  json["program"] = "startle " + where.version;
  json["level"] = where.level;
  json["file"] = where.file.string();
  json["profile"] = where.profile;
  json["novelty"] = where.novelty.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(where.novelty);
  json["shots"] = nlohmann::ordered_json::array();
  for (const FlownShot& shot : session.shots())
    json["shots"].push_back({{"shot", shot_text(shot.shot)},
                             {"bird", shot.before.birds[shot.before.next_bird]},
                             {"score", shot.trace.score},
                             {"pigs_killed", shot.trace.pigs_killed},
                             {"blocks_destroyed", shot.trace.blocks_destroyed},
                             {"steps", shot.trace.steps},
                             {"end", name(shot.trace.end)},
                             {"hash", hexadecimal(shot.trace.hash)}});
  json["cleared"] = session.cleared();
  json["score"] = session.score();
  json["birds_left"] = session.scene().birds_left();
  json["pigs_left"] = session.scene().pigs_left();
  return json.dump();
}

std::string simulate_command(const PlayedWhere& where, const GameSession& session) {
  std::string command = "startle simulate " + shell_word(where.file.string());
  for (const FlownShot& shot : session.shots()) command += " --shot=" + shot_text(shot.shot);
  if (!where.novelty.empty()) command += " --novelty " + where.novelty;
  if (where.profile != "startle") command += " --profile " + where.profile;
  return command;
}

}  // namespace startle
