#include "surprise/networks/predrnn.hpp"

#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <algorithm>
#include <iterator>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "surprise/networks/learned_scorer.hpp"
#include "surprise/networks/motion_network.hpp"
#include "surprise/networks/predrnn_network.hpp"

namespace startle {
namespace {

/// score(some of the clips), `chunk` at a time.
template <typename Score>
std::vector<ClipSurprise> score_in_chunks(const std::vector<const Clip*>& clips, std::size_t chunk,
                                          int threads, const Score& score) {
  const torch::NoGradGuard no_gradients;
  at::set_num_threads(threads > 0 ? threads : hardware_threads());
  std::vector<ClipSurprise> result;
  for (std::size_t from = 0; from < clips.size(); from += chunk) {
    std::vector<const Clip*> part(
        clips.begin() + static_cast<std::ptrdiff_t>(from),
        clips.begin() + static_cast<std::ptrdiff_t>(std::min(clips.size(), from + chunk)));
    const std::size_t wanted = part.size();
    if (wanted == 1) part.push_back(part.front());  // as in PredRnn::predict
    std::vector<ClipSurprise> scored = score(part);
    scored.resize(wanted);
    std::move(scored.begin(), scored.end(), std::back_inserter(result));
  }
  return result;
}

class PredRnn : public Predictor {
 public:
  PredRnn(std::shared_ptr<const PredRnnNetwork> network, std::string name, const PredictionOptions& options)
      : network_(std::move(network)), name_(std::move(name)), options_(options) {
    if (options.chunk < 2)
      throw Error("prediction: found chunks of " + std::to_string(options.chunk) +
                  " clips, at least 2 are needed");
  }

  std::string name() const override { return name_; }

  std::vector<Prediction> predict(const std::vector<const Clip*>& clips) override {
    const torch::NoGradGuard no_gradients;
    at::set_num_threads(options_.threads > 0 ? options_.threads : hardware_threads());
    const ModelConfig& config = network_->config();
    std::vector<Prediction> result;
    for (std::size_t from = 0; from < clips.size();) {
      std::vector<const Clip*> chunk;
      while (chunk.size() < static_cast<std::size_t>(options_.chunk) && from < clips.size())
        chunk.push_back(clips[from++]);
      const std::size_t wanted = chunk.size();
      // LibTorch 1.13 takes a path many times slower for a single clip.
      if (wanted == 1) chunk.push_back(chunk.front());
      const at::Tensor frames = stack_clips(chunk, config.clips).to(network_->weights().device());
      const NetworkOutput output = network_->forward(to_patches(frames, config.patch));
      const at::Tensor predicted =
          from_patches(output.predictions, config.patch).clamp_(0, 1).to(at::kCPU).contiguous();
      require_finite(predicted, "predictions");
      const at::Tensor features = output.hidden.amax({2, 3}).to(at::kCPU).contiguous();
      const std::size_t frame_values = static_cast<std::size_t>(predicted[0].numel()),
                        channels = static_cast<std::size_t>(config.channels);
      for (std::size_t i = 0; i < wanted; ++i) {
        const float* values = predicted.data_ptr<float>() + i * frame_values;
        const float* feature = features.data_ptr<float>() + i * channels;
        result.push_back(
            {.frames = {values, values + frame_values}, .feature = {feature, feature + channels}});
      }
    }
    return result;
  }

 private:
  std::shared_ptr<const PredRnnNetwork> network_;
  std::string name_;
  PredictionOptions options_;
};

bool predicts_frames(const ModelConfig& config) {
  return config.network == Network::motion || (config.network == Network::predrnn && !config.masks);
}

std::shared_ptr<const LearnedNetwork> load_network(const std::filesystem::path& path,
                                                   const at::Device& device) {
  std::shared_ptr<const LearnedNetwork> network = network_of(read_tensors(path), path.string(), device);
  const ModelConfig& config = network->config();
  if (!predicts_frames(config))
    throw Error(path.string() + ": found a model of " +
                (config.network == Network::predrnn
                     ? "masks"
                     : std::string("network ") + startle::name(config.network)) +
                ", needed is one that predicts frames (network predrnn or motion); startle probe takes any");
  return network;
}

class MotionPredictor : public Predictor {
 public:
  MotionPredictor(std::shared_ptr<const MotionNetwork> network, std::string name,
                  const PredictionOptions& options)
      : network_(std::move(network)), name_(std::move(name)), options_(options) {}

  std::string name() const override { return name_; }

  std::vector<Prediction> predict(const std::vector<const Clip*>& clips) override {
    const torch::NoGradGuard no_gradients;
    at::set_num_threads(options_.threads > 0 ? options_.threads : hardware_threads());
    std::vector<Prediction> predictions;
    for (const Clip* clip : clips) predictions.push_back(network_->predict(*clip));
    return predictions;
  }

 private:
  std::shared_ptr<const MotionNetwork> network_;
  std::string name_;
  PredictionOptions options_;
};

class LearnedScorer : public ClipScorer {
 public:
  LearnedScorer(std::unique_ptr<LearnedNetwork> network, std::string name, const PredictionOptions& options)
      : network_(std::move(network)), name_(std::move(name)), options_(options) {}

  std::string name() const override { return name_; }

  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) override {
    // Memory grows with the frames of a clip. Four clips that belong together stay together: they have frames
    // in common.
    const auto chunk = static_cast<std::size_t>(
        std::max(4, options_.chunk * 15 / std::max(15, network_->config().clips.frames) / 4 * 4));
    return score_in_chunks(clips, chunk, options_.threads,
                           [&](const std::vector<const Clip*>& part) { return network_->score(part); });
  }

 private:
  std::unique_ptr<LearnedNetwork> network_;
  std::string name_;
  PredictionOptions options_;
};

std::unique_ptr<Predictor> predictor_of(std::shared_ptr<const LearnedNetwork> network,
                                        const std::string& name, const PredictionOptions& options) {
  if (network->config().network == Network::motion)
    return std::make_unique<MotionPredictor>(std::static_pointer_cast<const MotionNetwork>(network), name,
                                             options);
  return std::make_unique<PredRnn>(std::static_pointer_cast<const PredRnnNetwork>(network), name, options);
}

}  // namespace

std::unique_ptr<Predictor> load_predictor(const std::filesystem::path& path,
                                          const PredictionOptions& options) {
  return predictor_of(load_network(path, find_device(options.device)), path.stem().string(), options);
}

ModelConfig read_model_config(const std::filesystem::path& path) {
  return model_config_of(read_tensor_metadata(path), path.string());
}

std::unique_ptr<Predictor> make_untrained(const ModelConfig& config, std::uint64_t seed,
                                          const PredictionOptions& options) {
  return predictor_of(make_network(config, seed, find_device(options.device)), "untrained", options);
}

void export_model(const std::filesystem::path& from, const std::filesystem::path& to, bool half) {
  const TensorFile file = read_tensors(from);
  network_of(file, from.string(), at::kCPU);  // refuses what is no model
  write_tensors(to, file, half);
}

std::unique_ptr<ClipScorer> load_scorer(const std::filesystem::path& path, const PredictionOptions& options) {
  const ModelConfig config = read_model_config(path);
  if (!scores_clips(config.network))
    throw Error(path.string() + ": found a model of network " + startle::name(config.network) +
                ", which scores no clips; needed is one of the others");
  if (predicts_frames(config)) return load_predictor(path, options);
  return std::make_unique<LearnedScorer>(
      network_of(read_tensors(path), path.string(), find_device(options.device)), path.stem().string(),
      options);
}

std::unique_ptr<ClipScorer> load_untrained_scorer(const std::filesystem::path& path, std::uint64_t seed,
                                                  const PredictionOptions& options) {
  const at::Device device = find_device(options.device);
  const std::unique_ptr<LearnedNetwork> trained = network_of(read_tensors(path), path.string(), device);
  if (predicts_frames(trained->config())) return make_untrained(trained->config(), seed, options);
  return std::make_unique<LearnedScorer>(make_network(trained->config(), seed, device, trained->masks()),
                                         "untrained", options);
}

}  // namespace startle
