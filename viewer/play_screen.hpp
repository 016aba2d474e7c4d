#pragma once
/// \file  The screen in which a level is played and shots are shown again.
#include <filesystem>
#include <optional>
#include <vector>

#include "viewer/aim.hpp"
#include "viewer/camera.hpp"
#include "viewer/game_session.hpp"
#include "viewer/play_record.hpp"
#include "viewer/playback.hpp"
#include "viewer/screen.hpp"
#include "viewer/world_view.hpp"

namespace startle {

struct PlayItem {
  std::filesystem::path file;
  std::string novelty;  ///< in it; empty: the normal world
};

class PlayScreen : public Screen {
 public:
  /// `items[index]` is played first; next and previous go through the others. Throws Error when its level cannot be used.
  PlayScreen(Viewer& viewer, std::vector<PlayItem> items, std::size_t index);
  /// As if the player had flown these shots; then shows them. Throws Error for shots that cannot be flown.
  void fly(const std::vector<Shot>& shots);

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
  const FlownShot& shown() const { return session_->shots()[*shown_]; }
  /// From that shot on, to the last.
  void show(std::size_t shot);
  void stop_showing();
  void shoot();
  void tap();
  void undo();
  void restart();
  void press_key(const sf::Event::KeyEvent& key);
  double shown_score() const;
  void shown_to_end();
  PlayedWhere where() const;

  void draw_heading();
  void draw_score();
  void draw_tools();
  void draw_transport();
  void draw_result();
  void draw_aim_label();

  Viewer& viewer_;
  std::vector<PlayItem> items_;
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
  bool recorded_ = false;        ///< the level, played to its end, stands in the record
  bool guide_ = true;            ///< dots that show where the bird is about to fly
};

}  // namespace startle
