#pragma once
/// \file  What the window shows at a time: one screen on top of those it came from. Browsing, playing, ...
/// are screens.
#include <SFML/Graphics/RenderTarget.hpp>
#include <SFML/Graphics/RenderWindow.hpp>
#include <SFML/Window/Event.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "play/video_export.hpp"
#include "viewer/drawing/sprites.hpp"
#include "viewer/viewer.hpp"

namespace startle {

inline constexpr float filters_width = 268;  ///< pixels, of the filters left of a list

/// A line of the help overlay.
struct HelpLine {
  std::string keys, what;
};

/// One frame calls handle() for each event, update(), draw() and widgets(), in that order, of the screen on
/// top alone.
class Screen {
 public:
  virtual ~Screen() = default;

  /// An event that no widget has taken. Key presses arrive as sf::Event::KeyPressed.
  virtual void handle(const sf::Event& event) = 0;
  /// `seconds` since the last frame.
  virtual void update(double seconds) = 0;
  /// What lies under the widgets, in pixels of the window.
  virtual void draw(sf::RenderTarget& target) = 0;
  /// ImGui calls.
  virtual void widgets() = 0;
  /// Of the window. It names the state, so that scripts can wait for one.
  virtual std::string title() const = 0;
  virtual std::vector<HelpLine> help() const = 0;
  /// Above help(), and below it what the window itself does.
  virtual std::string help_heading() const { return "Keys and mouse"; }
  virtual std::vector<HelpLine> window_help() const {
    return {{"F1, H", "this page"}, {"F11, F12", "full screen, save a picture"}, {"Ctrl+Q", "quit"}};
  }
  /// The screen is on top again.
  virtual void resume() {}
  /// The window is about to close. False: it stays, the screen comes to the top and asks; it calls
  /// Viewer::quit() itself.
  virtual bool may_quit() { return true; }
};

/// What screens find in the window they are in.
class Viewer {
 public:
  explicit Viewer(const ViewerOptions& options);
  ~Viewer();
  Viewer(const Viewer&) = delete;
  Viewer& operator=(const Viewer&) = delete;

  const ViewerOptions& options() const;
  sf::RenderWindow& window();
  Sprites& sprites();
  /// Videos that are being made: they go on when their screen is left. What comes of them stands in a
  /// notice.
  VideoExport& videos();

  /// On top of the screen that is shown. Takes effect after this frame; so do close() and quit().
  void open(std::unique_ptr<Screen> screen);
  /// Back to the screen below; without one, the window closes.
  void close();
  /// Closes the window, whatever screens say; ask_to_quit() asks them.
  void quit();
  void ask_to_quit();

  void toggle_help();
  void toggle_full_screen();
  /// One line that fades out by itself, in the lower part of the window.
  void notice(const std::string& text);

  /// Until the window is closed.
  void run();
  /// One frame of run(). False when the window is closed.
  bool frame();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace startle
