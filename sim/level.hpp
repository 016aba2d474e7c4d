#pragma once
/// \file  A level as data: what a level file says, before any physics. Physics, reasoning, pictures,
///        viewer and agents all read this one description.
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
  double rotation_deg =
      0;  ///< degrees, counter-clockwise: as in the files, so that they survive a round trip
  double scale_x = 1, scale_y = 1;  ///< platforms only, > 0
  friend bool operator==(const LevelObject&, const LevelObject&) = default;
};

/// What a level shows at the start; the engine carries it along for viewers.
struct Camera {
  double x = 0, y = -1;
  double min_width = 25, max_width = 35;  ///< world width shown zoomed in and fully out
  friend bool operator==(const Camera&, const Camera&) = default;
};

/// An element of a Science Birds file that is no part of the normal world. It is kept so that the file survives a round trip, and reported when the
/// file is read. What NovPhy's elements (Fan, Magnet ...) do is the level's own novelty (sim/novelty_elements.hpp).
struct UnknownElement {
  std::string parent;   ///< element it stood in, for example "GameObjects"
  std::string element;  ///< its own name, for example "Novelty"
  std::vector<std::pair<std::string, std::string>> attributes;  ///< in file order
  std::size_t birds_before =
      0;  ///< of one among the birds: so many known birds are launched before it; elsewhere 0
  friend bool operator==(const UnknownElement&, const UnknownElement&) = default;
};

/// Where a generated level comes from and what was proved about it.
struct Provenance {
  std::string family;       ///< generator family
  std::uint64_t seed = 0;   ///< seed of the generator run
  std::uint64_t index = 0;  ///< number of the level within the run
  std::string profile;      ///< profile it was proved under
  double settle_shift =
      0;  ///< proof of stability: no object moved further than this (world units) while settling
  std::vector<Shot> solution;  ///< proof of solvability: these shots, one a bird, clear the level
  friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// A tier and what parts it from the others: 33.33rd and 66.67th percentile of `count` values (difficulty/tiers.hpp).
struct StoredTier {
  std::string
      tier;  ///< "easy", "medium" or "hard"; "impossible": the value is 1, the novelty cannot be shown
  double low = 0, high = 0;
  std::uint64_t count = 0;
  friend bool operator==(const StoredTier&, const StoredTier&) = default;
};

/// So many of so many shots.
struct StoredCount {
  std::uint64_t shots = 0, of = 0;
  friend bool operator==(const StoredCount&, const StoredCount&) = default;
};

/// Turned shots that made something visibly different, any body, when the level was made: what confirms its tier (difficulty/shown_shots.hpp).
struct StoredShots {
  double aim_noise = 0;             ///< standard deviation of the turns, radians
  StoredCount best, random, proof;  ///< shots at best targets, at random ones, and of the solution
  friend bool operator==(const StoredShots&, const StoredShots&) = default;
};

/// How hard a novelty is to detect in the level, as it was computed when the level was made (difficulty/difficulty.hpp).
struct StoredDifficulty {
  std::string novelty;  ///< name in the catalogue, "T2@0.5" at a strength; "own": the level's
  std::string
      method;  ///< "published" or "extended" reasoning, qualitative state update; "grounded": twin simulation;
      ///< "observer": share of best shots that the reference observer does not notice, without PID and BID
  double alpha = 0.5;  ///< weight of PID in `value`
  double pid = 1, bid = 1, value = 1;
  std::optional<StoredTier>
      tier;  ///< when the level was made for a tier; thresholds are of values with the same alpha
  std::optional<StoredShots> shown_shots;  ///< where these confirm the tier
  std::optional<StoredCount>
      noticed;  ///< of method "observer": best shots that it noticed, of those launched
  friend bool operator==(const StoredDifficulty&, const StoredDifficulty&) = default;
};

struct Level {
  std::string name;  ///< for reports; file name without extension unless the file says otherwise
  int width = 1;     ///< world width in landscapes of 17.5 units, >= 1
  Camera camera;
  Vec2 slingshot{-5, -2.5};        ///< centre of the slingshot
  std::vector<std::string> birds;  ///< types in launch order: "BirdRed", ...
  std::vector<LevelObject> objects;
  std::vector<UnknownElement> unknown;
  std::optional<Provenance> provenance;
  std::optional<Novelty>
      novelty;  ///< the level's own, called "own" wherever a novelty is named. The level is the normal world without it
  std::optional<StoredDifficulty> difficulty;
  friend bool operator==(const Level&, const Level&) = default;
};

}  // namespace startle
