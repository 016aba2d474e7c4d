#pragma once
/// \file  Kinds and materials of objects.
#include <optional>
#include <string>

namespace startle {

/// What an object is. Blocks have a material; nothing else does.
enum class Kind { block, pig, tnt, platform, bird, egg, ground };
enum class Material { none, wood, ice, stone };

const char* name(Kind kind);
const char* name(Material material);
/// The material of that name ("" is none); empty optional for any other name.
std::optional<Material> material_from_name(const std::string& name);

}  // namespace startle
