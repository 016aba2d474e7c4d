#include "viewer/drawing/camera.hpp"

#include <algorithm>

namespace startle {

void Camera2D::resize(int width, int height) {
  width_ = std::max(width, 1);
  height_ = std::max(height, 1);
  if (fitted_) apply_fit();
}

void Camera2D::fit(const Bounds& box, double margin_top, double margin_bottom) {
  box_ = box;
  margin_top_ = margin_top;
  margin_bottom_ = margin_bottom;
  fitted_ = true;
  apply_fit();
}

void Camera2D::apply_fit() {
  const double high = std::max(height_ - margin_top_ - margin_bottom_, 0.25 * height_);
  scale_ = std::clamp(std::min(width_ / std::max(box_.width(), 1e-3), high / std::max(box_.height(), 1e-3)),
                      least_scale, most_scale);
  // The bottom of the box stands margin_bottom above the lower edge of the window.
  centre_ = {box_.centre().x, box_.ymin + (0.5 * height_ - margin_bottom_) / scale_};
}

void Camera2D::zoom(Vec2 pixel, double factor) {
  const Vec2 fixed = to_world(pixel);
  scale_ = std::clamp(scale_ * factor, least_scale, most_scale);
  centre_ = centre_ + (fixed - to_world(pixel));
  fitted_ = false;
}

void Camera2D::pan(Vec2 pixels) {
  centre_ = centre_ + Vec2{-pixels.x / scale_, pixels.y / scale_};
  fitted_ = false;
}

Affine Camera2D::map() const {
  return {scale_, 0, 0, -scale_, 0.5 * width_ - scale_ * centre_.x, 0.5 * height_ + scale_ * centre_.y};
}
Vec2 Camera2D::to_pixels(Vec2 world) const { return map()(world); }
Vec2 Camera2D::to_world(Vec2 pixel) const {
  return {centre_.x + (pixel.x - 0.5 * width_) / scale_, centre_.y - (pixel.y - 0.5 * height_) / scale_};
}

Bounds Camera2D::seen() const {
  const Vec2 low = to_world({0, static_cast<double>(height_)}),
             high = to_world({static_cast<double>(width_), 0});
  return {low.x, high.x, low.y, high.y};
}

void move_by_key(Camera2D& camera, sf::Keyboard::Key key) {
  using K = sf::Keyboard;
  const Vec2 middle{0.5 * camera.width(), 0.5 * camera.height()};
  switch (key) {
    case K::Equal:
    case K::Add:
      camera.zoom(middle, 1.2);
      break;
    case K::Hyphen:
    case K::Subtract:
      camera.zoom(middle, 1 / 1.2);
      break;
    case K::A:
      camera.pan({60, 0});
      break;
    case K::D:
      camera.pan({-60, 0});
      break;
    case K::W:
      camera.pan({0, 60});
      break;
    case K::S:
      camera.pan({0, -60});
      break;
    default:
      break;
  }
}

}  // namespace startle
