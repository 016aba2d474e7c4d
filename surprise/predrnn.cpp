#include "surprise/predrnn.hpp"

#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/utils.h>

#include "sim/error.hpp"
#include "sim/parallel.hpp"
#include "surprise/predrnn_network.hpp"

namespace startle {
namespace {

class PredRnn : public Predictor {
 public:
  PredRnn(PredRnnNetwork network, std::string name, const PredictionOptions& options)
      : network_(std::move(network)), name_(std::move(name)), options_(options) {
    if (options.chunk < 2) throw Error("prediction: found chunks of " + std::to_string(options.chunk) + " clips, at least 2 are needed");
  }

  std::string name() const override { return name_; }

  std::vector<Prediction> predict(const std::vector<const Clip*>& clips) override {
    const torch::NoGradGuard no_gradients;
    at::set_num_threads(options_.threads > 0 ? options_.threads : hardware_threads());
    const ModelConfig& config = network_.config();
    std::vector<Prediction> result;
    for (std::size_t from = 0; from < clips.size();) {
      std::vector<const Clip*> chunk;
      while (chunk.size() < static_cast<std::size_t>(options_.chunk) && from < clips.size()) chunk.push_back(clips[from++]);
      const std::size_t wanted = chunk.size();
      // LibTorch 1.13 takes a path many times slower for a single clip.
      if (wanted == 1) chunk.push_back(chunk.front());
      const at::Tensor frames = stack_clips(chunk, config.clips).to(network_.weights().device());
      const NetworkOutput output = network_.forward(to_patches(frames, config.patch));
      const at::Tensor predicted = from_patches(output.predictions, config.patch).clamp_(0, 1).to(at::kCPU).contiguous();
      const at::Tensor features = output.hidden.amax({2, 3}).to(at::kCPU).contiguous();
      const std::size_t frame_values = static_cast<std::size_t>(predicted[0].numel()), channels = static_cast<std::size_t>(config.channels);
      for (std::size_t i = 0; i < wanted; ++i) {
        const float* values = predicted.data_ptr<float>() + i * frame_values;
        const float* feature = features.data_ptr<float>() + i * channels;
        result.push_back({.frames = {values, values + frame_values}, .feature = {feature, feature + channels}});
      }
    }
    return result;
  }

 private:
  PredRnnNetwork network_;
  std::string name_;
  PredictionOptions options_;
};

PredRnnNetwork load_network(const std::filesystem::path& path, const at::Device& device) {
  const std::string source = path.string();
  const TensorFile file = read_tensors(path);
  PredRnnNetwork network(model_config_of(file.metadata, source), 0, device);
  network.copy_named(file, network.weights(), source);
  if (file.tensors.size() != network.named(network.weights()).size())
    throw Error(source + ": found " + std::to_string(file.tensors.size()) + " tensors, the configuration needs " +
                std::to_string(network.named(network.weights()).size()));
  return network;
}

}  // namespace

std::unique_ptr<Predictor> load_predrnn(const std::filesystem::path& path, const PredictionOptions& options) {
  return std::make_unique<PredRnn>(load_network(path, find_device(options.device)), path.stem().string(), options);
}

ModelConfig read_model_config(const std::filesystem::path& path) { return model_config_of(read_tensor_metadata(path), path.string()); }

std::unique_ptr<Predictor> make_untrained(const ModelConfig& config, std::uint64_t seed, const PredictionOptions& options) {
  return std::make_unique<PredRnn>(PredRnnNetwork(config, seed, find_device(options.device)), "untrained", options);
}

void export_model(const std::filesystem::path& from, const std::filesystem::path& to, bool half) {
  load_network(from, at::kCPU);  // refuses what is no model
  write_tensors(to, read_tensors(from), half);
}

}  // namespace startle
