/// \file  Predictors that have learned nothing: what any model must beat.
#include <algorithm>

#include "core/error.hpp"
#include "surprise/predictor.hpp"

namespace startle {
namespace {

/// Predicts each value of a frame from those at the same place in the frames before.
class Control : public Predictor {
 public:
  std::vector<Prediction> predict(const std::vector<const Clip*>& clips) override {
    std::vector<Prediction> predictions;
    for (const Clip* clip : clips) {
      const std::size_t size = clip->frame_size();
      if (clip->frames < 1 || clip->rgb.size() != static_cast<std::size_t>(clip->frames) * size)
        throw Error("clip: found " + std::to_string(clip->rgb.size()) + " bytes for " +
                    std::to_string(clip->frames) + " frames of " + std::to_string(size));
      Prediction prediction;
      prediction.frames.reserve(static_cast<std::size_t>(clip->frames - 1) * size);
      for (int t = 1; t < clip->frames; ++t) {
        const std::uint8_t* last = clip->frame(t - 1);
        const std::uint8_t* last_but_one = clip->frame(std::max(t - 2, 0));
        for (std::size_t i = 0; i < size; ++i)
          prediction.frames.push_back(next(last_but_one[i], last[i]) / 255.0F);
      }
      predictions.push_back(std::move(prediction));
    }
    return predictions;
  }

 private:
  /// From bytes to [0, 255].
  virtual float next(int last_but_one, int last) const = 0;
};

class CopyLast : public Control {
 public:
  std::string name() const override { return "copy-last"; }

 private:
  float next(int, int last) const override { return static_cast<float>(last); }
};

class LinearExtrapolation : public Control {
 public:
  std::string name() const override { return "linear"; }

 private:
  float next(int last_but_one, int last) const override {
    return static_cast<float>(std::clamp(2 * last - last_but_one, 0, 255));
  }
};

}  // namespace

std::unique_ptr<Predictor> make_copy_last() { return std::make_unique<CopyLast>(); }
std::unique_ptr<Predictor> make_linear_extrapolation() { return std::make_unique<LinearExtrapolation>(); }

std::vector<std::unique_ptr<ClipScorer>> make_controls() {
  std::vector<std::unique_ptr<ClipScorer>> all;
  all.push_back(make_copy_last());
  all.push_back(make_linear_extrapolation());
  return all;
}

}  // namespace startle
