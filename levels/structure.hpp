#pragma once
/// \file  What generators build with: bricks, drafts of levels, slots to build in, and places for pigs.
///
/// Sizes come from the profile's shapes, so one generator serves every profile. World units, y up.
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "sim/level.hpp"
#include "sim/profile.hpp"

namespace startle {

/// Space left under an object when it is placed: what two polygon skins of the engine keep between resting
/// bodies, so that a level hardly moves when it settles.
inline constexpr double placement_gap = 0.015;

/// Space left between neighbours in a row, so that they neither touch nor rub.
inline constexpr double side_gap = 0.03;

/// A block type lying (0 degrees) or standing on end (90), with the size of its bounding box.
struct Brick {
  std::string type;
  double rotation_deg = 0;
  double width = 0, height = 0;
};

/// Throws Error when the profile has no such block.
Brick brick(const Profile& profile, const std::string& type, double rotation_deg = 0);

/// Middles of `count` things of that width side by side, centred on x, with that gap between them.
std::vector<double> row_of(int count, double x, double width, double gap);

/// A place to build in: nothing may stand outside [x - width/2, x + width/2] or above base + height.
struct Slot {
  double x = 0;     ///< middle
  double base = 0;  ///< y of the surface to stand on
  double width = 0, height = 0;
};

/// How well a place is protected from birds coming from the left.
enum class Exposure {
  open,     ///< neither roof nor wall on the left
  covered,  ///< one of them
  hidden    ///< both
};

/// A place where an object of a given size can stand.
struct Spot {
  double x = 0, bottom = 0;
  Exposure exposure = Exposure::open;
};

/// A level being built. Objects are placed by the bottom of their bounding box; each structure has one
/// palette of materials.
class Draft {
 public:
  /// A level of width 2 with the slingshot between x = -11 and -8 and five birds drawn at random.
  Draft(const Profile& profile, Random& random);
  /// Goes on with a level whose objects stand as a Draft placed them. Throws Error for types that the profile
  /// lacks.
  Draft(const Profile& profile, Random& random, Level level);

  /// Draws the way materials are given to the blocks that follow: one material, one per row, clusters, or
  /// each block its own [Stephenson & Renz]; wood 0.4, ice 0.3, stone 0.3.
  void new_palette();

  /// Places a block of the palette's material; returns the top of its bounding box.
  double put(const Brick& brick, double x, double bottom);
  double put(const Brick& brick, Material material, double x, double bottom);
  /// Places a row of equal bricks; returns their top.
  double put_row(const Brick& brick, const std::vector<double>& xs, double bottom);
  /// Places a pig or TNT.
  void put(Kind kind, const std::string& type, double x, double bottom);
  /// Places a platform with the given middle and top; its size in units of the profile's platform.
  void put_platform(double x, double top, double scale_x, double scale_y);

  /// Width and height of the bounding box of a pig, TNT or platform of scale 1.
  std::pair<double, double> size(Kind kind, const std::string& type) const;
  /// True when nothing overlaps the box.
  bool free(const Bounds& box) const;
  /// Places for an object of that size on the ground (between the first and the last structure) and on flat
  /// tops.
  std::vector<Spot> spots(double width, double height) const;

  /// Places pigs of all sizes, some open, some covered, some hidden; returns how many found a place.
  int put_pigs(int count);
  /// Places TNT at covered and hidden places; returns how many found one.
  int put_tnt(int count);
  /// Places up to `count` blocks that rows are not made of (circles, triangles, holed ones) on open tops.
  void put_ornaments(int count);

  /// Where structures may stand: far enough from the slingshot, and within reach of its birds.
  double first_x() const { return level_.slingshot.x + 6.5; }
  double last_x() const { return level_.slingshot.x + 16.5; }
  double ground() const { return profile_.ground_y; }
  /// Width of a platform of scale 1.
  double tile() const;
  /// `count` slots side by side on the ground, of random widths, that fill [first_x, last_x] but for gaps.
  std::vector<Slot> ground_slots(int count, double height);

  std::size_t size() const { return level_.objects.size(); }
  const Profile& profile() const { return profile_; }
  Random& random() { return random_; }
  const Level& level() const { return level_; }

 private:
  enum class Materials { one, per_row, clusters, per_block };

  Material pick_material(double x, double bottom);
  Material draw_material() {
    return std::vector{Material::wood, Material::ice, Material::stone}[random_.weighted({0.4, 0.3, 0.3})];
  }
  double add(LevelObject object, const Shape& shape, double x, double bottom, bool flat_top);

  const Profile& profile_;
  Random& random_;
  Level level_;
  std::vector<Bounds> boxes_;  ///< per object
  std::vector<bool> flat_;     ///< per object: something can stand on it
  Materials materials_ = Materials::one;
  std::vector<std::pair<Vec2, Material>> samples_;  ///< of the palette: rows or cluster middles with their
                                                    ///< material
};

}  // namespace startle
