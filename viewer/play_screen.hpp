#pragma once
/// \file  The screen in which a level is played and shots are shown again.
#include <filesystem>
#include <optional>
#include <vector>

#include "viewer/aim.hpp"
#include "viewer/camera.hpp"
#include "viewer/game_session.hpp"
#include "viewer/playback.hpp"
#include "viewer/screen.hpp"
#include "viewer/world_view.hpp"

namespace startle {

class PlayScreen : public Screen {
 public:
  /// `files[index]` is played first; next and previous go through the others.
  PlayScreen(Viewer& viewer, std::vector<std::filesystem::path> files, std::size_t index);

  void handle(const sf::Event& event) override;
  void update(double seconds) override;
  void draw(sf::RenderTarget& target) override;
  void widgets() override;
  std::string title() const override;
  std::vector<HelpLine> help() const override;

 private:
  /// The level of that number; the next one in that direction when it cannot be used.
  void load(std::size_t index);
  void go(int direction);
  void fit();

  bool showing() const { return shown_.has_value(); }  ///< a shot is played back; otherwise the player aims
  const PlayedShot& shown() const { return session_->shots()[*shown_]; }
  void show(std::size_t shot);
  void stop_showing();
  void shoot();
  void tap();
  void undo();
  void restart();
  void press_key(const sf::Event::KeyEvent& key);
  double shown_score() const;
  void write_record() const;

  void draw_heading();
  void draw_score();
  void draw_tools();
  void draw_transport();
  void draw_result();
  void draw_aim_label();

  Viewer& viewer_;
  std::vector<std::filesystem::path> files_;
  std::size_t index_ = 0;
  Level level_;
  std::optional<GameSession> session_;
  WorldView view_;
  Camera2D camera_;
  Aim aim_;
  Playback playback_;
  std::optional<std::size_t> shown_;
  std::vector<Vec2> last_path_;  ///< of the bird flown last
  enum class Mouse { free, dragging_bird, panning } mouse_ = Mouse::free;
  Vec2 mouse_at_;
  double result_age_ = 0;        ///< s since the level was over and shown to its end
  bool guide_ = true;            ///< dots that show where the bird is about to fly
};

}  // namespace startle
