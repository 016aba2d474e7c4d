/// \file  Floating platforms with structures on them and pigs on, between and under them.
#include "levels/families.hpp"

namespace startle {

Slot put_floating_platform(Draft& draft, double x, double top, int tiles, double height) {
  draft.put_platform(x, top, tiles, 0.5);
  return {x, top, tiles * draft.tile() - 0.1, height};
}

void lay_out_platforms(Draft& draft) {
  Random& random = draft.random();
  const int count = random.integer(2, 4);
  const std::vector<Slot> slots = draft.ground_slots(count, 3);
  // One structure may stand on the ground among the platforms.
  const int simulated = random.chance(0.5) ? random.integer(0, count - 1) : -1;
  for (int i = 0; i < count; ++i) {
    Slot slot = slots[static_cast<std::size_t>(i)];
    draft.new_palette();
    if (i != simulated) {
      const int tiles = std::min(random.integer(3, 6), static_cast<int>(slot.width / draft.tile()));
      const double top = draft.ground() + random.uniform(1.2, 4);
      slot = put_floating_platform(draft, slot.x, top, tiles, random.uniform(1.5, 2.5));
    }
    switch (random.integer(0, 3)) {
      case 0:
        build_rows(draft, slot);
        break;
      case 1:
        build_tower(draft, slot);
        break;
      case 2:
        build_pyramid(draft, slot);
        break;
      case 3:
        build_castle(draft, slot);
        break;
    }
  }
  draft.put_ornaments(random.integer(0, 3));
  draft.put_tnt(random.chance(0.2) ? 1 : 0);
  draft.put_pigs(random.integer(2, 4));
}

}  // namespace startle
