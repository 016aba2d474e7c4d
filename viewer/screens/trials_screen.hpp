#pragma once
/// \file  The screen in which trials of agents are chosen to be watched.
#include <memory>
#include <vector>

#include "play/recording.hpp"
#include "viewer/screen.hpp"

namespace startle {

class TrialsScreen : public Screen {
 public:
  TrialsScreen(Viewer& viewer, std::filesystem::path file, std::shared_ptr<RecordedTrials> trials);

  void handle(const sf::Event& event) override;
  void update(double) override {}
  void draw(sf::RenderTarget&) override {}
  void widgets() override;
  std::string title() const override;
  std::vector<HelpLine> help() const override;

 private:
  void choose();
  void watch(std::size_t place);
  void draw_filters();
  void draw_table();

  Viewer& viewer_;
  std::filesystem::path file_;
  std::shared_ptr<RecordedTrials> trials_;
  TrialFilter filter_;
  std::vector<std::size_t> chosen_;  ///< indices of entries
};

}  // namespace startle
