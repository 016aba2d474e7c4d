#pragma once
/// \file  Which part of the world a window shows.
#include <SFML/Window/Keyboard.hpp>

#include "render/frames.hpp"
#include "render/raster.hpp"
#include "sim/geometry.hpp"
#include "sim/scene.hpp"

namespace startle {

/// Maps world units to pixels of the window, y down. Fitted, it shows all of a View at any size of the
/// window; the player's zooming and moving ends that until fit() is called again.
class Camera2D {
 public:
  static constexpr double least_scale = 4, most_scale = 600;  ///< pixels a world unit

  /// Size of the window in pixels, at least 1 x 1. The centre stays, or the fitted view stays in the window.
  void resize(int width, int height);
  int width() const { return width_; }
  int height() const { return height_; }

  /// Shows what `box` holds, as large as it gets; the ground, at the bottom, stays at the bottom: room left
  /// over goes to the sky. `margin_top` and `margin_bottom` pixels are kept free of it.
  void fit(const Bounds& box, double margin_top = 0, double margin_bottom = 0);
  bool fitted() const { return fitted_; }

  /// The point of the world under `pixel` stays there.
  void zoom(Vec2 pixel, double factor);
  /// What is shown moves by so many pixels.
  void pan(Vec2 pixels);

  double scale() const { return scale_; }  ///< pixels a world unit
  Vec2 to_pixels(Vec2 world) const;
  Vec2 to_world(Vec2 pixel) const;
  Affine map() const;
  /// The part of the world in the window.
  Bounds seen() const;

 private:
  void apply_fit();

  int width_ = 1, height_ = 1;
  double scale_ = 50;
  Vec2 centre_;
  bool fitted_ = false;
  Bounds box_;
  double margin_top_ = 0, margin_bottom_ = 0;
};

/// + and - zoom about the middle of the window, W, A, S and D look up, left, down and right; other keys do
/// nothing.
void move_by_key(Camera2D& camera, sf::Keyboard::Key key);

}  // namespace startle
