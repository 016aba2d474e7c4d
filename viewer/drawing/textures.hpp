#pragma once
/// \file  Pictures of the rasteriser as textures.
#include <SFML/Graphics/Texture.hpp>

#include "render/frames.hpp"
#include "render/raster.hpp"

namespace startle {

/// The texture takes the picture's size, and is smoothed when it is drawn at another.
void upload(const Bitmap& picture, sf::Texture& texture);
void upload(const Sprite& sprite, sf::Texture& texture);

}  // namespace startle
