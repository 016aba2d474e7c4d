#include "sim/novelty.hpp"

#include <algorithm>
#include <iterator>

#include "sim/error.hpp"
#include "sim/scene.hpp"

namespace startle {
namespace {

struct ParameterEntry {
  const char* name;
  double Parameters::*member;
  double least;
  Change up, down;  ///< the catalogue's changes
};

/// Indexed by Parameter. Factors where every profile has a value to multiply; an offset and a value where it may be zero.
/// Density and life must stay positive for the engine.
constexpr ParameterEntry entries[] = {
    {"density", &Parameters::density, 1e-6, {ChangeKind::factor, 4}, {ChangeKind::factor, 0.25}},
    {"friction", &Parameters::friction, 0, {ChangeKind::factor, 5}, {ChangeKind::factor, 0.05}},
    {"restitution", &Parameters::restitution, 0, {ChangeKind::offset, 0.4}, {ChangeKind::value, 0}},
    {"life", &Parameters::life, 1e-6, {ChangeKind::factor, 5}, {ChangeKind::factor, 0.2}},
    {"defence", &Parameters::defence, 0, {ChangeKind::offset, 30}, {ChangeKind::value, 0}},
    {"gravity_scale", &Parameters::gravity_scale, 0, {ChangeKind::factor, 2}, {ChangeKind::factor, 0.5}},
    {"linear_damping", &Parameters::linear_damping, 0, {ChangeKind::offset, 2}, {ChangeKind::value, 0}},
    {"angular_damping", &Parameters::angular_damping, 0, {ChangeKind::offset, 10}, {ChangeKind::value, 0}},
};

const ParameterEntry& entry(Parameter parameter) { return entries[static_cast<std::size_t>(parameter)]; }

std::string described(const std::string& what, Parameter parameter, const Change& change) {
  std::string amount = std::to_string(change.amount);
  amount.erase(amount.find_last_not_of('0') + 1);
  if (amount.back() == '.') amount.pop_back();
  const std::string of = what + " " + name(parameter);
  if (change.kind == ChangeKind::factor) return of + " x" + amount;
  if (change.kind == ChangeKind::offset) return of + " +" + amount;
  return of + " = " + amount;
}

std::vector<Novelty> make_catalogue() {
  const auto novelty = [](std::string name, const std::string& what, Selector selector, Parameter parameter, Change change) {
    return Novelty{std::move(name), described(what, parameter, change), {{std::move(selector), parameter, change}}};
  };
  const Selector pigs{.kind = Kind::pig};
  const auto blocks_of = [](Material material) { return Selector{.kind = Kind::block, .material = material}; };
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
    for (std::size_t i = 0; i < std::size(entries); ++i) {
      const auto parameter = static_cast<Parameter>(i);
      const std::string stem = what + "-" + name(parameter);
      all.push_back(novelty(stem + "-up", what, selector, parameter, entries[i].up));
      all.push_back(novelty(stem + "-down", what, selector, parameter, entries[i].down));
    }
  }
  return all;
}

}  // namespace

const char* name(Parameter parameter) { return entry(parameter).name; }

std::optional<Parameter> parameter_from_name(const std::string& wanted) {
  for (std::size_t i = 0; i < std::size(entries); ++i)
    if (wanted == entries[i].name) return static_cast<Parameter>(i);
  return std::nullopt;
}

double& value_of(Parameters& parameters, Parameter parameter) { return parameters.*entry(parameter).member; }
double value_of(const Parameters& parameters, Parameter parameter) { return parameters.*entry(parameter).member; }

bool Selector::selects(std::size_t index, const SceneObject& object) const {
  if (object.is_static()) return false;
  if (kind && object.kind != *kind) return false;
  if (material && object.material != *material) return false;
  if (type && object.type != *type) return false;
  return objects.empty() || std::find(objects.begin(), objects.end(), index) != objects.end();
}

double Change::apply(double old_value, Parameter parameter) const {
  const double changed = kind == ChangeKind::factor ? old_value * amount : kind == ChangeKind::offset ? old_value + amount : amount;
  return std::max(changed, entry(parameter).least);
}

std::size_t apply(const Novelty& novelty, Scene& scene) {
  for (const NoveltyRule& rule : novelty.rules) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      SceneObject& object = scene.objects[i];
      if (!rule.selector.selects(i, object)) continue;
      double& value = value_of(object.parameters, rule.parameter);
      const double changed = rule.change.apply(value, rule.parameter);
      if (changed == value) continue;
      // What it has lost it has lost; but it has not died, and goes on with as little as can be.
      if (rule.parameter == Parameter::life) object.life = std::max(changed - (value - object.life), entry(rule.parameter).least);
      value = changed;
      object.novel = true;
    }
  }
  return static_cast<std::size_t>(
      std::count_if(scene.objects.begin(), scene.objects.end(), [](const SceneObject& object) { return object.novel; }));
}

Novelty reordered(const Novelty& novelty, const std::vector<std::size_t>& order) {
  Novelty result = novelty;
  for (NoveltyRule& rule : result.rules)
    for (std::size_t& object : rule.selector.objects)  // one that does not exist selects nothing, here as there
      object = static_cast<std::size_t>(std::find(order.begin(), order.end(), object) - order.begin());
  return result;
}

void require_effect(const Novelty& novelty, std::shared_ptr<const Profile> profile) {
  Scene scene{.profile = profile};
  for (const ObjectType& type : profile->object_types)
    scene.objects.push_back({.kind = type.kind, .type = type.type, .material = type.material, .shape = type.shape, .parameters = type.parameters});
  if (apply(novelty, scene) == 0)
    throw Error("profile " + profile->name + ": novelty " + novelty.name + " (" + novelty.description + ") changes nothing there");
}

const std::vector<Novelty>& novelty_catalogue() {
  static const std::vector<Novelty> catalogue = make_catalogue();
  return catalogue;
}

const Novelty& find_novelty(const std::string& wanted) {
  for (const Novelty& novelty : novelty_catalogue())
    if (novelty.name == wanted) return novelty;
  std::string parameters;
  for (const ParameterEntry& e : entries) parameters += (parameters.empty() ? "" : "|") + std::string(e.name);
  throw Error("novelty '" + wanted + "' is unknown; known: T1, T2, T3 and (wood|ice|stone|pig)-(" + parameters + ")-(up|down)");
}

}  // namespace startle
