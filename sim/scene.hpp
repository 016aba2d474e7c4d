#pragma once
/// \file  A scene: a level made concrete under a profile (and a novelty), with everything at its place.
///
/// A scene is the state between two shots. World runs one shot from a scene and gives the next scene;
/// reasoning reads a scene and never simulates. Running a shot is therefore a function of (scene, shot), and
/// any number of shots can branch off one scene.
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/level.hpp"
#include "sim/novelty.hpp"
#include "sim/profile.hpp"

namespace startle {

/// One object of a scene. Its index in Scene::objects is its identity: it never changes, also when others
/// die.
struct SceneObject {
  Kind kind = Kind::block;
  std::string type;
  Material material = Material::none;
  Pose pose;
  Vec2 velocity;                       ///< m/s, of the centre of mass
  double angular_velocity = 0;         ///< rad/s
  std::shared_ptr<const Shape> shape;  ///< body frame, scaled
  Parameters parameters;               ///< with the novelty's changes
  Explosion explosion;                 ///< tnt only
  double life = 1;                     ///< hit points left
  bool alive = true;                   ///< false once destroyed or out of the world
  bool novel = false;  ///< a novelty changed its parameters; agents and renderers never see this

  bool is_static() const { return kind == Kind::platform || kind == Kind::ground; }
  double mass() const { return parameters.density * shape->area; }
  /// The shape where the object is.
  Shape world_shape() const { return transformed(*shape, pose); }
  Bounds world_bounds() const;
};

struct Scene {
  std::shared_ptr<const Profile> profile;
  Vec2 slingshot;                    ///< centre
  double half_width = 8.75;          ///< objects wholly outside |x| <= half_width are out of the world
  std::vector<std::string> birds;    ///< in launch order
  std::size_t next_bird = 0;         ///< birds before this one are used up
  std::vector<SceneObject> objects;  ///< in level order
  double score = 0;
  std::shared_ptr<const WorldChange> world;  ///< what a novelty changed of the world as a whole; null:
                                             ///< nothing
  /// Set by World when everything has come to rest, else 0: the next World then leaves the objects asleep,
  /// exactly where they are, until something touches them. It holds for this very state: a scene changed by
  /// hand wakes up as a whole.
  std::uint64_t rest_mark = 0;

  /// Type of the next bird; of the last one where none is left. The scene must have birds.
  const BirdType& bird() const { return profile->bird(birds[std::min(next_bird, birds.size() - 1)]); }
  Vec2 rest() const { return slingshot + profile->rest_offset; }
  std::size_t birds_left() const { return birds.size() - next_bird; }
  int pigs_left() const;
  bool cleared() const { return pigs_left() == 0; }
};

/// The level under a profile, as its file places it, with the novelty's changes applied to the objects it
/// selects. Throws Error for a type the profile lacks and for values out of range (see validate).
Scene make_scene(const Level& level, std::shared_ptr<const Profile> profile,
                 const Novelty* novelty = nullptr);

/// Acceleration of a body of gravity scale 1 in the world of the scene, changed or not, m/s^2.
Vec2 gravity_of(const Scene& scene);

/// Object indices by place: by x, then y, angle, kind, material, type, size; objects alike in all of these by
/// index. The order in which World makes its bodies and difficulty/ looks at objects, so that neither depends
/// on the order of objects in a file.
std::vector<std::size_t> geometric_order(const Scene& scene);
/// The scene with object order[k] at index k.
Scene reordered(const Scene& scene, const std::vector<std::size_t>& order);

/// The level with the poses and the surviving objects of the scene. `level` must be the one the scene was
/// made from.
Level level_from_scene(const Level& level, const Scene& scene);

/// What is wrong with a level under a profile; empty when nothing is. `errors` make it unusable (unknown
/// type, NaN, scale <= 0, outside the world, over 1000 birds or 10000 objects, over 50000 pairs that overlap
/// ...), `warnings` do not (no birds, no pigs, no blocks, objects that overlap, float or cover the slingshot,
/// Level::ignored). Each entry names object, field, value and what is allowed; over 50 overlaps are counted.
/// `dropped`: what the file holds and nothing simulates, each kind once, "Block novel_object_0 (3 times)",
/// "Novelty PinkCircle": all unknown elements but Score, which is no part of the world, and those that are in
/// `own_novelty`: "Novelty Fan".
struct [[nodiscard]] LevelProblems {
  std::vector<std::string> errors;
  std::vector<std::string> warnings;
  std::vector<std::string> dropped;
  std::vector<std::string> own_novelty;  ///< elements that make the level's own novelty, and are simulated
                                         ///< with it
};
LevelProblems validate(const Level& level, const Profile& profile);

}  // namespace startle
