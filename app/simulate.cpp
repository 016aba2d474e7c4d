/// \file  startle simulate: shots at one level.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "app/reports/shot_angle.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "difficulty/impact_score.hpp"
#include "levels/level_json.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

struct SimulateOptions {
  CommonOptions common;
  std::string level;
  std::vector<std::string> shots;
  std::string novelty;
  std::optional<std::string> trace;
  Output output;
};

/// Names of the bodies of a trace: the scene's objects, then the bird and what came out of it.
std::string body_name(BodyId id, const Scene& scene, const std::string& bird) {
  if (id == ground_id) return "ground";
  if (static_cast<std::size_t>(id) < scene.objects.size())
    return "#" + std::to_string(id) + " " + appearance(scene.objects[static_cast<std::size_t>(id)]);
  const std::size_t later = static_cast<std::size_t>(id) - scene.objects.size();
  return later == 0 ? bird : bird + " +" + std::to_string(later);
}

struct ShotSummary {
  std::size_t contacts = 0, spawned = 0, explosions = 0, taps = 0;
  double damage = 0;
};

ShotSummary summarise(const Trace& trace) {
  ShotSummary summary;
  for (const Event& event : trace.events) {
    if (event.kind == EventKind::contact) ++summary.contacts;
    if (event.kind == EventKind::spawn) ++summary.spawned;
    if (event.kind == EventKind::explosion) ++summary.explosions;
    if (event.kind == EventKind::tap) ++summary.taps;
    if (event.kind == EventKind::damage) summary.damage += event.value;
  }
  return summary;
}

std::string text_of(const Scene& start, const std::vector<Shot>& shots, const PlayResult& result,
                    double shift) {
  std::string text = "birds " + std::to_string(start.birds_left()) + ", pigs " +
                     std::to_string(start.pigs_left()) + ", objects " + std::to_string(start.objects.size()) +
                     "; settling moved at most " + fixed(shift, 4) + "\n";
  for (std::size_t i = 0; i < result.traces.size(); ++i) {
    const Trace& trace = result.traces[i];
    const std::string& bird = start.birds[start.next_bird + i];
    text += "\nshot " + std::to_string(i + 1) + ": " + bird + " at " + shortest(angle_deg(shots[i])) +
            " degrees";
    if (shots[i].stretch < 1) text += ", stretch " + shortest(shots[i].stretch);
    if (shots[i].tap_time >= 0) text += ", tap at " + shortest(shots[i].tap_time) + " s";
    text += "\n";
    const ShotSummary summary = summarise(trace);
    text += "  contacts " + std::to_string(summary.contacts) + ", damage " + fixed(summary.damage, 1) +
            " hit points, taps " + std::to_string(summary.taps) + ", explosions " +
            std::to_string(summary.explosions) + "\n";
    for (const Event& event : trace.events) {
      if (event.kind != EventKind::destroyed && event.kind != EventKind::out_of_world &&
          event.kind != EventKind::explosion)
        continue;
      text += "  " + fixed(event.step * trace.step_s, 2) + " s  " + name(event.kind) + "  " +
              body_name(event.a, start, bird) + "\n";
    }
    text += "  pigs killed " + std::to_string(trace.pigs_killed) + ", blocks destroyed " +
            std::to_string(trace.blocks_destroyed) + ", score " + shortest(trace.score) + "\n";
    text += "  end: " + std::string(name(trace.end)) + " after " + std::to_string(trace.steps) + " steps (" +
            fixed(trace.steps * trace.step_s, 2) + " s), hash " + hexadecimal(trace.hash) + "\n";
  }
  return text + "\n" + (result.cleared ? "cleared" : "not cleared") + ", score " +
         shortest(result.scene.score) + ", birds left " + std::to_string(result.scene.birds_left()) +
         ", pigs left " + std::to_string(result.scene.pigs_left()) + "\n";
}

Json header(const SimulateOptions& options, const StoredLevel& level) {
  Json json;
  json["program"] = "startle " STARTLE_VERSION;
  json["level"] = level.name;
  json["profile"] = options.common.profile;
  json["novelty"] = options.novelty.empty() ? Json() : Json(options.novelty);
  return json;
}

Json shot_json(const Scene& start, std::size_t i, const Shot& shot, const Trace& trace) {
  Json json;
  json["bird"] = start.birds[start.next_bird + i];
  json["angle_deg"] = angle_deg(shot);
  json["stretch"] = shot.stretch;
  json["tap_s"] = shot.tap_time >= 0 ? Json(shot.tap_time) : Json();
  const ShotSummary summary = summarise(trace);
  json["contacts"] = summary.contacts;
  json["damage"] = summary.damage;
  json["taps"] = summary.taps;
  json["explosions"] = summary.explosions;
  json["pigs_killed"] = trace.pigs_killed;
  json["blocks_destroyed"] = trace.blocks_destroyed;
  json["score"] = trace.score;
  json["end"] = name(trace.end);
  json["steps"] = trace.steps;
  json["hash"] = hexadecimal(trace.hash);
  return json;
}

Json events_json(const Trace& trace) {
  Json events = Json::array();
  for (const Event& e : trace.events)
    events.push_back({{"step", e.step},
                      {"kind", name(e.kind)},
                      {"a", e.a},
                      {"b", e.b},
                      {"value", e.value},
                      {"x", e.position.x},
                      {"y", e.position.y}});
  return events;
}

/// Everything the engine recorded. Bodies are [id, x, y, angle in radians, life].
Json trace_json(const SimulateOptions& options, const StoredLevel& level, const Scene& start,
                const std::vector<Shot>& shots, const PlayResult& result) {
  Json json = header(options, level);
  json["level_data"] = Json::parse(level_to_json(level));  // a trace can be shown again without the level's
                                                           // file
  json["step_s"] = start.profile->step;
  Json objects = Json::array();
  for (std::size_t i = 0; i < start.objects.size(); ++i) {
    const SceneObject& object = start.objects[i];
    objects.push_back(
        {{"id", i}, {"kind", name(object.kind)}, {"type", object.type}, {"material", name(object.material)}});
  }
  json["objects"] = objects;
  json["shots"] = Json::array();
  for (std::size_t i = 0; i < result.traces.size(); ++i) {
    Json shot = shot_json(start, i, shots[i], result.traces[i]);
    shot["events"] = events_json(result.traces[i]);
    Json frames = Json::array();
    for (const Frame& frame : result.traces[i].frames) {
      Json bodies = Json::array();
      for (const BodyState& body : frame.bodies)
        bodies.push_back({body.id, body.pose.position.x, body.pose.position.y, body.pose.angle, body.life});
      frames.push_back({{"step", frame.step}, {"bodies", bodies}});
    }
    shot["frames"] = frames;
    json["shots"].push_back(shot);
  }
  return json;
}

void simulate(const SimulateOptions& options) {
  std::vector<Shot> shots;
  for (const std::string& text : options.shots) shots.push_back(parse_shot(text));
  const auto constants = profile(options.common.profile);
  const StoredLevel level = load_level(options.level, *constants, options.common.quiet, {}, options.novelty);
  const std::optional<Novelty> novelty = chosen_novelty(options.novelty, level);
  const SettleResult settled = settled_level(level, constants, options.level, options.common.quiet);
  Scene start = settled.scene;
  if (novelty) {
    start = novel_twin(start, *novelty);
    const bool novel = anything_novel(start);
    if (!novel && !options.common.quiet)
      report("the level holds no object that novelty " + options.novelty + " changes");
  }
  const PlayResult result = play(start, shots,
                                 {.record_every = options.trace ? 1 : 0, .record_events = true});
  if (result.traces.size() < shots.size() && !options.common.quiet)
    report("only " + std::to_string(result.traces.size()) + " of " + std::to_string(shots.size()) +
           " shots were used: " + (result.cleared ? "the level was cleared" : "no bird was left"));
  if (options.trace)
    write_file(*options.trace, trace_json(options, level, start, shots, result).dump() + "\n");
  if (!options.output.is("json")) {
    const std::string head = "level " + level.name + ", profile " + options.common.profile + ", novelty " +
                             (options.novelty.empty() ? "none" : options.novelty) + "\n";
    emit(head + text_of(start, shots, result, settled.shift), options.output.out);
    return;
  }
  Json json = header(options, level);
  json["birds"] = start.birds_left();
  json["pigs"] = start.pigs_left();
  json["objects"] = start.objects.size();
  json["settle_shift"] = settled.shift;
  json["shots"] = Json::array();
  for (std::size_t i = 0; i < result.traces.size(); ++i) {
    Json shot = shot_json(start, i, shots[i], result.traces[i]);
    shot["events"] = events_json(result.traces[i]);
    json["shots"].push_back(shot);
  }
  json["cleared"] = result.cleared;
  json["score"] = result.scene.score;
  json["birds_left"] = result.scene.birds_left();
  json["pigs_left"] = result.scene.pigs_left();
  emit(json.dump(2) + "\n", options.output.out);
}

}  // namespace

void add_simulate_command(CLI::App& app, int&) {
  const auto options = std::make_shared<SimulateOptions>();
  CLI::App* command = app.add_subcommand("simulate", "Shoots at a level and says what happened.");
  add_shared_option(*command, "LEVEL", options->level)->required();
  add_shots_option(*command, options->shots, "one for each bird, in order")->required();
  add_shared_option(*command, "--novelty", options->novelty,
                    "own: the one that the level's file carries; default: none (the normal world)");
  command
      ->add_option("--trace", options->trace,
                   "writes poses at every step and all events to this file (JSON); default: none")
      ->type_name("FILE");
  add_output_options(*command, options->output, {"text", "json"});
  add_common_options(*command, options->common);
  command->footer(
      "The level settles in the normal world before the first shot, then the novelty is put in, so that "
      "normal and novel\n"
      "world start alike.\nExample: startle simulate level.json --shot 40 --shot 35.5,1.2 --novelty T2");
  command->callback([options] { simulate(*options); });
}

}  // namespace startle
