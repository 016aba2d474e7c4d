#pragma once
/// \file  The screen in which the normal and the novel world are shown beside each other, flying the same
/// shot.
#include <future>
#include <optional>
#include <string>

#include "play/playback.hpp"
#include "play/twin_flight.hpp"
#include "viewer/drawing/camera.hpp"
#include "viewer/drawing/world_view.hpp"
#include "viewer/screen.hpp"

namespace startle {

class TwinScreen : public Screen {
 public:
  /// `normal`: no object novel, a bird left. `novelty` empty: the level's own, else the first with an effect.
  /// Without a shot, one that makes the novelty visible.
  TwinScreen(Viewer& viewer, Level level, Scene normal, const std::string& novelty,
             const std::optional<Shot>& shot);

  void handle(const sf::Event& event) override;
  void update(double seconds) override;
  void draw(sf::RenderTarget& target) override;
  void widgets() override;
  std::string title() const override;
  std::vector<HelpLine> help() const override;

 private:
  /// A world's part of the window, pixels.
  struct Pane {
    float x = 0, y = 0;
  };
  void press_key(const sf::Event::KeyEvent& key);
  void fly();  ///< anew, with shot and novelty as they are
  void turn(double degrees, double stretch);
  void lay_out();  ///< beside or above each other, whichever shows more
  Pane pane(bool novel) const;
  void fit();
  void go_to_first();
  void again();
  void draw_marks();
  void draw_labels();
  void draw_timeline();

  Viewer& viewer_;
  Level level_;
  Scene normal_;
  Shot shot_;
  Novelty novelty_;
  std::future<TwinFlight> flying_;
  bool fly_again_ = false;  ///< shot or novelty have changed since
  std::optional<TwinFlight> flight_;
  std::string failure_;  ///< why the shot cannot be flown
  WorldView normal_view_, novel_view_;
  Camera2D camera_;  ///< of both
  bool stacked_ = false, ghosts_ = true;
  Playback playback_;
  bool panning_ = false;
  Vec2 mouse_at_;
};

}  // namespace startle
