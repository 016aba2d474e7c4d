#include "viewer/screens/aiming.hpp"

#include <algorithm>
#include <cmath>

namespace startle {

bool control_view(const sf::Event& event, Camera2D& camera, const std::function<void()>& fit) {
  if (event.type == sf::Event::Resized) {
    camera.resize(static_cast<int>(event.size.width), static_cast<int>(event.size.height));
    if (camera.fitted()) fit();
    return true;
  }
  if (event.type != sf::Event::MouseWheelScrolled) return false;
  camera.zoom(pixel_of(event.mouseWheelScroll), std::pow(1.15, event.mouseWheelScroll.delta));
  return true;
}

Aiming::Did Aiming::handle(const sf::Event& event, Camera2D& camera, const Scene& scene, bool may_aim) {
  switch (event.type) {
    case sf::Event::MouseButtonPressed: {
      mouse_at_ = pixel_of(event.mouseButton);
      if (event.mouseButton.button != sf::Mouse::Left) {
        if (mouse_ == Mouse::dragging_bird) aim_.release();  // the right button puts the bird back
        mouse_ = Mouse::panning;
        return Did::nothing;
      }
      const double reach = std::max(36.0, 0.7 * camera.scale());
      const bool on_bird = may_aim && length(mouse_at_ - camera.to_pixels(aim_.held_at(scene))) <= reach;
      mouse_ = on_bird ? Mouse::dragging_bird : Mouse::panning;
      return on_bird ? Did::nothing : Did::pressed_beside;
    }
    case sf::Event::MouseMoved: {
      const Vec2 now = pixel_of(event.mouseMove);
      if (mouse_ == Mouse::panning) camera.pan(now - mouse_at_);
      if (mouse_ == Mouse::dragging_bird) aim_.drag_to(camera.to_world(now), scene);
      mouse_at_ = now;
      return Did::nothing;
    }
    case sf::Event::MouseButtonReleased: {
      const bool lets_go = mouse_ == Mouse::dragging_bird && event.mouseButton.button == sf::Mouse::Left;
      if (lets_go) aim_.drag_to(camera.to_world(pixel_of(event.mouseButton)), scene);
      mouse_ = Mouse::free;
      return lets_go ? Did::let_go : Did::nothing;
    }
    case sf::Event::LostFocus:
      if (mouse_ == Mouse::dragging_bird) aim_.release();
      mouse_ = Mouse::free;
      return Did::nothing;
    default:
      return Did::nothing;
  }
}

bool Aiming::nudge(const sf::Event::KeyEvent& key) {
  using K = sf::Keyboard;
  const double turn = key.shift ? 0.1 : 1, pull = key.shift ? 0.01 : 0.05;
  switch (key.code) {
    case K::Up:
      aim_.nudge(turn, 0);
      return true;
    case K::Down:
      aim_.nudge(-turn, 0);
      return true;
    case K::Left:
      aim_.nudge(0, pull);
      return true;
    case K::Right:
      aim_.nudge(0, -pull);
      return true;
    default:
      return false;
  }
}

void Aiming::release() {
  aim_.release();
  mouse_ = Mouse::free;
}

}  // namespace startle
