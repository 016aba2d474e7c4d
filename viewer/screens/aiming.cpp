#include "viewer/screens/aiming.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "viewer/screens/keys.hpp"
#include "viewer/widgets.hpp"

namespace startle {
namespace {

constexpr double ahead_s = 0.004;       // a frame, for simulating ahead of what is shown
constexpr double shown_flight_s = 0.6;  // of the flight before it is flown

}  // namespace

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

void resize(Camera2D& camera, const sf::RenderTarget& target) {
  camera.resize(static_cast<int>(target.getSize().x), static_cast<int>(target.getSize().y));
}

void simulate_ahead(GameSession& session, const Playback& playback) {
  if (!session.simulating()) return;
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(ahead_s);
  const double wanted = playback.position() + 0.1 * playback.speed() / session.start().profile->step + 2;
  while (session.simulating() &&
         (session.shots().back().trace.steps < wanted || std::chrono::steady_clock::now() < until))
    session.simulate(1);
}

void draw_flights(const WorldView& view, sf::RenderTarget& target, const Camera2D& camera,
                  const std::vector<Vec2>& last, const Scene& scene, const Aim* aimed) {
  view.draw_points(target, camera, last, colour(0xFFFFFF, 150), std::max(2.0, 0.045 * camera.scale()));
  if (aimed != nullptr && aimed->pulled())
    view.draw_points(target, camera, flight_points(scene, aimed->shot(), shown_flight_s),
                     colour(0x20303F, 190), std::max(1.8, 0.04 * camera.scale()));
}

void draw_aim_hint(const Camera2D& camera, const Scene& scene, const std::string& text) {
  const Vec2 at = camera.to_pixels(scene.rest());
  const Plate plate("hint",
                    {static_cast<float>(std::max(at.x, 150.0)), static_cast<float>(at.y - camera.scale())},
                    {0.5f, 1}, 0.7f, {0, 0}, Plate::Mouse::lets_through);
  ImGui::TextUnformatted(text.c_str());
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
      mouse_ = on_bird ? Mouse::dragging_bird : pan_ == Pan::any_button ? Mouse::panning : Mouse::free;
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
  return press(key.code, {{{K::Up}, [&] { aim_.nudge(turn, 0); }},
                          {{K::Down}, [&] { aim_.nudge(-turn, 0); }},
                          {{K::Left}, [&] { aim_.nudge(0, pull); }},
                          {{K::Right}, [&] { aim_.nudge(0, -pull); }}});
}

void Aiming::release() {
  aim_.release();
  mouse_ = Mouse::free;
}

}  // namespace startle
