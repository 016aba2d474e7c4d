/// \file  Towers: storeys of pillars and beams or of solid blocks.
#include <algorithm>

#include "levels/families.hpp"

namespace startle {

void build_tower(Draft& draft, const Slot& slot) {
  Random& random = draft.random();
  const Profile& profile = draft.profile();
  std::vector<Brick> beams;
  for (const char* type : {"RectSmall", "RectMedium", "RectBig"}) {
    const Brick beam = brick(profile, type);
    if (beam.width <= slot.width) beams.push_back(beam);
  }
  if (beams.empty()) return;
  const Brick beam = random.choice(beams);
  const std::vector<Brick> pillars{brick(profile, "SquareSmall"),    brick(profile, "RectFat", 90),
                                   brick(profile, "RectSmall", 90),  brick(profile, "RectTiny", 90),
                                   brick(profile, "RectMedium", 90), brick(profile, "SquareHole")};
  const std::vector<Brick> solids{brick(profile, "RectFat"), brick(profile, "SquareHole"),
                                  brick(profile, "SquareSmall"), brick(profile, "RectSmall")};
  const int storeys = random.integer(2, 6);
  const bool regular = random.chance(0.4);  // all storeys alike
  Brick pillar = random.choice(pillars);
  double bottom = slot.base;
  for (int storey = 0; storey < storeys; ++storey) {
    if (!regular) pillar = random.choice(pillars);
    double storey_top = bottom;
    if (!regular && random.chance(0.3)) {
      const Brick solid = random.choice(solids);
      const int fit = std::max(1, static_cast<int>((beam.width + side_gap) / (solid.width + side_gap)));
      if (bottom + solid.height + beam.height > slot.base + slot.height) break;
      storey_top = draft.put_row(solid, row_of(fit, slot.x, solid.width, side_gap), bottom);
    } else {
      // Pillars stand under the ends of the beam; a beam too short for two gets one under its middle.
      const double span = beam.width - pillar.width;
      if (bottom + pillar.height + beam.height > slot.base + slot.height) break;
      const bool pair = span > pillar.width + side_gap;
      storey_top = draft.put_row(
          pillar, pair ? std::vector{slot.x - 0.5 * span, slot.x + 0.5 * span} : std::vector{slot.x}, bottom);
    }
    bottom = draft.put(beam, slot.x, storey_top);
  }
}

void lay_out_towers(Draft& draft) {
  lay_out_row(draft, {.build = build_tower,
                      .lowest = 3,
                      .highest = 6,
                      .fewest = 3,
                      .most = 4,
                      .most_ornaments = 3,
                      .tnt_chance = 0.2});
}

}  // namespace startle
