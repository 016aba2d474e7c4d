#pragma once
/// \file  A level being changed: what an editor can do to it, with a way back. No window here.
///
/// What can be done never makes the level unusable (validate() finds no errors): objects stay in the world,
/// types are those of the profile.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "levels/stored_level.hpp"
#include "sim/geometry.hpp"
#include "sim/profile.hpp"
#include "sim/scene.hpp"

namespace startle {

/// What can be placed. Equal to what a LevelObject says of itself.
struct ObjectChoice {
  Kind kind = Kind::block;
  std::string type;
  Material material = Material::none;
  friend bool operator==(const ObjectChoice&, const ObjectChoice&) = default;
};

/// All that the profile has, blocks first, in the profile's order; blocks of that material.
std::vector<ObjectChoice> object_choices(const Profile& profile, Material material);

/// A level without objects and with three red birds.
StoredLevel empty_level(const std::string& name, const Profile& profile);

class LevelEdit {
 public:
  static constexpr double grid = 0.01;  ///< positions that the mouse gives are multiples of it, world units

  /// Throws Error for a level that cannot be used under the profile.
  LevelEdit(StoredLevel level, std::shared_ptr<const Profile> profile);

  const StoredLevel& level() const { return level_; }
  /// The level as it stands, not settled: object i of the level is object i of the scene.
  const Scene& scene() const { return scene_; }
  const Profile& profile() const { return *profile_; }
  /// Another number after each change, undo and redo among them.
  std::uint64_t revision() const { return revision_; }

  /// Something differs from what was opened or saved last.
  bool changed() const { return level_ != saved_; }
  /// The level stands in a file as it is now.
  void set_saved() { saved_ = level_; }

  /// Indices of the selected objects, ascending.
  const std::vector<std::size_t>& selection() const { return selection_; }
  bool selected(std::size_t object) const;
  void select(std::vector<std::size_t> objects);
  /// Adds the object to the selection, or takes it out.
  void toggle(std::size_t object);
  /// Those whose middle lies in the box.
  std::vector<std::size_t> objects_in(const Bounds& box) const;
  /// The object drawn last at that point.
  std::optional<std::size_t> object_at(Vec2 point) const;

  /// Puts an object there, or where the world is nearest, and selects it.
  void place(const ObjectChoice& choice, Vec2 at);
  /// This and the functions up to set_object() act on the selected objects, and do nothing without any. Moves
  /// them together, but not out of the world; returns how far.
  Vec2 move(Vec2 by);
  /// Counter-clockwise about their common middle, degrees.
  void rotate(double degrees);
  /// Down until they stand on something, with the gap that generators leave.
  void drop();
  /// Of blocks.
  void set_material(Material material);
  /// Copies beside them, which are then the selected ones.
  void duplicate();
  void remove();
  /// Of one selected object: as it is given. Throws Error for values that no level may have.
  void set_object(const LevelObject& object);

  void set_birds(std::vector<std::string> birds);
  /// Objects stand where they do in a scene that was made of this level, those destroyed are gone.
  void take_poses(const Scene& settled);

  bool can_undo() const { return !undo_.empty(); }
  bool can_redo() const { return !redo_.empty(); }
  void undo();
  void redo();
  /// What comes next is a step of its own for undo(); until then moves, turns and changes of one kind after
  /// each other are one step.
  void end_gesture() { kind_.clear(); }

 private:
  struct Snapshot {
    StoredLevel level;
    std::vector<std::size_t> selection;
  };
  /// Before each change. `kind`: changes of one kind that follow each other are one step; empty: none is.
  void begin(const std::string& kind);
  void end();
  Bounds selected_bounds() const;

  std::shared_ptr<const Profile> profile_;
  StoredLevel level_, saved_;
  Scene scene_;
  std::vector<std::size_t> selection_;
  std::vector<Snapshot> undo_, redo_;
  std::string kind_;
  std::uint64_t revision_ = 0;
};

}  // namespace startle
