#pragma once
/// \file  A level as data: what a level file says, before any physics. Physics, reasoning, pictures,
///        viewer and agents all read this one description.
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/geometry.hpp"
#include "sim/kind.hpp"
#include "sim/novelty.hpp"
#include "sim/shot.hpp"

namespace startle {

/// One object of a level, placed by its centre.
struct LevelObject {
  Kind kind = Kind::block;             ///< block, pig, tnt or platform
  std::string type;                    ///< appearance: "RectFat", "BasicSmall", "TNT", "Platform"
  Material material = Material::none;  ///< blocks only
  Vec2 position;                       ///< world units
  double rotation_deg = 0;  ///< degrees, counter-clockwise: as in the files, so that they survive a round
                            ///< trip
  double scale_x = 1, scale_y = 1;  ///< platforms only, > 0
  friend bool operator==(const LevelObject&, const LevelObject&) = default;
};

/// What a level shows at the start; the engine carries it along for viewers.
struct Camera {
  double x = 0, y = -1;
  double min_width = 25, max_width = 35;  ///< world width shown zoomed in and fully out
  friend bool operator==(const Camera&, const Camera&) = default;
};

/// An element of a Science Birds file that is no part of the normal world. It is kept so that the file
/// survives a round trip, and reported when the file is read. What NovPhy's elements (Fan, Magnet ...) do is
/// the level's own novelty (sim/novelty_elements.hpp).
struct UnknownElement {
  std::string parent;   ///< element it stood in, for example "GameObjects"
  std::string element;  ///< its own name, for example "Novelty"
  std::vector<std::pair<std::string, std::string>> attributes;  ///< in file order
  std::size_t birds_before = 0;  ///< for an element among the birds: number of known birds launched before
                                 ///< it; 0 for all others
  friend bool operator==(const UnknownElement&, const UnknownElement&) = default;
};

/// What the reader of a level file skipped, as the game skips it: each kind, such as "attribute \"scaleX\" of
/// <Block>", with the number of times it occurred. validate() warns of it. It is not part of the level:
/// levels that differ only in it are equal, and it is not written to any file.
struct Ignored {
  std::map<std::string, std::size_t> counts;
  /// The kinds; one that occurred several times ends with its count, as in "(3 times)".
  std::vector<std::string> listed() const;
  friend bool operator==(const Ignored&, const Ignored&) { return true; }
};

/// Where a generated level comes from and what was verified about it.
struct Provenance {
  std::string family;          ///< generator family
  std::uint64_t seed = 0;      ///< seed of the generator run
  std::uint64_t index = 0;     ///< number of the level within the run
  std::string profile;         ///< profile it was verified under
  double settle_shift = 0;     ///< verified stability: no object moved further than this (world units) while
                               ///< settling
  std::vector<Shot> solution;  ///< verified solvability: these shots, one a bird, clear the level
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// The world of a level. What is stored with it about difficulty: StoredLevel (levels/stored_level.hpp).
struct [[nodiscard]] Level {
  std::string name;  ///< for reports; file name without extension unless the file says otherwise
  int width = 1;     ///< world width in landscapes of 17.5 units, >= 1
  Camera camera;
  Vec2 slingshot{-5, -2.5};        ///< centre of the slingshot
  std::vector<std::string> birds;  ///< types in launch order: "BirdRed", ...
  std::vector<LevelObject> objects;
  std::vector<UnknownElement> unknown;
  std::optional<Provenance> provenance;
  std::optional<Novelty> novelty;  ///< the level's own, called "own" wherever a novelty is named. The level
                                   ///< is the normal world without it
  Ignored ignored;                 ///< of the file it was read from
  friend bool operator==(const Level&, const Level&) = default;
};

}  // namespace startle
