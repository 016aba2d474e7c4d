#include "render/palette.hpp"

namespace startle {
namespace {

constexpr Look look(std::uint32_t fill, std::uint32_t edge, std::uint32_t dark, std::uint32_t light,
                    std::uint32_t flat) {
  return {colour(fill), colour(edge), colour(dark), colour(light), colour(flat)};
}

constexpr Look wood = look(0xDDA660, 0x74491C, 0xB9803F, 0xEBC38B, 0xD08A3C);
constexpr Look ice = look(0xC4E6F6, 0x4F93B8, 0x97CBE5, 0xFFFFFF, 0xE6FAFF);
constexpr Look stone = look(0xABB0B6, 0x50555C, 0x8B9097, 0xC9CDD1, 0x888C92);
constexpr Look pig = look(0x8CCB4A, 0x3F6B1C, 0x5E9A2C, 0xB6E37F, 0x5FBF2A);
constexpr Look tnt = look(0xE08A3C, 0x7A2E12, 0xB9481F, 0xF6C58F, 0xE8601E);
constexpr Look platform = look(0x5D6875, 0x333B45, 0x4A5460, 0x8793A1, 0x46505E);
constexpr Look soil = look(0xB08A5E, 0x6F9E3B, 0x97734A, 0xC4A277, 0x6E4F30);
constexpr Look egg = look(0xF7EBDD, 0x8C7B62, 0xDCC9AE, 0xFFFFFF, 0xF2B8C6);
constexpr Look plain = look(0xD8D2C4, 0x6B6558, 0xB9B2A2, 0xEEEAE0, 0xD8B9F0);

constexpr Look red_bird = look(0xD8392F, 0x5E120E, 0xA8241D, 0xF6E7D2, 0xC8102E);
constexpr Look blue_bird = look(0x4C9BE0, 0x173F66, 0x2D73B3, 0xF1F5F8, 0x1F4FD0);
constexpr Look yellow_bird = look(0xF4CF3A, 0x6E5407, 0xCFA31A, 0xFFF4CE, 0xFFE21F);
constexpr Look black_bird = look(0x3D3F46, 0x141519, 0x26272C, 0x8D9099, 0x101014);
constexpr Look white_bird = look(0xF5F2EA, 0x6B6558, 0xD3CDBD, 0xFFFFFF, 0xFFFFB4);

}  // namespace

std::string svg_colour(Colour c) {
  constexpr const char* digits = "0123456789ABCDEF";
  std::string text = "#";
  for (const std::uint8_t value : {c.r, c.g, c.b}) {
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

const Look& look_of(Kind kind, Material material) {
  switch (kind) {
    case Kind::pig:
      return pig;
    case Kind::tnt:
      return tnt;
    case Kind::platform:
      return platform;
    case Kind::ground:
      return soil;
    case Kind::egg:
      return egg;
    default:
      break;
  }
  switch (material) {
    case Material::wood:
      return wood;
    case Material::ice:
      return ice;
    case Material::stone:
      return stone;
    case Material::none:
      break;
  }
  return plain;
}

const Look& bird_look(const std::string& type) {
  if (type == "BirdBlue") return blue_bird;
  if (type == "BirdYellow") return yellow_bird;
  if (type == "BirdBlack") return black_bird;
  if (type == "BirdWhite") return white_bird;
  return red_bird;
}

}  // namespace startle
