#pragma once
/// \file  Trains a network on clips. Needs no LibTorch header.
///
/// A run lives in a folder:
///   config.json             the configuration it was started with
///   log.csv                 losses, see TrainingRow
///   loss.svg                the same as a picture
///   checkpoint.safetensors  weights, Adam's moments and the step: all that is needed to go on
///   model.safetensors       the model with the lowest validation loss so far; load_scorer() reads it
/// Each is written whole and renamed, but for the log, which grows by lines. A run that was stopped or killed
/// goes on from its checkpoint when it is started again with the same folder (every process of it), and has
/// the same losses as one that was never stopped (bit for bit with the same number of threads, LibTorch and
/// processor).
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "surprise/networks/model_config.hpp"

namespace startle {

/// Clips to read by number.
struct ClipSource {
  std::string description;  ///< what the clips are, for example file name and seed; a run refuses to go on
                            ///< with other clips
  ClipFormat format;
  std::size_t count = 0;
  /// In the order of the indices; called from one thread at a time. With masks where the network needs them
  std::function<std::vector<Clip>(const std::vector<std::size_t>&)> read;
};

/// A line of log.csv. `loss` is what the network makes smaller, `validation_loss` what models are chosen by:
/// mean squared errors per value over all that is predicted, in the units of the network; but the loss of a
/// gan is that of discriminator and generator together.
struct TrainingRow {
  int step = 0;                ///< steps done
  double learning_rate = 0;    ///< of the last of them
  std::optional<double> loss;  ///< mean over the steps since the row before, each before its update; none at
                               ///< step 0
  double gradient_norm = 0;    ///< of the last step, before clipping
  std::optional<double> validation_loss;  ///< with predictions of frames and masks clipped to [0, 1]
  double seconds = 0;                     ///< of training so far, over all sessions
};

struct TrainingProgress {
  int step = 0;  ///< steps done
  double loss = 0;
  double frames_per_second = 0;           ///< since this session started, over all processes
  std::optional<double> validation_loss;  ///< the latest
};

struct TrainingOptions {
  std::filesystem::path out;              ///< folder of the run; made where it is missing
  std::filesystem::path start = {};       ///< a model of the same configuration, whose weights this one
                                          ///< begins with in place of drawn ones
  std::filesystem::path mask_model = {};  ///< a model of mask_model_network(), for networks that have one
  int threads = 0;                        ///< 0: all of the machine
  std::string device = "auto";            ///< auto, cpu or cuda
  int rank = 0;  ///< of this process among those that train this model, in [0, processes)
  int processes =
      1;  ///< number of processes; each takes batch / processes clips of a step. The one of rank 0 writes
          ///< the files.
  std::string rendezvous;  ///< where they meet: tcp://HOST:PORT of rank 0, or a file on a disk that all see
                           ///< and that is not there yet
  std::function<bool()> keep_going = {};  ///< asked before each step; false in any process: checkpoint and
                                          ///< stop in all
  std::function<void(const TrainingProgress&)> on_step = {};  ///< called after each step
};

struct TrainingResult {
  int first_step = 0, step = 0;  ///< steps done when this session started, and now
  enum class End { finished, no_improvement, stopped } end = End::finished;
  double best_validation = 0;  ///< validation loss of model.safetensors: the lowest, of a GAN the last
  int best_step = 0;
  double copy_last =
      0;  ///< the same measure of the prediction that nothing changes; mask: of the share of each
          ///< class everywhere
  double seconds = 0;  ///< of training, over all sessions
  std::vector<TrainingRow> rows;
};

/// Trains until config.training.steps are done, validation stops improving, or keep_going() says no. Clips
/// must have the format of config.model.clips. Throws Error for a folder that holds another run, for a mask
/// model that is missing where needed or given where not, for sets that are empty or of another format, and
/// when a loss or gradient is not finite: the last checkpoint then stands.
TrainingResult train(const LearningConfig& config, const ClipSource& training, const ClipSource& validation,
                     const TrainingOptions& options);

/// Steps done by the run in that folder; nothing where it has no checkpoint. Throws Error for a checkpoint
/// that cannot be read.
std::optional<int> checkpoint_step(const std::filesystem::path& folder);

}  // namespace startle
