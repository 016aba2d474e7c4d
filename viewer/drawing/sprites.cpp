#include "viewer/drawing/sprites.hpp"

#include <SFML/Graphics/PrimitiveType.hpp>
#include <SFML/Graphics/RenderStates.hpp>
#include <SFML/Graphics/Vertex.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "viewer/drawing/textures.hpp"

namespace startle {
namespace {

/// Made finer than needed, so that turned and shifted sprites stay sharp when the card mixes neighbouring
/// pixels. A texture serves as long as its scale lies between the camera's and `coarsest` times that.
constexpr double finer = 1.5, coarsest = 2.1;
constexpr double remake_s = 0.006;      ///< a frame, for textures of the wrong size
constexpr long forgotten_after = 1800;  ///< frames

const sf::BlendMode premultiplied(sf::BlendMode::One, sf::BlendMode::OneMinusSrcAlpha);

}  // namespace

RasteredArtwork rastered(const Artwork& artwork, double scale, Raster& raster) {
  const Bounds box = extent(artwork);
  constexpr double border = 2;  // pixels of nothing, which soft edges run into
  const Vec2 origin{std::ceil(border - scale * box.xmin), std::ceil(border + scale * box.ymax)};
  const auto pixels = [](double length) { return std::clamp(static_cast<int>(std::ceil(length)), 1, 4096); };
  RasteredArtwork result{
      Sprite(pixels(origin.x + scale * box.xmax + border), pixels(origin.y - scale * box.ymin + border)),
      origin};
  raster.attach(result.sprite);
  draw(raster, artwork, {scale, 0, 0, -scale, origin.x, origin.y});
  return result;
}

void Sprites::begin_frame() {
  seconds_left_ = remake_s;
  once_used_ = 0;
  if (++frame_ % 600 == 0)
    std::erase_if(entries_,
                  [this](const auto& entry) { return entry.second->seen + forgotten_after < frame_; });
}

void Sprites::make(Entry& entry, const Artwork& artwork, double scale) {
  const RasteredArtwork raster = rastered(artwork, scale, raster_);
  upload(raster.sprite, entry.texture);
  entry.origin = raster.origin;
  entry.scale = scale;
}

void Sprites::put(sf::RenderTarget& target, const Camera2D& camera, const Entry& entry, const Pose& pose,
                  sf::Color tint) const {
  const auto size = entry.texture.getSize();
  const double s = 1 / entry.scale;
  const Affine map =
      camera.map().after(affine(pose)).after({s, 0, 0, -s, -s * entry.origin.x, s * entry.origin.y});
  const auto width = static_cast<float>(size.x), height = static_cast<float>(size.y);
  const auto corner = [&](float x, float y) {
    const Vec2 p = map({x, y});
    return sf::Vertex({static_cast<float>(p.x), static_cast<float>(p.y)}, tint, {x, y});
  };
  const sf::Vertex corners[4] = {corner(0, 0), corner(0, height), corner(width, 0), corner(width, height)};
  sf::RenderStates states(premultiplied);
  states.texture = &entry.texture;
  target.draw(corners, 4, sf::TriangleStrip, states);
}

void Sprites::draw(sf::RenderTarget& target, const Camera2D& camera, const std::string& name,
                   const std::function<Artwork()>& artwork, const Pose& pose, sf::Color tint) {
  std::unique_ptr<Entry>& entry = entries_[name];
  const bool missing = !entry;
  if (missing) entry = std::make_unique<Entry>();
  const bool wrong_size = missing || entry->scale < camera.scale() ||
                          entry->scale > coarsest * camera.scale();
  if (missing || (wrong_size && seconds_left_ > 0)) {
    const auto start = std::chrono::steady_clock::now();
    make(*entry, artwork(), finer * camera.scale());
    seconds_left_ -= std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  entry->seen = frame_;
  put(target, camera, *entry, pose, tint);
}

void Sprites::draw_once(sf::RenderTarget& target, const Camera2D& camera, const Artwork& artwork,
                        const Pose& pose) {
  if (once_used_ == once_.size()) once_.push_back(std::make_unique<Entry>());
  Entry& entry = *once_[once_used_++];
  make(entry, artwork, camera.scale());
  put(target, camera, entry, pose, sf::Color::White);
}

}  // namespace startle
