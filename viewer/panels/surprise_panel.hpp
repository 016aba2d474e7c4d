#pragma once
/// \file  How surprised a model is by the shots played: the surprise over time, and for a frame what was
/// seen, what was predicted, and the error.
#include <SFML/Graphics/Texture.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "play/surprise_run.hpp"

namespace startle {

class SurprisePanel {
 public:
  /// To be called once a frame while the panel is shown, inside a window of ImGui. `request`: the shots flown
  /// so far. `may_start`: no shot is under way, so that they are what they will stay. `shot`: the one shown
  /// (from 1), of which `step` is seen; 0: none is shown.
  void describe(const SurpriseRequest& request, bool may_start, int shot, double step);

 private:
  /// Those of one shot in each world; while the shot is shown at a step, the frame at that step.
  void show(const std::vector<const SurpriseClip*>& clips, std::optional<double> step);
  void plot(const std::vector<const SurpriseClip*>& clips, float frame) const;
  void pictures(const SurpriseClip& clip, int frame, float side, bool named);

  SurpriseRun run_;
  std::string refused_;  ///< why the model cannot be asked at all
  std::vector<std::pair<const SurpriseClip*, std::unique_ptr<sf::Texture>>> textures_;  ///< of strips
  int frame_ = 1;  ///< chosen by the slider, while no shot is shown
};

}  // namespace startle
