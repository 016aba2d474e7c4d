/// \file  Castles: storeys of rooms between walls; pigs live in the rooms.
#include <algorithm>

#include "levels/families.hpp"

namespace startle {

void build_castle(Draft& draft, const Slot& slot) {
  Random& random = draft.random();
  const Profile& profile = draft.profile();
  const Brick floor = brick(profile, random.chance(0.5) ? "RectMedium" : "RectBig");
  // Walls carry the ends of two floors, so thin ones will not do.
  const std::vector<Brick> walls{brick(profile, "RectFat", 90), brick(profile, "SquareSmall"),
                                 brick(profile, "SquareHole")};
  int rooms = std::min(random.integer(2, 4),
                       static_cast<int>((slot.width + side_gap) / (floor.width + side_gap)));
  int first = 0;  // of the ground floor's bays
  const int bays = rooms;
  const double bay = floor.width + side_gap, left = slot.x - 0.5 * bays * bay;
  const int storeys = random.integer(2, 3);
  double bottom = slot.base;
  for (int storey = 0; storey < storeys && rooms >= 1; ++storey) {
    const Brick wall = random.choice(walls);
    const int courses = wall.type == "SquareSmall" ? 2 : 1;  // a small square alone leaves no room for a pig
    if (bottom + courses * (wall.height + placement_gap) + floor.height > slot.base + slot.height) break;

    std::vector<double> xs;
    for (int i = 0; i <= rooms; ++i) {
      double x = left + (first + i) * bay;
      if (i == 0) x += 0.5 * (wall.width + side_gap);  // outer walls stand wholly under the floor's end
      if (i == rooms) x -= 0.5 * (wall.width + side_gap);
      xs.push_back(x);
    }
    for (int course = 0; course < courses; ++course) bottom = draft.put_row(wall, xs, bottom);
    bottom = draft.put_row(floor, row_of(rooms, left + (first + 0.5 * rooms) * bay, floor.width, side_gap),
                           bottom);

    // The next storey leaves out the bays at one or both ends, or none.
    const int drop_left = random.integer(0, 1), drop_right = random.integer(0, 1);
    first += drop_left;
    rooms -= drop_left + drop_right;
  }
  if (rooms < 1) return;
  // Battlements at the ends of the top floor, with or without some between.
  const Brick merlon = brick(profile, random.chance(0.5) ? "SquareSmall" : "RectTiny");
  if (bottom + merlon.height > slot.base + slot.height || random.chance(0.3)) return;
  const double width = rooms * bay - side_gap - merlon.width, centre = left + (first + 0.5 * rooms) * bay;
  const int merlons = random.chance(0.5) ? 2 : 2 + rooms;
  draft.put_row(merlon, row_of(merlons, centre, 0, width / (merlons - 1)), bottom);
}

void lay_out_castles(Draft& draft) {
  Random& random = draft.random();
  const double height = random.uniform(3, 5);
  if (random.chance(0.35)) {
    for (const Slot& slot : draft.ground_slots(2, height)) {
      draft.new_palette();
      build_castle(draft, slot);
    }
  } else {
    // One large castle with a guard tower before or behind it.
    const double length = draft.last_x() - draft.first_x(), guard_width = random.uniform(2.2, 3),
                 middle = draft.first_x() + 0.5 * length;
    const double side = random.chance(0.5) ? 1 : -1;
    draft.new_palette();
    build_castle(draft,
                 {middle - side * 0.5 * guard_width, draft.ground(), length - guard_width - 0.5, height});
    draft.new_palette();
    build_tower(draft,
                {middle + side * 0.5 * (length - guard_width), draft.ground(), guard_width - 0.5, height});
  }
  draft.put_ornaments(random.integer(0, 3));
  draft.put_tnt(random.chance(0.25) ? 1 : 0);
  draft.put_pigs(random.integer(2, 4));
}

}  // namespace startle
