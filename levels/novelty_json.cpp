#include "levels/novelty_json.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/level_text.hpp"
#include "sim/world_change.hpp"

namespace startle {
namespace {

constexpr Kind changed_kinds[] = {Kind::block, Kind::pig, Kind::tnt};  // those that a novelty can change

constexpr double largest = 10000;  // what the engine takes of velocities; at the greatest strength too

double number_from(const JsonView& json, double least) {
  const double value = json.number();
  if (!(value >= least && value <= largest))
    json.fail("a number from " + number_text(least) + " to " + number_text(largest));
  return value;
}

Vec2 vector_from(const JsonView& json) {
  json.expect_keys({"x", "y"});
  return {number_from(json.at("x"), -largest), number_from(json.at("y"), -largest)};
}

/// Names of the types of that kind, or of all.
std::vector<std::string> types_of(std::optional<Kind> kind) {
  std::vector<std::string> types;
  for (const Kind one : changed_kinds)
    if (!kind || *kind == one)
      for (const std::string& type : object_type_names(one)) types.push_back(type);
  return types;
}

Selector group_from(const JsonView& json) {
  json.expect_keys({}, {"kind", "material", "type"});
  Selector group;
  if (json.has("kind")) {
    std::vector<std::string> names;
    for (const Kind kind : changed_kinds) names.push_back(name(kind));
    const std::string found = json.at("kind").string_of(names);
    for (const Kind kind : changed_kinds)
      if (found == name(kind)) group.kind = kind;
  }
  if (json.has("material")) {
    if (group.kind && *group.kind != Kind::block)
      json.at("material").fail(std::string("none, as kind is ") + name(*group.kind));
    group.material = material_from_name(
        json.at("material").string_of({name(Material::wood), name(Material::ice), name(Material::stone)}));
  }
  if (json.has("type"))
    group.type = json.at("type").string_of(
        types_of(group.material ? std::optional(Kind::block) : group.kind));
  return group;
}

Selector group_in(const JsonView& json) { return json.has("on") ? group_from(json.at("on")) : Selector{}; }

NoveltyRule rule_from(const JsonView& json) {
  json.expect_keys({"parameter"}, {"on", "factor", "offset", "value"});
  NoveltyRule rule{.selector = group_in(json)};
  std::vector<std::string> names;
  for (const ParameterInfo& info : parameter_table) names.push_back(info.name);
  const std::string found = json.at("parameter").string_of(names);
  rule.parameter = static_cast<Parameter>(std::find(names.begin(), names.end(), found) - names.begin());
  if (json.has("factor") + json.has("offset") + json.has("value") != 1)
    json.fail("one of the keys factor, offset and value");
  if (json.has("factor")) rule.change = {ChangeKind::factor, json.at("factor").number_from(0)};
  if (json.has("offset")) rule.change = {ChangeKind::offset, json.at("offset").number()};
  if (json.has("value"))
    rule.change = {ChangeKind::value, json.at("value").number_from(parameter_info(rule.parameter).least)};
  return rule;
}

Region region_from(const JsonView& json) {
  json.expect_keys({}, {"left", "right", "bottom", "top"});
  Region region;
  if (json.has("left")) region.left = json.at("left").number();
  if (json.has("right")) region.right = json.at("right").number_above(region.left);
  if (json.has("bottom")) region.bottom = json.at("bottom").number();
  if (json.has("top")) region.top = json.at("top").number_above(region.bottom);
  return region;
}

ForceField field_from(const JsonView& json) {
  json.expect_keys({},
                   {"region", "acceleration", "centre", "pull", "period_s", "from_bird", "on_birds", "on"});
  ForceField field{.on = group_in(json)};
  if (json.has("region")) field.region = region_from(json.at("region"));
  if (json.has("acceleration")) field.acceleration = vector_from(json.at("acceleration"));
  if (json.has("centre") != json.has("pull")) json.fail("both or none of the keys centre and pull");
  if (json.has("centre")) field.centre = vector_from(json.at("centre"));
  if (json.has("pull")) field.pull = number_from(json.at("pull"), -largest);
  if (json.has("period_s")) field.period = json.at("period_s").number_above(0);
  if (json.has("from_bird")) field.from_bird = static_cast<std::size_t>(json.at("from_bird").natural());
  if (json.has("on_birds")) field.on_birds = json.at("on_birds").boolean();
  if (json.has("pull") && field.pull == 0) json.at("pull").fail("a number other than 0");
  if (length(field.acceleration) == 0 && field.pull == 0)
    json.fail("an acceleration, or centre and pull, other than 0");
  return field;
}

WorldEvent event_from(const JsonView& json) {
  json.expect_keys({}, {"at_s", "vanish", "velocity", "on"});
  WorldEvent event{.on = group_in(json)};
  if (json.has("at_s")) event.at = json.at("at_s").number_from(0);
  if (json.has("vanish")) event.vanish = json.at("vanish").boolean();
  if (json.has("velocity")) event.velocity = vector_from(json.at("velocity"));
  if (event.vanish == (length(event.velocity) > 0))
    json.fail("either vanish, which is true, or a velocity other than 0");
  return event;
}

/// Members of a JSON object as text, in the order in which they are added.
class Members {
 public:
  Members(std::string place) : place_(std::move(place)) {}
  void add(const char* key, const std::string& text) {
    text_ += (text_.empty() ? "" : ", ") + quoted(key) + ": " + text;
  }
  void add(const char* key, double value) {
    if (!std::isfinite(value))
      throw Error(place_ + key + " is " + (std::isnan(value) ? "not a number" : "infinite") +
                  "; allowed: a finite number");
    add(key, number_text(value));
  }
  void add(const char* key, Vec2 value) {
    Members parts(place_ + key + ".");
    parts.add("x", value.x);
    parts.add("y", value.y);
    add(key, parts.text());
  }
  void add(const Selector& group) {
    if (!group.objects.empty())
      throw Error(place_ + "on: found single objects; allowed: a group by kind, material and type");
    Members parts(place_ + "on.");
    if (group.kind) parts.add("kind", quoted(name(*group.kind)));
    if (group.material) parts.add("material", quoted(name(*group.material)));
    if (group.type) parts.add("type", quoted(*group.type));
    if (!parts.text_.empty()) add("on", parts.text());
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string place_, text_;
};

std::string rule_text(const NoveltyRule& rule, const std::string& place) {
  Members members(place);
  members.add(rule.selector);
  members.add("parameter", quoted(name(rule.parameter)));
  if (rule.change.share != 1) throw Error(place + "found a share of a change; allowed: the whole");
  members.add(rule.change.kind == ChangeKind::factor   ? "factor"
              : rule.change.kind == ChangeKind::offset ? "offset"
                                                       : "value",
              rule.change.amount);
  return members.text();
}

std::string field_text(const ForceField& field, const std::string& place) {
  Members members(place), region(place + "region.");
  const auto side = [&](const char* key, double value) {
    if (!std::isinf(value)) region.add(key, value);
  };
  side("left", field.region.left);
  side("right", field.region.right);
  side("bottom", field.region.bottom);
  side("top", field.region.top);
  if (region.text() != "{}") members.add("region", region.text());
  if (field.acceleration != Vec2{}) members.add("acceleration", field.acceleration);
  if (field.pull != 0) {
    members.add("centre", field.centre);
    members.add("pull", field.pull);
  }
  if (field.period != 0) members.add("period_s", field.period);
  if (field.from_bird > 0) members.add("from_bird", std::to_string(field.from_bird));
  if (!field.on_birds) members.add("on_birds", "false");
  members.add(field.on);
  return members.text();
}

std::string event_text(const WorldEvent& event, const std::string& place) {
  Members members(place);
  if (event.at) members.add("at_s", *event.at);
  if (event.vanish)
    members.add("vanish", "true");
  else
    members.add("velocity", event.velocity);
  members.add(event.on);
  return members.text();
}

}  // namespace

Novelty novelty_from_json(const JsonView& json) {
  json.expect_keys(
      {}, {"description", "rules", "gravity", "tilt_rad", "air_drag", "ground_friction", "fields", "events"});
  Novelty novelty{.name = own_novelty, .description = {}, .rules = {}};
  if (json.has("description")) novelty.description = json.at("description").string();
  if (json.has("rules"))
    for (const JsonView& rule : json.at("rules").items()) novelty.rules.push_back(rule_from(rule));
  WorldChange& world = novelty.world;
  if (json.has("gravity")) world.gravity = number_from(json.at("gravity"), -largest);
  if (json.has("tilt_rad")) world.tilt = number_from(json.at("tilt_rad"), -largest);
  if (json.has("air_drag")) world.air_drag = number_from(json.at("air_drag"), 0);
  if (json.has("ground_friction")) world.ground_friction = number_from(json.at("ground_friction"), 0);
  if (json.has("fields"))
    for (const JsonView& field : json.at("fields").items()) world.fields.push_back(field_from(field));
  if (json.has("events"))
    for (const JsonView& event : json.at("events").items()) world.events.push_back(event_from(event));
  if (novelty.rules.empty() && !world.any())
    json.fail(
        "something that changes: rules, gravity, tilt_rad, air_drag, ground_friction, fields or events");
  return novelty;
}

std::string novelty_to_json(const Novelty& novelty, const std::string& level) {
  const std::string place = "level '" + level + "': novelty.";
  if (novelty.name != own_novelty)
    throw Error(place + "name is " + shown(novelty.name) + "; allowed: " + own_novelty);
  std::vector<std::string> lines;
  const auto number = [&](const char* key, double value, double usual) {
    if (value == usual) return;
    Members member(place);
    member.add(key, value);
    lines.push_back(member.text().substr(1, member.text().size() - 2));
  };
  const auto list = [&](const char* key, const auto& items, const auto& text_of) {
    std::string text;
    for (std::size_t i = 0; i < items.size(); ++i)
      text += (i == 0 ? "\n      " : ",\n      ") +
              text_of(items[i], place + key + "[" + std::to_string(i) + "].");
    if (!text.empty()) lines.push_back(quoted(key) + ": [" + text + "\n    ]");
  };
  if (!novelty.description.empty()) lines.push_back("\"description\": " + quoted(novelty.description));
  list("rules", novelty.rules, rule_text);
  number("gravity", novelty.world.gravity, 1);
  number("tilt_rad", novelty.world.tilt, 0);
  number("air_drag", novelty.world.air_drag, 0);
  number("ground_friction", novelty.world.ground_friction, 1);
  list("fields", novelty.world.fields, field_text);
  list("events", novelty.world.events, event_text);
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "\n    " : ",\n    ") + line;
  return "{" + text + "\n  }";
}

}  // namespace startle
