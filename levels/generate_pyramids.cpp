/// \file  Pyramids: solid ones of bricks in bond, and open ones of pillars and beams.
#include <algorithm>

#include "levels/families.hpp"

namespace startle {

namespace {

// Courses of n, n - 1, ... bricks, each over the joints of the course below.
void build_solid(Draft& draft, const Slot& slot) {
  Random& random = draft.random();
  const Profile& profile = draft.profile();
  const Brick stone = random.choice(std::vector{brick(profile, "SquareSmall"), brick(profile, "RectFat"),
                                                brick(profile, "SquareHole"), brick(profile, "RectSmall"),
                                                brick(profile, "RectTiny")});
  // Bricks further apart leave niches, but must reach over the joints.
  const double gap = random.chance(0.5) ? side_gap : random.uniform(0.1, 0.35) * stone.width;
  const int base = std::min(random.integer(4, 6), static_cast<int>((slot.width + gap) / (stone.width + gap)));
  const int top = random.integer(1, 2);
  double bottom = slot.base;
  for (int count = base; count >= top; --count) {
    if (bottom + stone.height > slot.base + slot.height) break;
    bottom = draft.put_row(stone, row_of(count, slot.x, stone.width, gap), bottom);
  }
}

// Storeys of n, n - 1, ... bays: pillars under the joints of a row of beams.
void build_open(Draft& draft, const Slot& slot) {
  Random& random = draft.random();
  const Profile& profile = draft.profile();
  const Brick beam = random.choice(
      std::vector{brick(profile, "RectMedium"), brick(profile, "RectSmall"), brick(profile, "RectBig")});
  const Brick pillar = random.choice(std::vector{brick(profile, "RectFat", 90), brick(profile, "SquareSmall"),
                                                 brick(profile, "SquareHole")});
  const int bays = std::min(random.integer(2, 3),
                            static_cast<int>((slot.width - pillar.width) / (beam.width + side_gap)));
  double bottom = slot.base;
  for (int count = bays; count >= 1; --count) {
    if (bottom + pillar.height + beam.height > slot.base + slot.height) break;
    if (beam.width < pillar.width + side_gap) break;
    bottom = draft.put_row(
        pillar, row_of(count + 1, slot.x, pillar.width, beam.width + side_gap - pillar.width), bottom);
    bottom = draft.put_row(beam, row_of(count, slot.x, beam.width, side_gap), bottom);
  }
}

}  // namespace

void build_pyramid(Draft& draft, const Slot& slot) {
  if (draft.random().chance(0.6))
    build_solid(draft, slot);
  else
    build_open(draft, slot);
}

void lay_out_pyramids(Draft& draft) {
  lay_out_row(draft, {.build = build_pyramid,
                      .lowest = 2.5,
                      .highest = 4.5,
                      .fewest = 2,
                      .most = 3,
                      .most_ornaments = 2,
                      .tnt_chance = 0.25});
}

}  // namespace startle
