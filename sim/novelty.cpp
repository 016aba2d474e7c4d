#include "sim/novelty.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>

#include "core/error.hpp"
#include "core/math.hpp"
#include "core/text.hpp"
#include "sim/level.hpp"
#include "sim/profile.hpp"
#include "sim/scene.hpp"

namespace startle {
namespace {

/// Up to six digits behind the point.
std::string number(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string described(const std::string& what, Parameter parameter, const Change& change) {
  const std::string amount = number(change.amount);
  const std::string of = what + " " + name(parameter);
  if (change.kind == ChangeKind::factor) return of + " x" + amount;
  if (change.kind == ChangeKind::offset) return of + " +" + amount;
  return of + " = " + amount;
}

std::vector<Novelty> make_catalogue() {
  const auto novelty = [](std::string name, const std::string& what, Selector selector, Parameter parameter,
                          Change change) {
    return Novelty{
        std::move(name), described(what, parameter, change), {{std::move(selector), parameter, change}}};
  };
  const Selector pigs{.kind = Kind::pig};
  const auto blocks_of = [](Material material) {
    return Selector{.kind = Kind::block, .material = material};
  };
  std::vector<Novelty> all{
      novelty("T1", "pig", pigs, Parameter::gravity_scale, {ChangeKind::factor, 0.5}),
      novelty("T2", "wood", blocks_of(Material::wood), Parameter::restitution, {ChangeKind::factor, 4}),
      novelty("T3", "stone", blocks_of(Material::stone), Parameter::life, {ChangeKind::factor, 5}),
  };
  const std::pair<std::string, Selector> groups[] = {{"wood", blocks_of(Material::wood)},
                                                     {"ice", blocks_of(Material::ice)},
                                                     {"stone", blocks_of(Material::stone)},
                                                     {"pig", pigs}};
  for (const auto& [what, selector] : groups) {
    for (const ParameterInfo& info : parameter_table) {
      const std::string stem = what + "-" + info.name;
      all.push_back(novelty(stem + "-up", what, selector, info.parameter, info.up));
      all.push_back(novelty(stem + "-down", what, selector, info.parameter, info.down));
    }
  }
  return all;
}

}  // namespace

std::size_t apply(const Novelty& novelty, Scene& scene) {
  for (const NoveltyRule& rule : novelty.rules) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      SceneObject& object = scene.objects[i];
      if (!rule.selector.selects(i, object)) continue;
      double& value = value_of(object.parameters, rule.parameter);
      const double changed = rule.change.apply(value, rule.parameter);
      if (changed == value) continue;
      // What it has lost it has lost; but it has not died, and goes on with as little as can be.
      if (rule.parameter == Parameter::life)
        object.life = std::max(changed - (value - object.life), parameter_info(rule.parameter).least);
      value = changed;
      object.novel = true;
    }
  }
  if (novelty.world.any()) {
    scene.world = std::make_shared<const WorldChange>(novelty.world);
    for (std::size_t i = 0; i < scene.objects.size(); ++i)
      scene.objects[i].novel = scene.objects[i].novel || novelty.world.acts_on(i, scene.objects[i]);
  }
  return static_cast<std::size_t>(std::count_if(scene.objects.begin(), scene.objects.end(),
                                                [](const SceneObject& object) { return object.novel; }));
}

std::size_t count_novel(const Scene& scene) {
  return static_cast<std::size_t>(
      std::count_if(scene.objects.begin(), scene.objects.end(),
                    [](const SceneObject& object) { return object.novel && object.alive; }));
}

bool anything_novel(const Scene& scene) { return scene.world || count_novel(scene) > 0; }

Novelty reordered(const Novelty& novelty, const std::vector<std::size_t>& order) {
  Novelty result = novelty;
  for (NoveltyRule& rule : result.rules) rule.selector = reordered(rule.selector, order);
  result.world = reordered(result.world, order);
  return result;
}

void remove_novelty(Scene& scene, const Scene& start) {
  scene.world = start.world;
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    SceneObject& object = scene.objects[i];
    if (!object.novel) continue;
    const Parameters& usual = start.objects[i].parameters;
    object.life = std::max(usual.life - (object.parameters.life - object.life),
                           parameter_info(Parameter::life).least);
    object.parameters = usual;
    object.novel = false;
  }
}

void require_effect(const Novelty& novelty, std::shared_ptr<const Profile> profile) {
  Scene scene{.profile = profile};
  for (const ObjectType& type : profile->object_types)
    scene.objects.push_back({.kind = type.kind,
                             .type = type.type,
                             .material = type.material,
                             .shape = type.shape,
                             .parameters = type.parameters});
  if (apply(novelty, scene) == 0)
    throw Error("profile " + profile->name + ": novelty " + novelty.name + " (" + novelty.description +
                ") changes nothing there");
}

const std::vector<Novelty>& novelty_catalogue() {
  static const std::vector<Novelty> catalogue = make_catalogue();
  return catalogue;
}

const std::vector<Novelty>& world_novelties() {
  static const std::vector<Novelty> all = [] {
    const Selector pigs{.kind = Kind::pig}, ice{.kind = Kind::block, .material = Material::ice},
        stone{.kind = Kind::block, .material = Material::stone};
    constexpr double everywhere = std::numeric_limits<double>::infinity();
    return std::vector<Novelty>{
        {"gravity-up", "gravity x1.5", {}, {.gravity = 1.5}},
        {"gravity-down", "gravity x0.6", {}, {.gravity = 0.6}},
        {"gravity-tilted", "gravity turned by 15 degrees, to the right", {}, {.tilt = radians(15)}},
        {"air-drag-up", "air drag +0.3/s", {}, {.air_drag = 0.3}},
        {"ground-friction-down", "friction of the ground x0.05", {}, {.ground_friction = 0.05}},
        {"fan",
         "a fan 2 to 4 units before the slingshot blows to the right with 6 m/s^2",
         {},
         {.fields = {{.region = {2, 4, -everywhere, everywhere}, .acceleration = {6, 0}}}}},
        {"storm",
         "from the second bird on gusts of 4 m/s^2 to the right, half a second in each second",
         {},
         {.fields = {{.acceleration = {4, 0}, .period = 1, .from_bird = 1}}}},
        {"turbulence",
         "air 3 to 6 units before the slingshot, from 2 above the ground on, pushes up with 8 m/s^2",
         {},
         {.fields = {{.region = {3, 6, 2, everywhere}, .acceleration = {0, 8}}}}},
        {"magnet",
         "birds and stone are drawn to a point 9 before and 3 above the foot of the slingshot, with 5 m/s^2",
         {},
         {.fields = {{.centre = {9, 3}, .pull = 5, .on = stone}}}},
        {"pigs-jump",
         "when the bird first touches something, pigs jump up with 4 m/s",
         {},
         {.events = {{.velocity = {0, 4}, .on = pigs}}}},
        {"ice-vanishes",
         "when the bird first touches something, ice is gone",
         {},
         {.events = {{.vanish = true, .on = ice}}}},
    };
  }();
  return all;
}

Novelty at_strength(const Novelty& novelty, double strength) {
  if (!(strength >= 0 && strength <= greatest_strength))
    throw Error("novelty " + novelty.name + ": strength: found " + shortest(strength) +
                ", allowed are numbers from 0 to " + shortest(greatest_strength));
  if (strength == 1) return novelty;
  const std::string text = shortest(strength + 0.0);  // -0 is 0
  Novelty scaled = novelty;
  scaled.name += "@" + text;
  scaled.description += ", at strength " + text;
  for (NoveltyRule& rule : scaled.rules) {
    Change& change = rule.change;
    if (change.kind == ChangeKind::factor) change.amount = math::pow(change.amount, strength);
    if (change.kind == ChangeKind::offset) change.amount *= strength;
    if (change.kind == ChangeKind::value) change.share *= strength;
  }
  scaled.world = at_strength(novelty.world, strength);
  return scaled;
}

namespace {

const Novelty& find_entry(const std::string& wanted) {
  std::string worlds;
  for (const std::vector<Novelty>* kind : {&novelty_catalogue(), &world_novelties()}) {
    for (const Novelty& novelty : *kind) {
      if (novelty.name == wanted) return novelty;
      if (kind == &world_novelties()) worlds += ", " + novelty.name;
    }
  }
  std::string parameters;
  for (const ParameterInfo& info : parameter_table)
    parameters += (parameters.empty() ? "" : "|") + std::string(info.name);
  throw Error("novelty '" + wanted + "' is unknown; known: T1, T2, T3" + worlds +
              " and (wood|ice|stone|pig)-(" + parameters +
              ")-(up|down), each with @STRENGTH or without; and own, the one that a level carries");
}

}  // namespace

NoveltyName parse_novelty_name(const std::string& name) {
  const std::size_t at = name.find('@');
  if (at == std::string::npos) return {name};
  NoveltyName parsed{name.substr(0, at)};
  const std::string strength = name.substr(at + 1);
  parsed.strength = parse_number<double>(strength).value_or(NAN);
  if (std::isnan(parsed.strength))
    throw Error("novelty '" + name + "': strength: found '" + strength + "', allowed are numbers from 0 to " +
                shortest(greatest_strength) + " as in " + parsed.entry + "@0.5");
  return parsed;
}

const Novelty& find_novelty(const std::string& wanted) {
  if (names_own(wanted))
    throw Error("novelty '" + wanted +
                "' is what a level's file carries; allowed here are those of the catalogue");
  const std::string name = wanted.substr(0, wanted.find('@'));
  const Novelty& entry = find_entry(name);
  const double strength = parse_novelty_name(wanted).strength;
  if (strength == 1) return entry;
  Novelty scaled = at_strength(entry, strength);
  // Kept for good, as callers hold on to what they found.
  static std::mutex mutex;
  static std::map<std::string, Novelty> known;
  const std::lock_guard lock(mutex);
  const std::string key = scaled.name;
  return known.try_emplace(key, std::move(scaled)).first->second;
}

bool names_own(const std::string& name) { return name.substr(0, name.find('@')) == own_novelty; }

Novelty find_novelty(const std::string& name, const Level& level) {
  if (!names_own(name)) return find_novelty(name);
  const double strength = parse_novelty_name(name).strength;
  if (!level.novelty)
    throw Error("level " + level.name +
                ": carries no novelty of its own; allowed are those of the catalogue");
  return at_strength(*level.novelty, strength);
}

std::string novelty_name(const std::string& name) {
  if (!names_own(name)) return find_novelty(name).name;
  return at_strength(Novelty{.name = own_novelty, .description = {}, .rules = {}},
                     parse_novelty_name(name).strength)
      .name;
}

}  // namespace startle
