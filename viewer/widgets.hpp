#pragma once
/// \file  ImGui in an SFML window: events in, draw lists out, fonts, and the look of all widgets.
#include <imgui.h>

#include <SFML/Graphics/RenderWindow.hpp>
#include <SFML/Window/Event.hpp>
#include <string>
#include <vector>

namespace startle {

/// One per program. ImGui calls are allowed between begin_frame() and end_frame().
class Widgets {
 public:
  /// Fonts are those of the package fonts-dejavu-core; without them, a plain one built into ImGui, and a line
  /// on standard error.
  explicit Widgets(sf::RenderWindow& window);
  ~Widgets();
  Widgets(const Widgets&) = delete;
  Widgets& operator=(const Widgets&) = delete;

  /// True when a widget takes the event, and the screen should not see it.
  bool take(const sf::Event& event);
  void begin_frame(double seconds);
  /// Draws what was put together since begin_frame() on top of the window.
  void end_frame();

 private:
  sf::RenderWindow& window_;
};

/// Sizes of text.
enum class Text { normal, small, heading, large };
/// Until it goes out of scope, ImGui writes in that size.
class TextSize {
 public:
  explicit TextSize(Text size);
  ~TextSize();
  TextSize(const TextSize&) = delete;
  TextSize& operator=(const TextSize&) = delete;
};

/// A plate without a title bar, fixed in place, as large as what it holds. `pivot` says which point of it
/// stands at `at` (0 to 1). Calls End itself when it goes out of scope.
class Plate {
 public:
  enum class Mouse { takes, lets_through };
  Plate(const char* name, ImVec2 at, ImVec2 pivot, float alpha = 0.82f, ImVec2 size = {0, 0},
        Mouse mouse = Mouse::takes);
  ~Plate();
  Plate(const Plate&) = delete;
  Plate& operator=(const Plate&) = delete;
};

/// A button with a tool tip.
bool tool_button(const char* label, const std::string& tip, bool active = false);

/// A list to choose from, as wide as there is room, with `any` for the empty value (no such line where `any`
/// is empty). True when the choice has changed.
bool choice_box(const char* label, const char* any, const std::vector<std::string>& values,
                std::string& value);

/// The first letter of a UTF-8 text that no size of text has a picture of; empty where there is none.
std::string first_without_glyph(const std::string& text);

/// One line in the size of headings.
void heading_line(const std::string& text);
/// One line of small muted text.
void small_label(const char* text);

inline const ImVec4 muted_text{0.66f, 0.72f, 0.80f, 1}, accent{1.0f, 0.78f, 0.28f, 1},
    good_text{0.45f, 0.80f, 0.42f, 1}, bad_text{0.95f, 0.45f, 0.38f, 1};

}  // namespace startle
