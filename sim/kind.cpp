#include "sim/kind.hpp"

namespace startle {

const char* name(Kind kind) {
  switch (kind) {
    case Kind::block:
      return "block";
    case Kind::pig:
      return "pig";
    case Kind::tnt:
      return "tnt";
    case Kind::platform:
      return "platform";
    case Kind::bird:
      return "bird";
    case Kind::egg:
      return "egg";
    case Kind::ground:
      return "ground";
  }
  return "";
}

const char* name(Material material) {
  switch (material) {
    case Material::none:
      return "";
    case Material::wood:
      return "wood";
    case Material::ice:
      return "ice";
    case Material::stone:
      return "stone";
  }
  return "";
}

std::optional<Material> material_from_name(const std::string& wanted) {
  for (Material material : {Material::none, Material::wood, Material::ice, Material::stone})
    if (wanted == name(material)) return material;
  return std::nullopt;
}

}  // namespace startle
