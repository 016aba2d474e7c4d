#include "levels/families.hpp"

namespace startle {

void lay_out_row(Draft& draft, const StructureRow& row) {
  Random& random = draft.random();
  const double height = random.uniform(row.lowest, row.highest);
  for (const Slot& slot : draft.ground_slots(random.integer(row.fewest, row.most), height)) {
    draft.new_palette();
    row.build(draft, slot);
  }
  draft.put_ornaments(random.integer(0, row.most_ornaments));
  if (row.tnt_chance > 0) draft.put_tnt(random.chance(row.tnt_chance) ? 1 : 0);
  draft.put_pigs(random.integer(1, 4));
}

}  // namespace startle
