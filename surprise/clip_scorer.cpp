#include "surprise/clip_scorer.hpp"

namespace startle {
namespace {

class PredictionScorer : public ClipScorer {
 public:
  explicit PredictionScorer(std::unique_ptr<Predictor> predictor) : predictor_(std::move(predictor)) {}
  std::string name() const override { return predictor_->name(); }
  std::vector<FrameErrors> errors(const std::vector<const Clip*>& clips) override {
    const std::vector<Prediction> predictions = predictor_->predict(clips);
    std::vector<FrameErrors> all;
    for (std::size_t i = 0; i < clips.size(); ++i) all.push_back(frame_errors(*clips[i], predictions[i]));
    return all;
  }

 private:
  std::unique_ptr<Predictor> predictor_;
};

}  // namespace

std::unique_ptr<ClipScorer> scorer_of(std::unique_ptr<Predictor> predictor) { return std::make_unique<PredictionScorer>(std::move(predictor)); }

}  // namespace startle
