#include "play/recording.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "agents/trials/runner.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/hash.hpp"
#include "levels/level_file.hpp"
#include "levels/level_json.hpp"
#include "play/catalogue.hpp"
#include "sim/novelty.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

using Json = nlohmann::json;

std::string first_bytes(const std::filesystem::path& path, std::size_t count) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes(count, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return bytes;
}

FlownShot flown(const Scene& before, const Shot& shot) {
  GameSession session(before);
  session.shoot(shot);
  session.finish();
  return session.shots().back();
}

EventKind event_kind(const std::string& text) {
  for (int i = 0; i <= static_cast<int>(EventKind::bird_gone); ++i)
    if (name(static_cast<EventKind>(i)) == text) return static_cast<EventKind>(i);
  throw Error("event of kind '" + text + "'");
}

/// What the file says of the shot, in place of what this program computes.
void put_recorded(const Json& json, FlownShot& shot) {
  Trace trace;
  trace.step_s = shot.trace.step_s;
  trace.record_every = 1;
  for (const Json& event : json.at("events"))
    trace.events.push_back({event.at("step"),
                            event_kind(event.at("kind")),
                            event.at("a"),
                            event.at("b"),
                            event.at("value"),
                            {event.at("x"), event.at("y")}});
  for (const Json& frame : json.at("frames")) {
    Frame read{frame.at("step"), {}};
    for (const Json& body : frame.at("bodies"))
      read.bodies.push_back({body.at(0), {{body.at(1), body.at(2)}, body.at(3)}, body.at(4)});
    std::sort(read.bodies.begin(), read.bodies.end(),
              [](const BodyState& a, const BodyState& b) { return a.id < b.id; });
    // Whoever shows a shot counts on a frame for each step, and on ids that stand for something.
    if (read.step != static_cast<int>(trace.frames.size()))
      throw Error("frame " + std::to_string(trace.frames.size()) + " is of step " +
                  std::to_string(read.step));
    if (!read.bodies.empty() && read.bodies.front().id < 0)
      throw Error("a body with the id " + std::to_string(read.bodies.front().id));
    trace.frames.push_back(std::move(read));
  }
  if (trace.frames.empty()) throw Error("a shot without frames");
  trace.steps = static_cast<int>(trace.frames.size()) - 1;
  trace.score = json.at("score");
  trace.pigs_killed = json.at("pigs_killed");
  trace.blocks_destroyed = json.at("blocks_destroyed");
  shot.trace = std::move(trace);
  shot.scores.assign(shot.trace.frames.size(), 0);
  for (const Event& event : shot.trace.events)
    if (event.kind == EventKind::destroyed)
      for (std::size_t i = static_cast<std::size_t>(std::max(event.step, 0)); i < shot.scores.size(); ++i)
        shot.scores[i] += event.value;
  shot.scores.back() = shot.trace.score;
}

}  // namespace

bool is_sqlite_file(const std::filesystem::path& path) { return first_bytes(path, 15) == "SQLite format 3"; }

bool is_trace_file(const std::filesystem::path& path) {
  if (!first_bytes(path, 1).starts_with('{')) return false;
  // A level has no such key.
  return read_file(path).find("\"step_s\"") != std::string::npos;
}

Recording read_trace(const std::filesystem::path& path) {
  Recording recording;
  const auto damaged = [&](const std::string& why) {
    return Error(path.string() + ": is no trace that can be shown: " + why);
  };
  try {
    const Json json = Json::parse(read_file(path));
    if (!json.contains("level_data"))
      throw damaged(
          "it does not hold its level (key level_data); startle simulate --trace of this version writes it");
    if (!json.contains("shots") || !json.at("shots").is_array() || json.at("shots").empty())
      throw damaged("it holds no shots");
    recording.level = level_from_json(json.at("level_data").dump(), path.string());
    recording.source = "trace of " + json.at("program").get<std::string>();
    if (!json.at("novelty").is_null()) recording.novelty = json.at("novelty");
    recording.start = settle(make_scene(recording.level, profile(json.at("profile"))));
    if (!recording.novelty.empty())
      recording.start = novel_twin(recording.start, find_novelty(recording.novelty, recording.level));
    Scene before = recording.start;
    for (const Json& shot : json.at("shots")) {
      const std::string number = std::to_string(recording.shots.size() + 1);
      if (before.cleared() || before.birds_left() == 0)
        throw damaged("there is no " + std::string(before.cleared() ? "pig" : "bird") + " for shot " +
                      number);
      const Json& tap = shot.at("tap_s");
      FlownShot again = flown(before, {radians(shot.at("angle_deg").get<double>()), shot.at("stretch"),
                                       tap.is_null() ? -1 : tap.get<double>()});
      before = again.after;
      const std::string here = hexadecimal(again.trace.hash), there = shot.at("hash");
      if (here != there) {
        if (recording.warning.empty())
          recording.warning = "This program computes shot " + number + " otherwise: hash " + here +
                              " here, " + there + " recorded. Shown as recorded.";
        put_recorded(shot, again);
      }
      recording.shots.push_back(std::move(again));
    }
  } catch (const Json::exception& error) {
    throw damaged(error.what());
  } catch (const Error& error) {
    const std::string message = error.what();
    throw message.starts_with(path.string()) ? Error(message) : damaged(message);
  }
  return recording;
}

bool TrialFilter::passes(const TrialEntry& entry) const {
  const auto is = [](const std::string& wanted, const std::string& value) {
    return wanted.empty() || wanted == value;
  };
  return is(agent, entry.agent) && is(novelty, entry.novelty) && is(tier, entry.tier) &&
         is(world, entry.world) && is(status, entry.status) && contains_words(entry.name, level);
}

RecordedTrials::RecordedTrials(std::filesystem::path file, const std::vector<std::filesystem::path>& levels,
                               const std::vector<MappedName>& map)
    : file_(std::move(file)),
      results_(read_results({file_})),
      profile_(recorded_profile(results_.manifest, file_.string())),
      files_(find_level_files(levels), map) {
  for (std::size_t t = 0; t < results_.trials.size(); ++t) {
    const TrialResult& trial = results_.trials[t];
    for (std::size_t l = 0; l < trial.levels.size(); ++l) {
      const PlayedLevel& played = trial.levels[l];
      // What went wrong went wrong in the last level that was played.
      const Status status = l + 1 == trial.levels.size() ? trial.status : Status::ok;
      entries_.push_back({t, l, trial.agent, played.level, trial.novelty, trial.tier,
                          played.novel ? "novel" : "normal", name(status), trial.trial, played.solved,
                          played.score, played.shots.size(),
                          played.shots.empty() ? -1 : played.shots.back().novelty});
    }
  }
}

Recording RecordedTrials::open(const TrialEntry& entry) {
  const TrialResult& trial = results_.trials.at(entry.trial);
  const PlayedLevel& played = trial.levels.at(entry.level);
  PlayedLevelFiles::Found found = files_.find(played.level, played.hash);
  const PlayableLevel playable = playable_levels({found.level}, profile_, trial.novelty, 1).front();
  Recording recording{.level = std::move(found.level),
                      .file = std::move(found.file),
                      .novelty = played.novel ? trial.novelty : ""};
  recording.source = trial.agent + (trial.trial > 0 ? ", trial " + std::to_string(trial.trial) : "");
  if (entry.status != name(Status::ok)) recording.source += ", ended with " + entry.status;
  recording.start = played.novel ? playable.novel : playable.normal;
  GameSession session(recording.start);
  for (const PlayedShot& shot : played.shots) {
    if (session.over()) break;
    session.shoot(shot.shot);
    session.finish();
    char likely[64];
    std::snprintf(likely, sizeof likely, "novelty reported: %.3g", shot.novelty);
    recording.remarks.push_back(likely + (shot.description.empty() ? "" : ", " + shot.description));
  }
  recording.shots = session.shots();
  if (const std::string difference = replay_difference(trial, played, session.cleared(), session.score());
      !difference.empty())
    recording.warning = "This program computes otherwise: " + difference + ". They were flown by " +
                        results_.manifest.at("program") + ".";
  else if (session.shots().size() < played.shots.size())
    recording.warning = "This program computes otherwise: the level is over after " +
                        std::to_string(session.shots().size()) + " of " +
                        std::to_string(played.shots.size()) + " shots.";
  return recording;
}

}  // namespace startle
