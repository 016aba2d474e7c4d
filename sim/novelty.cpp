#include "sim/novelty.hpp"

#include <algorithm>

#include "sim/error.hpp"
#include "sim/scene.hpp"

namespace startle {
namespace {

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
    for (const ParameterInfo& info : parameter_table) {
      const std::string stem = what + "-" + info.name;
      all.push_back(novelty(stem + "-up", what, selector, info.parameter, info.up));
      all.push_back(novelty(stem + "-down", what, selector, info.parameter, info.down));
    }
  }
  return all;
}

}  // namespace

bool Selector::selects(std::size_t index, const SceneObject& object) const {
  if (object.is_static()) return false;
  if (kind && object.kind != *kind) return false;
  if (material && object.material != *material) return false;
  if (type && object.type != *type) return false;
  return objects.empty() || std::find(objects.begin(), objects.end(), index) != objects.end();
}

std::size_t apply(const Novelty& novelty, Scene& scene) {
  for (const NoveltyRule& rule : novelty.rules) {
    for (std::size_t i = 0; i < scene.objects.size(); ++i) {
      SceneObject& object = scene.objects[i];
      if (!rule.selector.selects(i, object)) continue;
      double& value = value_of(object.parameters, rule.parameter);
      const double changed = rule.change.apply(value, rule.parameter);
      if (changed == value) continue;
      if (rule.parameter == Parameter::life) object.life *= changed / value;
      value = changed;
      object.novel = true;
    }
  }
  return static_cast<std::size_t>(
      std::count_if(scene.objects.begin(), scene.objects.end(), [](const SceneObject& object) { return object.novel; }));
}

void remove_novelty(Scene& scene, const Scene& start) {
  for (std::size_t i = 0; i < scene.objects.size(); ++i) {
    SceneObject& object = scene.objects[i];
    if (!object.novel) continue;
    const Parameters& usual = start.objects[i].parameters;
    object.life *= usual.life / object.parameters.life;
    object.parameters = usual;
    object.novel = false;
  }
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
  for (const ParameterInfo& info : parameter_table) parameters += (parameters.empty() ? "" : "|") + std::string(info.name);
  throw Error("novelty '" + wanted + "' is unknown; known: T1, T2, T3 and (wood|ice|stone|pig)-(" + parameters + ")-(up|down)");
}

}  // namespace startle
