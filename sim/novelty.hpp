#pragma once
/// \file  Novelty as data: which objects, which parameter, which change [Pinto §3, §5].
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/level.hpp"
#include "sim/profile.hpp"

namespace startle {

struct Scene;
struct SceneObject;

enum class Parameter {
  density, friction, restitution, life, defence, gravity_scale, linear_damping, angular_damping
};
const char* name(Parameter parameter);
std::optional<Parameter> parameter_from_name(const std::string& name);
double& value_of(Parameters& parameters, Parameter parameter);
double value_of(const Parameters& parameters, Parameter parameter);

/// Which objects are novel: those that meet every condition given. No condition: every block, pig and TNT.
struct Selector {
  std::optional<Kind> kind;
  std::optional<Material> material;
  std::optional<std::string> type;
  std::vector<std::size_t> objects;  ///< indices in the level; empty: no such condition
  bool selects(std::size_t index, const SceneObject& object) const;
};

enum class ChangeKind { factor, offset, value };

/// new = old x amount, old + amount, or amount; never below the parameter's least value (0; density and life: 1e-6).
struct Change {
  ChangeKind kind = ChangeKind::factor;
  double amount = 1;
  double apply(double old_value, Parameter parameter) const;
};

struct NoveltyRule {
  Selector selector;
  Parameter parameter = Parameter::density;
  Change change;
};

struct Novelty {
  std::string name;         ///< "T1", "stone-life-up"
  std::string description;  ///< one line for people
  std::vector<NoveltyRule> rules;
};

/// Changes the parameters of the selected objects (life left follows life: less what was lost before, at least 1e-6) and marks as novel those whose value
/// really changed: a factor of a zero parameter makes no object novel. Returns how many are novel.
std::size_t apply(const Novelty& novelty, Scene& scene);

/// The novelty for a scene reordered() by `order`: single objects are selected by their new index.
Novelty reordered(const Novelty& novelty, const std::vector<std::size_t>& order);

/// Throws Error when the novelty changes no type of object of the profile: a factor on a parameter that is 0, for example.
void require_effect(const Novelty& novelty, std::shared_ptr<const Profile> profile);

/// T1 pigs' gravity scale x0.5, T2 wood restitution x4, T3 stone life x5 [Pinto §5]; then, for wood, ice, stone and pig, each
/// parameter up and down: "wood-density-up", ... "pig-angular_damping-down".
const std::vector<Novelty>& novelty_catalogue();

/// The entry of that name; throws Error naming what was asked and what exists.
const Novelty& find_novelty(const std::string& name);

}  // namespace startle
