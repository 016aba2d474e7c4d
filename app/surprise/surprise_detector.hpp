#pragma once
/// \file  The detector "surprise": it detects by how surprised a model of the normal world is by the pictures
/// that an agent may see of a shot.
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/detectors.hpp"
#include "surprise/dynamics/context_ranks.hpp"
#include "surprise/predictor.hpp"

namespace startle {

/// Clips of a shot as an agent sees it, in a model's format as far as that goes. The first begins `lead`
/// frames before the first frame in which an object has moved or is gone, seen as by clip_view() with the
/// bird's place in that frame for the contact; the others follow on end, each beginning with the last frame
/// of the one before, until the shot is over, at most `most_clips`. Frames are `frame_interval` apart
/// whatever the format's stride. Pictures are asked of `source` at the format's scale and cut; a world wider
/// than 1024 pixels at that scale comes smaller. Empty where nothing moved.
std::vector<Clip> clips_of_shot(const SeenShot& seen, const ObservationSource& source,
                                const ClipFormat& format);
inline constexpr int most_clips = 4;

/// What the shot is ranked by among normal ones (surprise/detection.hpp), all its clips predicted in one
/// call; empty without clips.
std::optional<ContextScore> surprise_of_shot(const SeenShot& seen, const ObservationSource& source,
                                             Predictor& model, const ClipFormat& format);

/// Adds up p-values of the shots' surprise among normal shots in which as much changes, two-sided. The bound
/// on false alarms holds as well as these ranks do.
class SurpriseDetector : public ShotsTest {
 public:
  SurpriseDetector(std::shared_ptr<Predictor> model, const ClipFormat& format, ContextRanks normal)
      : model_(std::move(model)), format_(format), normal_(std::move(normal)) {}

 private:
  double shot_p(const SeenShot& seen, const Expectation&, const ObservationSource& source, Random&) override;
  std::shared_ptr<Predictor> model_;
  ClipFormat format_;
  ContextRanks normal_;
};

/// What `startle surprise agent-calibrate` found, stored as JSON beside the model it is for.
struct NormalSurprise {
  std::string model_hash;  ///< of the model's file: how surprised another one is means nothing
  std::string command;     ///< that made it
  std::string program, levels_hash;
  std::vector<ContextScore> shots;  ///< in the normal world, at least least_normal_shots
                                    ///< (surprise/dynamics/context_ranks.hpp)
};
std::string normal_surprise_json(const NormalSurprise& normal);
/// Throws Error for a file that is none, and for that of another model than `model`.
NormalSurprise read_normal_surprise(const std::filesystem::path& path, const std::filesystem::path& model);
std::string model_hash(const std::filesystem::path& model);
/// MODEL without its ending, with ".detector.json".
std::filesystem::path normal_surprise_path(const std::filesystem::path& model);

}  // namespace startle
