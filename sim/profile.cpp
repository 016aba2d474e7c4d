#include "sim/profile.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "sim/embedded_profiles.hpp"
#include "sim/shape.hpp"

namespace startle {
namespace {

using Json = nlohmann::json;

const Material materials[] = {Material::wood, Material::ice, Material::stone};

Vec2 point(const Json& json) { return {json.at(0).get<double>(), json.at(1).get<double>()}; }

Polygon polygon(const Json& json) {
  Polygon result;
  for (const Json& vertex : json) result.push_back(point(vertex));
  return result;
}

std::shared_ptr<const Shape> shape(const Json& json) {
  if (json.contains("box")) return std::make_shared<Shape>(box_shape(json["box"][0], json["box"][1]));
  if (json.contains("circle"))
    return std::make_shared<Shape>(
        disc_shape(json["circle"].at("radius"), point(json["circle"].at("centre"))));
  std::vector<Polygon> holes;
  for (const Json& hole : json.value("holes", Json::array())) holes.push_back(polygon(hole));
  return std::make_shared<Shape>(polygon_shape(polygon(json.at("polygon")), holes));
}

Explosion explosion(const Json& json) { return {json.at("radius"), json.at("power"), json.at("damage")}; }

/// Density from "density", from a "mass" given as a number, or from {"per_density": a, "fixed": b}: mass = a
/// x `material_density` + b, as where the original writes a material's density to one of two colliders only.
double density(const Json& json, double area, double material_density) {
  if (json.contains("density")) return json["density"];
  if (!json.contains("mass")) return material_density;
  const Json& mass = json["mass"];
  if (mass.is_number()) return mass.get<double>() / area;
  return (mass.at("per_density").get<double>() * material_density + mass.at("fixed").get<double>()) / area;
}

Parameters body_parameters(const Json& json, double area) {
  Parameters parameters;
  for (const ParameterInfo& info : parameter_table)
    parameters.*info.member = info.when_missing ? json.value(info.name, *info.when_missing)
                                                : json.at(info.name).get<double>();
  parameters.density = density(json, area, 1);
  return parameters;
}

ObjectType body(Kind kind, const std::string& type, const Json& json) {
  ObjectType result{.kind = kind, .type = type, .shape = shape(json.at("shape"))};
  result.parameters = body_parameters(json, result.shape->area);
  if (json.contains("explosion")) result.explosion = explosion(json["explosion"]);
  return result;
}

Power power(const Json& json) {
  Power result;
  const std::string kind = json.at("kind");
  if (kind == "split") {
    result.kind = PowerKind::split;
    for (double angle : json.at("angles_deg")) result.angles.push_back(radians(angle));
  } else if (kind == "dash") {
    result.kind = PowerKind::dash;
    result.impulse = json.at("impulse");
  } else if (kind == "explode") {
    result.kind = PowerKind::explode;
    result.delay = json.at("delay");
    result.explosion = explosion(json.at("explosion"));
  } else if (kind == "egg") {
    result.kind = PowerKind::egg;
    result.egg_impulse = json.at("egg_impulse");
    result.impulse = json.at("bird_impulse");
  } else {
    throw Error("profile: power kind '" + kind + "' is unknown; allowed: split, dash, explode, egg");
  }
  return result;
}

BirdType bird(const std::string& type, const Json& json, double flight_gravity_scale) {
  BirdType result{.type = type, .shape = shape(json.at("shape"))};
  result.parameters = body_parameters(json, result.shape->area);
  result.parameters.gravity_scale = flight_gravity_scale;
  for (Material material : materials)
    result.damage_multiplier[material] = json.at("damage_multiplier").at(name(material));
  if (json.contains("power")) result.power = power(json["power"]);
  if (!result.shape->discs.empty()) {
    result.centre = result.shape->discs[0].centre;
    result.radius = result.shape->discs[0].radius;
  } else {
    result.centre = bounds(*result.shape).centre();
    for (const Polygon& part : result.shape->parts)
      for (Vec2 p : part) result.radius = std::max(result.radius, length(p - result.centre));
  }
  return result;
}

Profile parse(const Json& json) {
  Profile p;
  p.name = json.at("name");
  const Json& world = json.at("world");
  p.gravity = world.at("gravity");
  p.step = world.at("step");
  p.velocity_iterations = world.at("velocity_iterations");
  p.position_iterations = world.at("position_iterations");
  p.width_per_unit = world.at("width_per_unit");
  p.ground_y = world.at("ground_y");
  p.default_friction = world.at("default_friction");
  p.default_restitution = world.at("default_restitution");
  const Json& launch = json.at("launch");
  p.rest_offset = point(launch.at("rest"));
  p.max_stretch = launch.at("max_stretch");
  p.launch_speed = launch.at("speed");
  const Json& damage = json.at("damage");
  p.damage_rule = damage.at("rule") == "momentum" ? DamageRule::momentum : DamageRule::speed;
  p.attacker = damage.value("attacker", "before") == "after" ? Attacker::after : Attacker::before;
  p.damage_k = damage.value("k", p.damage_k);
  p.generic_factor = damage.value("generic_factor", p.generic_factor);
  p.explosion_falloff = json.at("explosion_falloff") == "linear" ? ExplosionFalloff::linear
                                                                 : ExplosionFalloff::inverse;
  const Json& score = json.at("score");
  p.score_pig = score.at("pig");
  p.score_block = score.at("block");
  p.score_unused_bird = score.at("unused_bird");
  p.score_hit_points = score.at("hit_points");

  for (const auto& [type, block] : json.at("blocks").items()) {
    const auto block_shape = shape(block.at("shape"));
    for (Material material : materials) {
      Json merged = json.at("block_defaults");
      merged.update(json.at("materials").at(name(material)));
      ObjectType object{.kind = Kind::block, .type = type, .material = material, .shape = block_shape};
      object.parameters = body_parameters(merged, block_shape->area);
      object.parameters.density = density(block, block_shape->area, merged.at("density"));
      object.parameters.life = block.at("life").at(name(material));
      p.object_types.push_back(object);
    }
  }
  for (const auto& [type, pig] : json.at("pigs").items())
    p.object_types.push_back(body(Kind::pig, type, pig));
  p.object_types.push_back(body(Kind::tnt, "TNT", json.at("tnt")));
  p.object_types.push_back(body(Kind::egg, "Egg", json.at("egg")));
  ObjectType platform{
      .kind = Kind::platform, .type = "Platform", .shape = shape(json.at("platform").at("shape"))};
  platform.parameters.friction = p.default_friction;
  platform.parameters.restitution = p.default_restitution;
  p.object_types.push_back(platform);
  for (const auto& [type, entry] : json.at("birds").items())
    p.bird_types.push_back(bird(type, entry, launch.at("gravity_scale")));
  p.slingshot_shape = shape(json.at("slingshot").at("shape"));
  return p;
}

std::shared_ptr<const Profile> load(const std::string& wanted) {
  const auto& files = embedded_profiles();
  Json json = Json::parse(files.at(wanted));
  // A profile may name another as its base and change single values of it.
  if (json.contains("base")) {
    Json base = Json::parse(files.at(json["base"]));
    json.erase("base");
    base.merge_patch(json);
    json = base;
  }
  return std::make_shared<Profile>(parse(json));
}

template <typename T>
std::string known_types(const std::vector<T>& types) {
  std::string list;
  for (const T& t : types) {
    if (!list.empty() && list.ends_with(t.type)) continue;
    list += (list.empty() ? "" : ", ") + t.type;
  }
  return list;
}

}  // namespace

const ObjectType* Profile::find(Kind kind, const std::string& type, Material material) const {
  const auto it = std::find_if(object_types.begin(), object_types.end(), [&](const ObjectType& object) {
    return object.kind == kind && object.type == type && object.material == material;
  });
  return it == object_types.end() ? nullptr : &*it;
}

const std::vector<std::string>& science_birds() {
  static const std::vector<std::string> birds{"BirdRed", "BirdBlue", "BirdYellow", "BirdBlack", "BirdWhite"};
  return birds;
}

const BirdType* Profile::find_bird(const std::string& type) const {
  const auto it = std::find_if(bird_types.begin(), bird_types.end(),
                               [&](const BirdType& b) { return b.type == type; });
  return it == bird_types.end() ? nullptr : &*it;
}

const BirdType& Profile::bird(const std::string& type) const {
  if (const BirdType* found = find_bird(type)) return *found;
  throw Error("bird type '" + type + "' is unknown to profile " + name +
              "; known: " + known_types(bird_types));
}

std::shared_ptr<const Profile> profile(const std::string& wanted) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const Profile>> loaded;
  const std::lock_guard lock(mutex);
  auto& entry = loaded[wanted];
  if (!entry) {
    const auto names = profile_names();
    if (std::find(names.begin(), names.end(), wanted) == names.end()) {
      loaded.erase(wanted);
      std::string list;
      for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
      throw Error("profile '" + wanted + "' is unknown; known: " + list);
    }
    entry = load(wanted);
  }
  return entry;
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const auto& [name, text] : embedded_profiles()) names.push_back(name);
  return names;
}

}  // namespace startle
