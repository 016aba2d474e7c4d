#pragma once
/// \file  How a screen with a level in play takes mouse and keys, and shows what they do: the bird is pulled
/// and let go, the view is moved.
#include <SFML/Graphics/RenderTarget.hpp>
#include <SFML/Window/Event.hpp>
#include <functional>
#include <vector>

#include "play/aim.hpp"
#include "play/game_session.hpp"
#include "play/playback.hpp"
#include "viewer/drawing/camera.hpp"
#include "viewer/drawing/world_view.hpp"

namespace startle {

/// Where an event with a place in the window happened, pixels.
template <typename MouseEvent>
Vec2 pixel_of(const MouseEvent& event) {
  return {static_cast<double>(event.x), static_cast<double>(event.y)};
}

/// A window of another size, and the wheel, which zooms. `fit` shows everything again where the camera did so
/// before. False for other events.
bool control_view(const sf::Event& event, Camera2D& camera, const std::function<void()>& fit);

/// The camera as large as the target, which is the window.
void resize(Camera2D& camera, const sf::RenderTarget& target);

/// Simulates the shot in flight as far ahead as a few milliseconds allow, at least as far as is to be shown.
void simulate_ahead(GameSession& session, const Playback& playback);

/// Dots where the bird flew last; where the bird of `scene` is `aimed`, also where it is about to fly.
void draw_flights(const WorldView& view, sf::RenderTarget& target, const Camera2D& camera,
                  const std::vector<Vec2>& last, const Scene& scene, const Aim* aimed);
/// Shows a beginner how to pull the bird of `scene`.
void draw_aim_hint(const Camera2D& camera, const Scene& scene, const std::string& text);

/// The bird under the player's hand. Beside the bird, the mouse moves the view.
class Aiming {
 public:
  enum class Pan { any_button, right_button };  ///< what moves the view, when pressed beside the bird
  Aiming() = default;
  explicit Aiming(Pan pan) : pan_(pan) {}
  enum class Did {
    nothing,         ///< that concerns anybody else
    pressed_beside,  ///< the left button, at mouse_at(), not on the bird
    let_go           ///< of the bird that the mouse held: it flies, where it is pulled at all
  };
  /// The mouse, and a window that is no longer in front, which puts back the bird that the mouse holds.
  /// `may_aim`: the bird of `scene` can be pulled.
  Did handle(const sf::Event& event, Camera2D& camera, const Scene& scene, bool may_aim);
  /// An arrow key: up and down turn by a degree, left and right pull by 5 %; with shift a tenth and a fifth
  /// of that. False for other keys.
  bool nudge(const sf::Event::KeyEvent& key);

  const Aim& aim() const { return aim_; }
  Vec2 mouse_at() const { return mouse_at_; }  ///< pixels
  /// The bird is pulled, or the mouse holds it at its place.
  bool holds() const { return aim_.pulled() || mouse_ == Mouse::dragging_bird; }
  /// The bird goes back to its place, and the mouse lets go of it.
  void release();

 private:
  Aim aim_;
  Pan pan_ = Pan::any_button;
  enum class Mouse { free, dragging_bird, panning } mouse_ = Mouse::free;
  Vec2 mouse_at_;
};

}  // namespace startle
