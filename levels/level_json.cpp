#include "levels/level_json.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/json_tree.hpp"
#include "core/text.hpp"
#include "difficulty/played_level.hpp"
#include "levels/level_text.hpp"
#include "levels/novelty_json.hpp"
#include "statistics/intervals.hpp"

namespace startle {
namespace {

constexpr const char* format = "startle-level";
constexpr int version = 1;

/// Kinds that a level may hold; the others (bird, egg, ground) come into being in the world.
constexpr Kind kinds[] = {Kind::block, Kind::pig, Kind::tnt, Kind::platform};

LevelObject object_from(const JsonView& json) {
  LevelObject object;
  std::vector<std::string> kind_names;
  for (Kind kind : kinds) kind_names.push_back(name(kind));
  const std::string kind_name = json.at("kind").string_of(kind_names);
  for (Kind kind : kinds)
    if (kind_name == name(kind)) object.kind = kind;

  // Each kind has its own keys, so that a material on a pig or a scale on a block is an unknown key.
  if (object.kind == Kind::block)
    json.expect_keys({"kind", "type", "material", "x", "y"}, {"rotation_deg"});
  else if (object.kind == Kind::platform)
    json.expect_keys({"kind", "type", "x", "y"}, {"rotation_deg", "scale_x", "scale_y"});
  else
    json.expect_keys({"kind", "type", "x", "y"}, {"rotation_deg"});

  object.type = json.at("type").string_of(object_type_names(object.kind));
  const std::vector<std::string> materials{name(Material::wood), name(Material::ice), name(Material::stone)};
  if (object.kind == Kind::block)
    object.material = *material_from_name(json.at("material").string_of(materials));
  object.position = {json.at("x").number(), json.at("y").number()};
  if (json.has("rotation_deg")) object.rotation_deg = json.at("rotation_deg").number();
  if (json.has("scale_x")) object.scale_x = json.at("scale_x").number_above(0);
  if (json.has("scale_y")) object.scale_y = json.at("scale_y").number_above(0);
  return object;
}

UnknownElement unknown_from(const JsonView& json, std::size_t birds) {
  json.expect_keys({"parent", "element", "attributes"}, {"birds_before"});
  UnknownElement unknown;
  unknown.parent = json.at("parent").string();
  unknown.element = json.at("element").string();
  for (const auto& [key, value] : json.at("attributes").members())
    unknown.attributes.emplace_back(key, value.string());
  if (json.has("birds_before")) {
    unknown.birds_before = json.at("birds_before").natural();
    const std::size_t most = unknown.parent == "Birds" ? birds : 0;
    if (unknown.birds_before > most) json.at("birds_before").fail("at most " + std::to_string(most));
  }
  return unknown;
}

Shot shot_from(const JsonView& json) {
  json.expect_keys({"angle_rad", "stretch", "tap_time_s"});
  Shot shot;
  shot.angle = json.at("angle_rad").number();
  shot.stretch = json.at("stretch").number();
  if (!(shot.stretch > 0 && shot.stretch <= 1)) json.at("stretch").fail("a number > 0 and <= 1");
  shot.tap_time = json.at("tap_time_s").number();
  return shot;
}

Provenance provenance_from(const JsonView& json) {
  json.expect_keys({"family", "seed", "index", "profile", "settle_shift", "solution"});
  Provenance provenance;
  provenance.family = json.at("family").string();
  provenance.seed = json.at("seed").natural();
  provenance.index = json.at("index").natural();
  provenance.profile = json.at("profile").string();
  provenance.settle_shift = json.at("settle_shift").number_from(0);
  for (const JsonView& shot : json.at("solution").items()) provenance.solution.push_back(shot_from(shot));
  return provenance;
}

/// Difficulties of earlier versions say so in place of "unknown".
void refuse_earlier(const JsonView& json) {
  const std::string method = json.at("method").string();
  const auto refuse = [](const JsonView& value, const std::string& what) {
    value.complain(what +
                   "is of Startle 0.2 or before; tiers are of p_level now, which startle difficulty --write "
                   "stores");
  };
  for (const char* key : {"shown_shots", "visible_shots", "noticed", "detected"})
    if (json.has(key)) refuse(json.at(key), "");
  for (const char* old : {"grounded", "detection", "observer"})
    if (method == old) refuse(json.at("method"), shown(method) + " ");
  const auto source = difficulty_source_from_name(method);
  if (json.has("tier") && source && source != DifficultySource::p_level)
    refuse(json.at("tier"), "a tier of PID and BID ");
}

MeasuredPLevel measured_from(const JsonView& json) {
  json.expect_keys({"player", "plays", "p_level", "interval"});
  const auto share = [](const JsonView& value) {
    if (!(value.number() >= 0 && value.number() <= 1)) value.fail("a number from 0 to 1");
    return value.number();
  };
  MeasuredPLevel measured;
  measured.player = json.at("player").string_of({"best-target", "random-target"});
  measured.plays = json.at("plays").integer_from(1);
  measured.p_level = share(json.at("p_level"));
  const std::vector<JsonView> interval = json.at("interval").items();
  if (interval.size() != 2) json.at("interval").fail("two numbers");
  measured.low = share(interval[0]);
  measured.high = share(interval[1]);
  interval[1].number_from(measured.low);
  return measured;
}

StoredDifficulty difficulty_from(const JsonView& json) {
  refuse_earlier(json);
  const auto share = [&](const char* key) {
    const double value = json.at(key).number();
    if (!(value >= 0 && value <= 1)) json.at(key).fail("a number from 0 to 1");
    return value;
  };
  StoredDifficulty difficulty;
  difficulty.source = *difficulty_source_from_name(
      json.at("method").string_of({"published", "extended", "simulated", "p_level"}));
  const bool of_plays = difficulty.source == DifficultySource::p_level;
  if (of_plays)
    json.expect_keys({"novelty", "method", "version", "p_level", "tier"}, {"measured"});
  else
    json.expect_keys({"novelty", "method", "alpha", "pid", "bid", "value"},
                     {"ties", "third", "thresholds", "measured"});
  difficulty.novelty = json.at("novelty").string();
  if (json.has("measured"))
    for (const JsonView& player : json.at("measured").items()) {
      const MeasuredPLevel measured = measured_from(player);
      for (const MeasuredPLevel& other : difficulty.measured)
        if (other.player == measured.player) player.at("player").fail("a player who is not in the list yet");
      difficulty.measured.push_back(measured);
    }
  if (of_plays) {
    difficulty.version = json.at("version").integer_from(1);
    difficulty.p_level = share("p_level");
    difficulty.value = 1 - difficulty.p_level;
    difficulty.tier = tier_from_name(json.at("tier").string_of({"easy", "medium", "hard"}));
    const Tier of_p_level = tier_of(difficulty.p_level);
    if (difficulty.version == played_level_version && difficulty.tier != of_p_level)
      json.at("tier").fail(std::string(name(of_p_level)) + ", which that p_level is");
    return difficulty;
  }
  difficulty.value = share("value");
  difficulty.alpha = share("alpha");
  difficulty.pid = share("pid");
  difficulty.bid = share("bid");
  if (json.has("ties"))
    difficulty.ties = ties_from_name(json.at("ties").string_of({"share", "first"})).value();
  if (!json.has("third") && !json.has("thresholds")) return difficulty;
  const JsonView thresholds = json.at("thresholds");
  thresholds.expect_keys({"low", "high", "count"});
  ThirdThresholds t;
  t.low = thresholds.at("low").number();
  t.high = thresholds.at("high").number_from(t.low);
  t.count = static_cast<std::size_t>(thresholds.at("count").natural());
  t.alpha = difficulty.alpha;
  difficulty.third = PlacedThird{
      third_from_name(json.at("third").string_of({"low", "middle", "high"})).value(), t};
  return difficulty;
}

std::string member(const char* key, double value) { return quoted(key) + ": " + number_text(value); }
std::string member(const char* key, const std::string& value) { return quoted(key) + ": " + quoted(value); }

/// An array with one item a line, under a key that stands `indent` deep.
std::string lines(const std::vector<std::string>& items, const std::string& indent) {
  if (items.empty()) return "[]";
  std::string result = "[";
  for (std::size_t i = 0; i < items.size(); ++i) result += (i == 0 ? "\n" : ",\n") + indent + "  " + items[i];
  return result + "\n" + indent + "]";
}

std::string object_text(const LevelObject& object) {
  std::string text = "{" + member("kind", name(object.kind)) + ", " + member("type", object.type) + ", ";
  if (object.kind == Kind::block) text += member("material", name(object.material)) + ", ";
  text += member("x", object.position.x) + ", " + member("y", object.position.y) + ", " +
          member("rotation_deg", object.rotation_deg);
  if (object.kind == Kind::platform)
    text += ", " + member("scale_x", object.scale_x) + ", " + member("scale_y", object.scale_y);
  return text + "}";
}

std::string unknown_text(const UnknownElement& unknown, std::size_t birds) {
  std::string attributes;
  for (const auto& [key, value] : unknown.attributes)
    attributes += (attributes.empty() ? "" : ", ") + quoted(key) + ": " + quoted(value);
  return "{" + member("parent", unknown.parent) + ", " + member("element", unknown.element) +
         ", \"attributes\": {" + attributes + "}" +
         (unknown.birds_before > 0
              ? ", \"birds_before\": " + std::to_string(std::min(unknown.birds_before, birds))
              : "") +
         "}";
}

std::string provenance_text(const Provenance& provenance) {
  std::vector<std::string> solution;
  for (const Shot& shot : provenance.solution)
    solution.push_back("{" + member("angle_rad", shot.angle) + ", " + member("stretch", shot.stretch) + ", " +
                       member("tap_time_s", shot.tap_time) + "}");
  return "{\n    " + member("family", provenance.family) +
         ",\n    \"seed\": " + std::to_string(provenance.seed) +
         ",\n    \"index\": " + std::to_string(provenance.index) + ",\n    " +
         member("profile", provenance.profile) + ",\n    " + member("settle_shift", provenance.settle_shift) +
         ",\n    \"solution\": " + lines(solution, "    ") + "\n  }";
}

std::string measured_text(const MeasuredPLevel& measured) {
  return "{" + member("player", measured.player) + ", \"plays\": " + std::to_string(measured.plays) + ", " +
         member("p_level", measured.p_level) + ", \"interval\": [" + number_text(measured.low) + ", " +
         number_text(measured.high) + "]}";
}

std::string difficulty_text(const StoredDifficulty& difficulty) {
  std::string text = "{\n    " + member("novelty", difficulty.novelty) + ",\n    " +
                     member("method", name(difficulty.source)) + ",\n    ";
  if (difficulty.source == DifficultySource::p_level) {
    text += "\"version\": " + std::to_string(difficulty.version) + ",\n    " +
            member("p_level", difficulty.p_level) + ",\n    " + member("tier", tier_name(difficulty));
  } else {
    text += member("alpha", difficulty.alpha) + ",\n    " + member("pid", difficulty.pid) + ",\n    " +
            member("bid", difficulty.bid) + ",\n    " +
            (difficulty.ties == Ties::share ? "" : member("ties", name(difficulty.ties)) + ",\n    ") +
            member("value", difficulty.value);
  }
  if (difficulty.third) {
    const ThirdThresholds& t = difficulty.third->thresholds;
    text += ",\n    " + member("third", name(difficulty.third->third)) + ",\n    \"thresholds\": {" +
            member("low", t.low) + ", " + member("high", t.high) + ", \"count\": " + std::to_string(t.count) +
            "}";
  }
  if (!difficulty.measured.empty()) {
    std::vector<std::string> players;
    for (const MeasuredPLevel& player : difficulty.measured) players.push_back(measured_text(player));
    text += ",\n    \"measured\": " + lines(players, "    ");
  }
  return text + "\n  }";
}

}  // namespace

StoredLevel level_from_json(std::string_view text, const std::string& source_name) {
  const JsonNode root = parse_json(text, source_name);
  const JsonView json(root, source_name);
  // Before the keys: of a file of another format or version the error should name that, and not unknown keys.
  json.at("format").string_of({format});
  if (json.at("version").number() != version) json.at("version").fail(std::to_string(version));
  json.expect_keys({"format", "version", "slingshot", "birds", "objects"},
                   {"name", "width", "camera", "unknown", "provenance", "novelty", "difficulty"});

  StoredLevel level;
  level.name = json.has("name") ? json.at("name").string() : level_name(source_name);
  if (json.has("width")) level.width = json.at("width").integer_from(1);
  if (json.has("camera")) {
    const JsonView camera = json.at("camera");
    camera.expect_keys({"x", "y", "min_width", "max_width"});
    level.camera = {camera.at("x").number(), camera.at("y").number(), camera.at("min_width").number_above(0),
                    camera.at("max_width").number_above(0)};
  }
  const JsonView slingshot = json.at("slingshot");
  slingshot.expect_keys({"x", "y"});
  level.slingshot = {slingshot.at("x").number(), slingshot.at("y").number()};
  for (const JsonView& bird : json.at("birds").items())
    level.birds.push_back(bird.string_of(bird_type_names()));
  for (const JsonView& object : json.at("objects").items()) level.objects.push_back(object_from(object));
  if (json.has("unknown"))
    for (const JsonView& unknown : json.at("unknown").items())
      level.unknown.push_back(unknown_from(unknown, level.birds.size()));
  if (json.has("provenance")) level.provenance = provenance_from(json.at("provenance"));
  if (json.has("novelty")) level.novelty = novelty_from_json(json.at("novelty"));
  if (json.has("difficulty")) level.difficulty = difficulty_from(json.at("difficulty"));
  return level;
}

std::string level_to_json(const StoredLevel& level) {
  require_writable(level);
  std::vector<std::string> birds, objects, unknown;
  for (const std::string& bird : level.birds) birds.push_back(quoted(bird));
  for (const LevelObject& object : level.objects) objects.push_back(object_text(object));
  for (const UnknownElement& element : level.unknown)
    unknown.push_back(unknown_text(element, level.birds.size()));

  std::string text = "{\n  " + member("format", format) + ",\n  \"version\": " + std::to_string(version) +
                     ",\n  " + member("name", level.name) + ",\n  \"width\": " + std::to_string(level.width) +
                     ",\n  \"camera\": {" + member("x", level.camera.x) + ", " + member("y", level.camera.y) +
                     ", " + member("min_width", level.camera.min_width) + ", " +
                     member("max_width", level.camera.max_width) + "},\n  \"slingshot\": {" +
                     member("x", level.slingshot.x) + ", " + member("y", level.slingshot.y) +
                     "},\n  \"birds\": [" + listed(birds) + "],\n  \"objects\": " + lines(objects, "  ");
  if (!unknown.empty()) text += ",\n  \"unknown\": " + lines(unknown, "  ");
  if (level.provenance) text += ",\n  \"provenance\": " + provenance_text(*level.provenance);
  if (level.novelty) text += ",\n  \"novelty\": " + novelty_to_json(*level.novelty, level.name);
  if (level.difficulty) text += ",\n  \"difficulty\": " + difficulty_text(*level.difficulty);
  return text + "\n}\n";
}

}  // namespace startle
