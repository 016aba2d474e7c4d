#include "surprise/surprise_score.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/math.hpp"

namespace startle {

FrameErrors frame_errors(const Clip& clip, const Prediction& prediction) {
  const std::size_t size = clip.frame_size();
  if (prediction.frames.size() != static_cast<std::size_t>(clip.frames - 1) * size)
    throw Error("prediction: found " + std::to_string(prediction.frames.size()) + " values, needed are " +
                std::to_string(static_cast<std::size_t>(clip.frames - 1) * size) + " for the clip");
  FrameErrors errors;
  for (int t = 1; t < clip.frames; ++t) {
    const std::uint8_t* now = clip.frame(t);
    const std::uint8_t* before = clip.frame(t - 1);
    const float* predicted = prediction.frames.data() + static_cast<std::size_t>(t - 1) * size;
    double error = 0, change = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double e = predicted[i] - now[i] / 255.0, c = (now[i] - before[i]) / 255.0;
      error += e * e;
      change += c * c;
    }
    errors.error.push_back(error);
    errors.change.push_back(change);
  }
  return errors;
}

ClipSurprise surprise_of(const Clip& clip, Prediction prediction) {
  return {.errors = frame_errors(clip, prediction),
          .feature = std::move(prediction.feature),
          .stated = prediction.stated,
          .residuals = residuals(clip, prediction.frames)};
}

namespace {

template <typename Score>
std::vector<ClipSurprise> score_each(const std::vector<const Clip*>& clips,
                                     std::vector<Prediction> predictions, const Score& score) {
  std::vector<ClipSurprise> scored;
  for (std::size_t i = 0; i < clips.size(); ++i)
    scored.push_back(score(*clips[i], std::move(predictions[i])));
  return scored;
}

}  // namespace

std::vector<ClipSurprise> Predictor::score(const std::vector<const Clip*>& clips) {
  return score_each(clips, predict(clips), [](const Clip& clip, Prediction prediction) {
    return ClipSurprise{.errors = frame_errors(clip, prediction),
                        .feature = std::move(prediction.feature),
                        .stated = prediction.stated};
  });
}

std::vector<ClipSurprise> Predictor::score_with_residuals(const std::vector<const Clip*>& clips) {
  return score_each(clips, predict(clips), surprise_of);
}

const std::vector<ClipScore>& clip_scores() {
  static const std::vector<ClipScore> all{ClipScore::sum, ClipScore::mean, ClipScore::maximum, ClipScore::log,
                                          ClipScore::relative};
  return all;
}

const char* name(ClipScore score) {
  switch (score) {
    case ClipScore::sum:
      return "sum";
    case ClipScore::mean:
      return "mean";
    case ClipScore::maximum:
      return "maximum";
    case ClipScore::log:
      return "log";
    case ClipScore::relative:
      return "relative";
  }
  return "";
}

double clip_score(const FrameErrors& errors, ClipScore score) {
  if (errors.error.empty()) throw Error("clip score: found no predicted frame, at least one is needed");
  double sum = 0;
  switch (score) {
    case ClipScore::maximum:
      return *std::max_element(errors.error.begin(), errors.error.end());
    case ClipScore::log:
      for (const double s : errors.error) sum += math::log(s + log_epsilon);
      return sum;
    case ClipScore::relative:
      for (std::size_t i = 0; i < errors.error.size(); ++i)
        sum += errors.error[i] / (errors.change[i] + relative_constant);
      return sum;
    case ClipScore::sum:
    case ClipScore::mean:
      for (const double s : errors.error) sum += s;
      return score == ClipScore::sum ? sum : sum / static_cast<double>(errors.error.size());
  }
  return sum;
}

}  // namespace startle
