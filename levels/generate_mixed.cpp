/// \file  Mixed levels: a different structure in each slot, some of them raised, some with TNT.
#include "levels/families.hpp"

namespace startle {

void lay_out_mixed(Draft& draft) {
  Random& random = draft.random();
  std::vector<void (*)(Draft&, const Slot&)> builders{build_rows, build_tower, build_pyramid, build_castle,
                                                      build_dominoes};
  random.shuffle(builders);
  const double height = random.uniform(2.5, 4);
  const std::vector<Slot> slots = draft.ground_slots(random.integer(2, 4), height);
  for (std::size_t i = 0; i < slots.size(); ++i) {
    Slot slot = slots[i];
    draft.new_palette();
    const int tiles = static_cast<int>(slot.width / draft.tile());
    if (tiles >= 3 && random.chance(0.3))
      slot = put_floating_platform(draft, slot.x, slot.base + random.uniform(0.6, 3), tiles, 2.5);
    builders[i % builders.size()](draft, slot);
  }
  draft.put_ornaments(random.integer(0, 3));
  draft.put_tnt(random.integer(0, 2));
  draft.put_pigs(random.integer(2, 4));
}

}  // namespace startle
