#include "viewer/drawing/textures.hpp"

#include <algorithm>
#include <vector>

namespace startle {
namespace {

void upload(const std::vector<std::uint8_t>& rgba, int width, int height, sf::Texture& texture) {
  const sf::Vector2u size(static_cast<unsigned>(width), static_cast<unsigned>(height));
  if (texture.getSize() != size) {
    texture.create(size.x, size.y);
    texture.setSmooth(true);
  }
  texture.update(rgba.data());
}

}  // namespace

void upload(const Bitmap& picture, sf::Texture& texture) {
  const std::size_t pixels = picture.rgb.size() / 3;
  std::vector<std::uint8_t> rgba(4 * pixels, 255);
  for (std::size_t i = 0; i < pixels; ++i) std::copy_n(&picture.rgb[3 * i], 3, &rgba[4 * i]);
  upload(rgba, picture.width, picture.height, texture);
}

void upload(const Sprite& sprite, sf::Texture& texture) {
  upload(sprite.rgba, sprite.width, sprite.height, texture);
}

}  // namespace startle
