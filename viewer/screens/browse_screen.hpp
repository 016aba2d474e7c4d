#pragma once
/// \file  The screen in which levels are chosen and made.
#include <optional>

#include "play/catalogue.hpp"
#include "play/level_maker.hpp"
#include "viewer/drawing/thumbnails.hpp"
#include "viewer/screen.hpp"

namespace startle {

class BrowseScreen : public Screen {
 public:
  /// Throws Error when a path does not exist or holds no level.
  BrowseScreen(Viewer& viewer, const std::vector<std::filesystem::path>& paths);

  void handle(const sf::Event& event) override;
  void update(double seconds) override;
  void draw(sf::RenderTarget&) override {}
  void widgets() override;
  std::string title() const override;
  std::vector<HelpLine> help() const override;

 private:
  void draw_left_column();
  bool draw_filters();  ///< whether one was changed
  void draw_world_choice();
  bool draw_sets();  ///< whether another one was chosen
  void draw_cards();
  void draw_card(const CatalogueEntry& entry, std::size_t place, float width);
  void draw_maker();
  void draw_request();
  void draw_making();
  void choose();  ///< the levels that pass the filter, anew
  void play(std::size_t place);
  void edit(const std::optional<std::filesystem::path>& file);  ///< none: an empty level

  Viewer& viewer_;
  Catalogue catalogue_;
  Thumbnails thumbnails_;
  CatalogueFilter filter_;
  std::vector<std::size_t> chosen_;  ///< indices of entries
  std::string world_;  ///< to play in: empty, the normal one; "*": of each level's own novelty; else that
                       ///< novelty's
  bool to_top_ = false;

  LevelMaker maker_;
  MakeRequest request_;
  bool maker_open_ = false;
  std::string maker_message_;
  bool maker_failed_ = false;
};

}  // namespace startle
