#pragma once
/// \file  The screen in which a level is played and shots are shown again.
#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "play/game_session.hpp"
#include "play/play_record.hpp"
#include "play/playback.hpp"
#include "play/recording.hpp"
#include "viewer/drawing/camera.hpp"
#include "viewer/drawing/world_view.hpp"
#include "viewer/panels/export_panel.hpp"
#include "viewer/panels/overlays.hpp"
#include "viewer/screen.hpp"
#include "viewer/screens/aiming.hpp"

namespace startle {

struct PlayItem {
  std::filesystem::path file;
  std::string novelty;                        ///< in it; empty: the normal world
  std::optional<StoredLevel> level = {};      ///< in place of the file's: one that is being edited
  std::function<Recording()> recording = {};  ///< is shown in place of a level to play: read-only. May throw
                                              ///< Error
};

class PlayScreen : public Screen {
 public:
  /// `items[index]` is played first; next and previous go through the others. Throws Error when its level
  /// cannot be used.
  PlayScreen(Viewer& viewer, std::vector<PlayItem> items, std::size_t index);
  /// As if the player had flown these shots; then shows them. Throws Error for shots that cannot be flown.
  void fly(const std::vector<Shot>& shots);

  void handle(const sf::Event& event) override;
  void update(double seconds) override;
  void draw(sf::RenderTarget& target) override;
  void widgets() override;
  std::string title() const override;
  std::vector<HelpLine> help() const override;
  void resume() override;

 private:
  /// The level of that number; the next one in that direction when it cannot be used.
  void load(std::size_t index);
  void go(int direction);
  void fit();

  bool showing() const { return shown_.has_value(); }  ///< a shot is played back; otherwise the player aims
  /// What was recorded is shown, and nothing is played.
  bool replaying() const { return recording_.has_value(); }
  bool may_aim() const { return !showing() && !replaying() && !session_->over(); }
  const FlownShot& shown() const { return session_->shots()[*shown_]; }
  /// From that shot on, to the last. Nothing where there is none.
  void show(std::size_t shot);
  void stop_showing();
  /// At the end of a replay, from the first shot on.
  void toggle_pause();
  /// To the shot before or after the one that is shown, if one is.
  void show_next(int direction);
  /// Steps of all shots before that one.
  int steps_before(std::size_t shot) const;
  /// To a step of all shots, counted from the first one's release.
  void seek(double step);
  void shoot();
  void tap();
  void undo();
  void restart();
  void press_key(const sf::Event::KeyEvent& key);
  /// To the end of the shot that is shown; after the last one to the next level, where this one is cleared;
  /// else shoots.
  void hurry();
  void copy_command();
  /// Puts back the bird, else closes what is open, else ends the shot that is shown, else the screen.
  void escape();
  double shown_score() const;
  void shown_to_end();
  PlayedWhere where() const;
  void edit();
  Exportable exportable();
  void open_twins();
  PlayedShots played() const;

  void draw_heading();
  void draw_replay();
  void draw_score();
  void draw_tools();
  void draw_transport();
  void draw_result();
  void draw_aim_label();

  Viewer& viewer_;
  std::vector<PlayItem> items_;
  std::size_t index_ = 0;
  StoredLevel level_;
  std::optional<GameSession> session_;
  WorldView view_;
  Overlays overlays_;
  float heading_end_ = 72;  ///< lower end of the heading, pixels
  Camera2D camera_;
  Aiming aiming_;
  Playback playback_;
  std::optional<std::size_t> shown_;
  std::vector<Vec2> last_path_;         ///< of the bird flown last
  std::optional<Recording> recording_;  ///< without its shots, which are the session's
  ExportPanel export_;
  bool live_ = false;      ///< the shot is shown for the first time: the bird's power can be used
  bool edited_ = false;    ///< an editor was opened
  bool recorded_ = false;  ///< the level, played to its end, stands in the record
  bool guide_ = true;      ///< dots that show where the bird is about to fly
};

}  // namespace startle
