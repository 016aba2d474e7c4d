#pragma once
/// \file  Novelty as data: which objects, which parameter, which change [Pinto §3, §5]; or what changes of
/// the world as a whole.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/parameters.hpp"
#include "sim/selector.hpp"
#include "sim/world_change.hpp"

namespace startle {

struct Level;
struct Profile;
struct Scene;

struct NoveltyRule {
  Selector selector;
  Parameter parameter = Parameter::density;
  Change change;
  friend bool operator==(const NoveltyRule&, const NoveltyRule&) = default;
};

struct [[nodiscard]] Novelty {
  std::string name;         ///< "T1", "stone-life-up", "T2@0.5"
  std::string description;  ///< one line for people
  std::vector<NoveltyRule> rules;
  WorldChange world = {};
  friend bool operator==(const Novelty&, const Novelty&) = default;
};

/// Changes the parameters of the selected objects and marks those as novel whose value really changed: a
/// factor on a zero parameter makes no object novel. The life left becomes the new life minus what was lost
/// before, at least 1e-6. A change of the world becomes the scene's and makes novel the objects that it acts
/// on. Returns the number of novel objects.
std::size_t apply(const Novelty& novelty, Scene& scene);

/// How many living objects are novel.
std::size_t count_novel(const Scene& scene);
/// Whether any living object is novel, or the world is.
bool anything_novel(const Scene& scene);

/// The novelty for a scene reordered() by `order`: single objects are selected by their new index.
Novelty reordered(const Novelty& novelty, const std::vector<std::size_t>& order);
/// Removes the novelty: novel objects get the parameters that they have in `start`, the same scene before any
/// shot and without the novelty. The life that an object has lost stays lost.
void remove_novelty(Scene& scene, const Scene& start);

/// Throws Error when the novelty changes no type of object of the profile: a factor on a parameter that is 0,
/// for example.
void require_effect(const Novelty& novelty, std::shared_ptr<const Profile> profile);

/// T1 pigs' gravity scale x0.5, T2 wood restitution x4, T3 stone life x5 [Pinto §5]; then, for wood, ice,
/// stone and pig, each parameter up and down: "wood-density-up", ... "pig-angular_damping-down".
const std::vector<Novelty>& novelty_catalogue();

/// Novelties of the world as a whole: gravity ("gravity-up" x1.5, "gravity-down" x0.6, "gravity-tilted" by 15
/// degrees), the air ("air-drag-up", 0.3/s more), the ground ("ground-friction-down" x0.05), force fields
/// ("fan", "storm", "turbulence", "magnet") and events ("pigs-jump", "ice-vanishes", both when the bird first
/// touches something). Sizes are ours: NovPhy, which has the field's kinds, publishes none. docs/novelties.md
/// has the table.
const std::vector<Novelty>& world_novelties();

/// The largest strength. The steepest change of the catalogue, a factor of 5, is 390625 there.
inline constexpr double greatest_strength = 8;

/// The novelty at a strength s in [0, greatest_strength]: in each rule a factor becomes factor^s, an offset
/// is multiplied by s, and a value is set s of the way from the old one to the new; numbers of the world go s
/// of the way from their usual values. s = 1 gives `novelty` itself, s = 0 changes nothing. The new name is
/// the old one, "@" and s; at s = 1 the old one. Throws Error for any other s.
Novelty at_strength(const Novelty& novelty, double strength);

/// "T2@0.5" is T2 at the strength 0.5, "T2" at 1.
struct [[nodiscard]] NoveltyName {
  std::string entry;
  double strength = 1;
};
/// Throws Error when "@" is not followed by a number. Does not check that the entry exists.
NoveltyName parse_novelty_name(const std::string& name);

/// The entry of that name in novelty_catalogue() or world_novelties(), or "NAME@S": the entry at strength S,
/// a decimal number. The reference stays valid. Throws Error naming what was asked and what is allowed.
const Novelty& find_novelty(const std::string& name);

/// Name of the novelty that a level's file carries (Level::novelty).
inline constexpr const char* own_novelty = "own";
/// Whether the name is "own" or "own@S".
bool names_own(const std::string& name);
/// As above; in addition "own" and "own@S" stand for the novelty that the level itself carries. Throws Error
/// for these when it carries none.
Novelty find_novelty(const std::string& name, const Level& level);
/// The name as results bear it, "T2" for "T2@1". Throws Error for one that is neither in the catalogue nor
/// "own", and for a strength out of range.
std::string novelty_name(const std::string& name);

}  // namespace startle
