#pragma once
/// \file  The detector "surprise": judges by how surprised a model of the normal world is by the pictures that an agent may see of a shot.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "agents/detectors.hpp"
#include "surprise/predictor.hpp"

namespace startle {

/// Clips of a shot as an agent sees it, in a model's format as far as that goes. The first begins `lead` frames before the first frame in which an
/// object has moved or is gone, seen as by clip_view() with the bird's place in that frame for the contact; the others follow on end, each
/// beginning with the last frame of the one before, until the shot is over, at most `most_clips`. Frames are `frame_interval` apart whatever
/// the format's stride. Pictures are asked of `sight` at the format's scale and cut; a world wider than 1024 pixels at that scale comes smaller.
/// Empty where nothing moved.
std::vector<Clip> clips_of_shot(const SeenShot& seen, const Sight& sight, const ClipFormat& format);
inline constexpr int most_clips = 4;

/// Largest sum of squared errors of the clips of a shot, all predicted in one call; 0 without clips.
double surprise_of_shot(const SeenShot& seen, const Sight& sight, Predictor& model, const ClipFormat& format);

/// e/(e + threshold) of a shot's surprise e, so that the world is declared novel where e reaches the threshold.
class SurpriseDetector : public Detector {
 public:
  SurpriseDetector(std::shared_ptr<Predictor> model, const ClipFormat& format, double threshold) : model_(std::move(model)), format_(format), threshold_(threshold) {}
  double likelihood(const SeenShot& seen, const Expectation&, const Sight& sight, Random&) override;

 private:
  std::shared_ptr<Predictor> model_;
  ClipFormat format_;
  double threshold_;
};

/// What `startle surprise agent-threshold` found, stored as JSON beside the model it is for.
struct DetectorThreshold {
  std::string model_hash;  ///< of the model's file: the threshold of another model means nothing
  double threshold = 0;    ///< largest surprise of a shot at which a share `false_alarms` of the normal trials lies above, > 0
  double false_alarms = 0.05;
  std::string command;     ///< that made it
  std::string program, levels_hash;
  std::vector<double> trials;  ///< largest surprise of a shot of each normal trial
};
std::string threshold_json(const DetectorThreshold& threshold);
/// Throws Error for a file that is none, and for that of another model than `model`.
DetectorThreshold read_threshold(const std::filesystem::path& path, const std::filesystem::path& model);
std::string model_hash(const std::filesystem::path& model);
/// MODEL without its ending, with ".detector.json".
std::filesystem::path threshold_path(const std::filesystem::path& model);

}  // namespace startle
