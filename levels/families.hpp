#pragma once
/// \file  The structures that generator families are made of, and the families themselves. Used inside
/// levels/ only.
#include "levels/structure.hpp"

namespace startle {

/// Each builds one structure within the slot; it may be narrower and lower.

/// Rows of equal blocks, each carried by the row under it [Stephenson & Renz, AIIDE 2016].
void build_rows(Draft& draft, const Slot& slot);
/// Storeys on top of each other, each a pair of pillars with a beam or one solid block.
void build_tower(Draft& draft, const Slot& slot);
/// Courses of equal bricks, each shorter than the one under it, solid or with pillars and beams.
void build_pyramid(Draft& draft, const Slot& slot);
/// Storeys of rooms between walls, with beams as floors and battlements on top.
void build_castle(Draft& draft, const Slot& slot);
/// Thin blocks on end, near enough for each to knock the next one over.
void build_dominoes(Draft& draft, const Slot& slot);

/// Levels of one kind of structure: some side by side on the ground, each of its own materials; then
/// ornaments, TNT and one to four pigs.
struct StructureRow {
  void (*build)(Draft&, const Slot&);
  double lowest, highest;  ///< height that the structures may have, drawn once a level
  int fewest, most;        ///< structures
  int most_ornaments;
  double tnt_chance = 0;  ///< of one box
};
void lay_out_row(Draft& draft, const StructureRow& row);

/// Each lays out a whole level: structures, pigs, extras.
void lay_out_rows(Draft& draft);
void lay_out_towers(Draft& draft);
void lay_out_pyramids(Draft& draft);
void lay_out_castles(Draft& draft);
void lay_out_platforms(Draft& draft);
void lay_out_dominoes(Draft& draft);
void lay_out_mixed(Draft& draft);

/// Builds on the platform's top: a slot as wide as the platform.
Slot put_floating_platform(Draft& draft, double x, double top, int tiles, double height);

}  // namespace startle
