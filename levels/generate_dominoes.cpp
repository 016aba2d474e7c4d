/// \file  Domino rows: what happens to the last block depends on every one before it.
#include <algorithm>

#include "levels/families.hpp"

namespace startle {

void build_dominoes(Draft& draft, const Slot& slot) {
  Random& random = draft.random();
  const Profile& profile = draft.profile();
  const std::vector<Brick> kinds{brick(profile, "RectMedium", 90), brick(profile, "RectBig", 90),
                                 brick(profile, "RectFat", 90), brick(profile, "RectSmall", 90),
                                 brick(profile, "RectTiny", 90)};
  std::vector<Brick> fitting;
  std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(fitting),
               [&](const Brick& b) { return b.height <= slot.height; });
  if (fitting.empty()) return;
  const Brick domino = random.choice(fitting);
  // A falling block must reach the next one well below that one's top.
  const double pitch = domino.width + random.uniform(0.3, 0.7) * (domino.height - domino.width);
  const int fit = std::max(1, 1 + static_cast<int>((slot.width - domino.width) / pitch));
  const int count = std::min(random.integer(4, 8), fit);
  const std::vector<double> xs = row_of(count, slot.x, domino.width, pitch - domino.width);
  const double top = draft.put_row(domino, xs, slot.base);
  // Some neighbours carry a lintel: it falls with them.
  const Brick lintel = brick(profile, pitch > 0.7 ? "RectMedium" : "RectSmall");
  if (lintel.width < pitch || top + lintel.height > slot.base + slot.height) return;
  for (std::size_t i = 0; i + 1 < xs.size(); i += 2)
    if (random.chance(0.3) && lintel.width < 2 * pitch - side_gap)
      draft.put(lintel, 0.5 * (xs[i] + xs[i + 1]), top);
}

void lay_out_dominoes(Draft& draft) {
  Random& random = draft.random();
  for (const Slot& slot : draft.ground_slots(random.integer(1, 3), 2.6)) {
    draft.new_palette();
    build_dominoes(draft, slot);
    // A second row above the first, on a platform.
    if (random.chance(0.4)) {
      const int tiles = std::min(random.integer(4, 7), static_cast<int>(slot.width / draft.tile()));
      if (tiles < 3) continue;
      draft.new_palette();
      build_dominoes(draft,
                     put_floating_platform(draft, slot.x, slot.base + random.uniform(3, 3.8), tiles, 2));
    }
  }
  draft.put_tnt(random.chance(0.3) ? 1 : 0);
  draft.put_ornaments(random.integer(0, 2));
  draft.put_pigs(random.integer(2, 4));
}

}  // namespace startle
