#pragma once
/// \file  Networks that predict frames (predrnn, motion) as Predictors: trained models from files, and
/// untrained ones as controls. Needs no LibTorch header.
///
/// \code
///   // given: const Clip& clip_a, const Clip& clip_b
///   const auto model = load_predictor("run/model.safetensors");
///   // its clips have config.clips as their format
///   const ModelConfig config = read_model_config("run/model.safetensors");
///   const std::vector<Prediction> predictions = model->predict({&clip_a, &clip_b});
/// \endcode
#include <filesystem>
#include <memory>

#include "surprise/networks/model_config.hpp"
#include "surprise/predictor.hpp"

namespace startle {

/// How predictions are computed; the results depend on it only by rounding.
struct PredictionOptions {
  int threads = 0;  ///< of the processor; 0: all of the machine. LibTorch has one number for the whole
                    ///< program.
  std::string device = "auto";  ///< auto, cpu or cuda
  int chunk = 32;               ///< clips at once, >= 2: memory is about 7 MB a clip at 4 x 32 channels
};

/// A model exported by training that predicts frames. Throws Error when the file cannot be read, is of
/// another network (learned_scorer.hpp takes any), or configuration and weights do not fit each other.
std::unique_ptr<Predictor> load_predictor(const std::filesystem::path& path,
                                          const PredictionOptions& options = {});

/// What a model exported by training is; reads only the head of the file. Throws Error as load_predictor().
ModelConfig read_model_config(const std::filesystem::path& path);

/// The network as it is before the first step of training with that seed.
std::unique_ptr<Predictor> make_untrained(const ModelConfig& config, std::uint64_t seed,
                                          const PredictionOptions& options = {});

/// Writes a model of any network anew, with F16 weights when `half`, else F32. Throws Error as
/// load_predictor(), and when `to` cannot be written.
void export_model(const std::filesystem::path& from, const std::filesystem::path& to, bool half);

}  // namespace startle
