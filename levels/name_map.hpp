#pragma once
/// \file  What stands for names in level files that Startle does not know.
#include <string>
#include <vector>

#include "sim/level.hpp"

namespace startle {

/// "Block:novel_object_0=RectFat/wood": what the right side is taken for.
struct MappedName {
  std::string text;         ///< as it was given
  std::string element;      ///< Bird, Block, Novelty, Pig, Platform or TNT; empty: not said
  std::string name;         ///< a type, or where only `material` is given a material, as the file writes it
  Kind kind = Kind::block;  ///< of `type`; birds included
  std::string type;         ///< empty: only the material is mapped
  Material material = Material::none;  ///< blocks: none keeps that of the element
};

/// "[KIND:]NAME=TYPE", "[KIND:]NAME=TYPE/MATERIAL" (blocks) or "[Block:]NAME=MATERIAL". KIND is the element
/// that has the name in the file; types are those of blocks, pigs, birds, TNT and platforms. A bird is mapped
/// to a bird. Throws Error, with what is allowed, for anything else.
MappedName parse_mapped_name(const std::string& text);

/// The level, with unknown elements turned into birds or objects where a mapping of their type or material
/// makes them known; the others stay as they are. A bird takes its place in the launch order; objects come
/// after the known ones. A mapping with a kind applies to that kind alone, and precedes one without. Throws
/// Error for a mapping without a kind whose name occurs in several kinds of elements or in another kind than
/// that of its type (except Novelty, which has none), for a mapped object whose place is missing or not a
/// number, and for a scale of 0.
Level with_mapped_names(Level level, const std::vector<MappedName>& names);

}  // namespace startle
