#pragma once
/// \file  What a novelty changes of a world as a whole: gravity, the air, the ground, force fields, and
/// things that happen.
///
/// Places are measured from the point of the ground below the slingshot, so that one field suits all levels.
/// Forces act only on bodies that are awake: as in every twin (simulated/twin.hpp), a sleeping body stays
/// asleep until something touches it.
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "sim/geometry.hpp"
#include "sim/selector.hpp"

namespace startle {

/// A rectangle; the whole world where nothing is given.
struct Region {
  double left = -std::numeric_limits<double>::infinity(), right = std::numeric_limits<double>::infinity();
  double bottom = -std::numeric_limits<double>::infinity(), top = std::numeric_limits<double>::infinity();

  bool holds(Vec2 place) const {
    return place.x >= left && place.x <= right && place.y >= bottom && place.y <= top;
  }
  bool whole() const { return left < -1e300 && right > 1e300 && bottom < -1e300 && top > 1e300; }
  friend bool operator==(const Region&, const Region&) = default;
};

/// An acceleration of bodies whose centre of mass is in a region, whatever they weigh. Fan, storm, turbulence
/// and magnet are such.
struct ForceField {
  Region region = {};
  Vec2 acceleration = {};     ///< m/s^2, the same everywhere
  Vec2 centre = {};           ///< of the pull
  double pull = 0;            ///< m/s^2 towards the centre, at any distance; negative: away from it
  double period = 0;          ///< s; a gust in the first half of each period from the release on; 0: steady
  std::size_t from_bird = 0;  ///< acts from this bird of the level on, counted from 0
  bool on_birds = true;       ///< and eggs
  Selector on = {};           ///< objects
  friend bool operator==(const ForceField&, const ForceField&) = default;
};

/// Something that happens once a shot to the selected objects.
struct WorldEvent {
  std::optional<double> at = {};  ///< s after the release; else when the first bird of the shot first touches
                                  ///< something
  bool vanish = false;            ///< they are gone, without score
  Vec2 velocity = {};             ///< m/s, added to theirs
  Selector on = {};
  friend bool operator==(const WorldEvent&, const WorldEvent&) = default;
};

struct WorldChange {
  double gravity = 1;          ///< times the world's
  double tilt = 0;             ///< radians by which its direction turns, counter-clockwise
  double air_drag = 0;         ///< 1/s, added to every body's linear damping; at least 0
  double ground_friction = 1;  ///< times the ground's; at least 0
  std::vector<ForceField> fields = {};
  std::vector<WorldEvent> events = {};

  /// Whether there is any change.
  bool any() const { return moves_all() || ground_friction != 1 || !fields.empty() || !events.empty(); }
  /// Whether gravity or air drag is changed, so that every body moves differently wherever it is.
  bool moves_all() const { return gravity != 1 || tilt != 0 || air_drag != 0; }
  /// Whether the change acts on this object, at the places and times at which it acts at all.
  bool acts_on(std::size_t index, const SceneObject& object) const;
  friend bool operator==(const WorldChange&, const WorldChange&) = default;
};

/// The change at a strength s >= 0: numbers go s of the way from their usual values; friction and drag go no
/// lower than 0. At 0 there is no change. Objects that vanish do so at every strength above 0.
WorldChange at_strength(const WorldChange& change, double strength);

/// The change for a scene reordered() by `order`.
WorldChange reordered(const WorldChange& change, const std::vector<std::size_t>& order);

}  // namespace startle
