#pragma once
/// \file  The screen of a study. What may be done when is the session's to say (people/study_session.hpp);
/// here it is shown and clicked.
///
/// Nothing on it, and nothing in the title of the window, says novelty, tier, name of the level, or whether a
/// level is novel.
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "people/study_session.hpp"
#include "play/game_session.hpp"
#include "play/playback.hpp"
#include "viewer/drawing/camera.hpp"
#include "viewer/drawing/world_view.hpp"
#include "viewer/screen.hpp"
#include "viewer/screens/aiming.hpp"
#include "viewer/study.hpp"

namespace startle {

class StudyScreen : public Screen {
 public:
  /// All outlive the screen.
  StudyScreen(Viewer& viewer, const StudyRecord& record, std::shared_ptr<const Profile> profile,
              const StudyTexts& texts, StudySession& session);
  ~StudyScreen() override;

  void handle(const sf::Event& event) override;
  void update(double seconds) override;
  void draw(sf::RenderTarget& target) override;
  void widgets() override;
  std::string title() const override;
  std::vector<HelpLine> help() const override;
  std::string help_heading() const override;
  std::vector<HelpLine> window_help() const override;

 private:
  const StudyState& state() const { return session_.state(); }
  /// Does what stores an event. Where storing fails, says so until it has been tried again with success.
  void act(std::function<void()> what);
  /// Sets up the level that the session has in play.
  void enter_level();
  void fit();
  bool level_shown() const { return game_ && state().playing() && !state().paused; }
  bool flying() const { return level_shown() && flying_; }
  bool may_aim() const {
    return level_shown() && !flying_ && !form_ && state().may_shoot() && failure_.empty();
  }
  void shoot();
  void tap();  ///< the bird's power, in flight
  void press_key(const sf::Event::KeyEvent& key);
  /// A button with the text of that name, which the key presses, too. False while it cannot be pressed.
  bool choice(const char* text, sf::Keyboard::Key key, bool enabled = true);

  void page(const char* name, const std::string& heading, const std::string& text,
            const std::function<void()>& buttons);
  void draw_stage();
  void draw_consent();
  void draw_questions();
  void draw_question(const StudyQuestion& question);
  /// Stores the answers, or marks the first that is not allowed.
  void answer();
  std::string level_over() const;  ///< what ended the level
  void draw_practice();
  void draw_item();
  void open_form();
  void draw_form();
  void draw_score();
  void draw_aim_label();
  void draw_failure();

  Viewer& viewer_;
  const StudyRecord& record_;
  std::shared_ptr<const Profile> profile_;
  const StudyTexts& text_;
  StudySession& session_;

  std::optional<GameSession> game_;
  WorldView view_;
  Camera2D camera_;
  Aiming aiming_;
  Playback playback_;
  std::vector<Vec2> last_path_;
  bool flying_ = false;  ///< a shot is shown

  const StudyQuestions questions_;
  std::map<std::string, std::string> typed_;  ///< by name of the question
  std::string faulty_;                        ///< name of the question whose answer is not allowed
  bool look_ = true;                          ///< the keyboard is to go to it, or to the first one

  bool form_ = false;                ///< what was noticed is being written down
  std::optional<float> confidence_;  ///< per cent; none until the participant has said so: a slider that
                                     ///< stands somewhere would be an answer
  std::string description_;
  bool write_ = false;                    ///< the keyboard goes to the description
  std::optional<sf::Keyboard::Key> key_;  ///< pressed since the last frame

  std::string failure_;  ///< why the last event could not be stored
  std::function<void()> again_;
};

}  // namespace startle
