#pragma once
/// \file  The screen in which a level is made or changed: what is done to it is in level_edit.hpp, what is
/// found out about it in level_check.hpp.
#include <SFML/Graphics/Texture.hpp>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "play/level_check.hpp"
#include "play/level_edit.hpp"
#include "viewer/drawing/camera.hpp"
#include "viewer/drawing/pen.hpp"
#include "viewer/drawing/world_view.hpp"
#include "viewer/screen.hpp"

namespace startle {

class EditorScreen : public Screen {
 public:
  /// `file`: where it is saved; empty: that is asked first, so that a level which came with Startle is not
  /// written over by the way. `saved` is given each file that was written. Throws Error for a level that
  /// cannot be used.
  EditorScreen(Viewer& viewer, StoredLevel level, std::filesystem::path file,
               std::function<void(const std::filesystem::path&)> saved = {});

  void handle(const sf::Event& event) override;
  void update(double seconds) override;
  void draw(sf::RenderTarget& target) override;
  void widgets() override;
  std::string title() const override;
  std::vector<HelpLine> help() const override;
  void resume() override;
  bool may_quit() override;

 private:
  enum class Leave { no, close, quit };

  void fit();
  float left_width() const;
  float right_width() const;
  void press_key(const sf::Event::KeyEvent& key);
  void set_material(Material material);
  void take_settled_poses();
  /// Ends placing, else unselects, else leaves.
  void escape();
  void press_left(Vec2 pixel, bool shift);
  void move_mouse(Vec2 pixel);
  void playtest();
  void leave(Leave how);
  void leave_now();
  void choose(std::optional<ObjectChoice> choice) { placing_ = std::move(choice); }
  void save();
  void open_save_as();
  void write(const std::filesystem::path& path);

  void draw_marks(const Pen& pen);
  void draw_tools();
  void draw_palette();
  void draw_icon(const ObjectChoice& choice);
  void draw_birds();
  void draw_findings();
  void draw_selection();
  void draw_save_as();
  void draw_leave();

  Viewer& viewer_;
  std::filesystem::path file_;
  std::function<void(const std::filesystem::path&)> saved_;
  std::string name_;  ///< of the level: that of the file it was saved under last
  LevelEdit edit_;
  LevelChecker checker_;
  LevelFindings findings_;
  std::uint64_t checked_ = ~std::uint64_t{0};  ///< revision that is being checked

  WorldView view_;
  Camera2D camera_;
  std::optional<ObjectChoice> placing_;
  Material material_ = Material::wood;
  enum class Mouse { free, moving, boxing, panning } mouse_ = Mouse::free;
  Vec2 mouse_at_, pressed_at_;  ///< pixels
  Vec2 grabbed_, moved_;        ///< world: where objects were caught, and how far they have been moved since
  bool add_ = false;            ///< the box adds to the selection

  struct Icon {
    ObjectChoice choice;
    std::unique_ptr<sf::Texture> texture;
  };
  std::vector<Icon> icons_;

  bool save_as_ = false;
  bool write_keys_ = false;  ///< the keyboard goes to the name
  std::string save_name_, save_trouble_;
  std::filesystem::path replacing_;  ///< a file that is there, and was asked about
  Leave leaving_ = Leave::no;        ///< asked for while there are changes
};

}  // namespace startle
