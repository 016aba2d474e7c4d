#pragma once
/// \file  What can be shown over the play screen of the inside of Startle: each overlay has a key, and a line
/// in a small panel.
#include <SFML/Window/Event.hpp>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "levels/stored_level.hpp"
#include "play/insight.hpp"
#include "viewer/drawing/camera.hpp"
#include "viewer/drawing/pen.hpp"
#include "viewer/panels/surprise_panel.hpp"
#include "viewer/screen.hpp"

namespace startle {

enum class Overlay { targets, support, influence, cases, detectability, arithmetic, surprise };
inline constexpr std::size_t overlay_count = 7;

/// The shots of the level that the overlays are about.
struct PlayedShots {
  SurpriseRequest flown;            ///< without novelty, which the panel chooses; no file: the level has none
  bool final = true;                ///< no shot is under way, which a tap might change
  std::size_t shown = 0;            ///< number of the one that is shown, from 1; 0: none
  double step = 0;                  ///< of that one
  const Scene* standing = nullptr;  ///< as it is seen, while nothing moves; null: a shot is on its way
};

class Overlays {
 public:
  /// All overlays are about this level from now on. `played` is the novelty of the world it is played in;
  /// empty: the normal one. What is on stays on. Throws Error for a level that cannot be used.
  void begin(const StoredLevel& level, std::shared_ptr<const Profile> profile, const std::string& played);

  /// True when the key is one of an overlay's. `standing`: no shot is shown.
  bool press_key(const sf::Event::KeyEvent& key, bool standing);
  /// A click into the world: the object there is chosen.
  void click(Vec2 world, const Scene& scene);

  /// Draws what is on: marks over the world, where it stands, and the panels; `top`: of the one at the left,
  /// pixels. Between begin_frame() and end_frame() of Widgets.
  void widgets(const Camera2D& camera, const PlayedShots& shots, float top);

  static std::vector<HelpLine> help();
  bool any() const;
  /// Asked about: that of the level, of the world played in, or chosen in the panel; empty: none.
  const std::string& novelty() const { return novelty_; }
  /// The level without novelty, before it has settled.
  const Scene& start() const { return start_; }

 private:
  bool on(Overlay overlay) const { return on_[static_cast<std::size_t>(overlay)]; }
  void switches(const char* note, float top);
  void details(const Camera2D& camera, const Insight* insight, const PlayedShots& shots);
  /// Its section of the panel. `insight` is null only for the surprise of a model.
  void describe(Overlay overlay, const Insight* insight, const PlayedShots& shots);
  void choose_next(const Scene& scene, int direction);

  std::array<bool, overlay_count> on_{};
  Scene start_;
  std::string stored_;  ///< what the level file says of its difficulty
  std::string novelty_;
  StoredLevel level_;
  Method method_ = Method::extended;
  Insights insights_;
  SurprisePanel surprise_;
  std::optional<std::size_t> chosen_, focus_;  ///< by click or keys; the one under the mouse, else the chosen
                                               ///< one
  int turn_ = 0;                               ///< to the next or last object, by keys
  std::size_t part_ = 0;                       ///< of the explanation
};

}  // namespace startle
