#pragma once
/// \file  Artwork as textures, drawn by the rasteriser at the size at which it is seen, and again when that
/// has changed.
#include <SFML/Graphics/Color.hpp>
#include <SFML/Graphics/RenderTarget.hpp>
#include <SFML/Graphics/Texture.hpp>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "render/artwork.hpp"
#include "render/raster.hpp"
#include "viewer/drawing/camera.hpp"

namespace startle {

/// A sprite of that artwork, `scale` pixels a unit.
struct RasteredArtwork {
  Sprite sprite;
  Vec2 origin;  ///< of the artwork, in pixels of the sprite
};
RasteredArtwork rastered(const Artwork& artwork, double scale, Raster& raster);

class Sprites {
 public:
  /// To be called once a frame: of textures that have the wrong size for the camera, as many are made anew as
  /// fit a few milliseconds; the others are drawn stretched until then. Missing ones are made at once.
  void begin_frame();

  /// Draws the artwork of that name at a pose. `artwork` is called when its texture is missing or of the
  /// wrong size; the same name must always stand for the same artwork. `tint` multiplies its colours: a dark
  /// one with some alpha gives a shadow.
  void draw(sf::RenderTarget& target, const Camera2D& camera, const std::string& name,
            const std::function<Artwork()>& artwork, const Pose& pose, sf::Color tint = sf::Color::White);

  /// Draws artwork that is different in each frame.
  void draw_once(sf::RenderTarget& target, const Camera2D& camera, const Artwork& artwork, const Pose& pose);

  /// Textures held, for the record.
  std::size_t count() const { return entries_.size(); }

 private:
  struct Entry {
    sf::Texture texture;
    Vec2 origin;       ///< of the artwork, in pixels of the texture
    double scale = 0;  ///< pixels of the texture a world unit
    long seen = 0;     ///< frame in which it was drawn last
  };
  void make(Entry& entry, const Artwork& artwork, double scale);
  void put(sf::RenderTarget& target, const Camera2D& camera, const Entry& entry, const Pose& pose,
           sf::Color tint) const;

  std::unordered_map<std::string, std::unique_ptr<Entry>> entries_;
  std::vector<std::unique_ptr<Entry>> once_;  ///< textures of draw_once(), used again in the next frame
  std::size_t once_used_ = 0;
  Raster raster_;
  double seconds_left_ = 0;
  long frame_ = 0;
};

}  // namespace startle
