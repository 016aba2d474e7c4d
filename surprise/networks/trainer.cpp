#include "surprise/networks/trainer.hpp"

#include <ATen/Parallel.h>
#include <torch/types.h>
#include <torch/utils.h>

#include <chrono>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "surprise/networks/adam.hpp"
#include "surprise/networks/batch_reader.hpp"
#include "surprise/networks/learned_network.hpp"
#include "surprise/networks/loss_plot.hpp"
#include "surprise/networks/process_group.hpp"
#include "surprise/networks/schedule.hpp"
#include "surprise/networks/training_log.hpp"

namespace startle {
namespace {

constexpr int log_every = 10;         // steps a row
constexpr int validation_chunk = 32;  // clips at once

/// What a run must remember beside weights and moments. The names are those in the checkpoint's metadata.
struct RunState {
  int step = 0;
  double best_validation = std::numeric_limits<double>::infinity();
  int best_step = 0;
  int stale = 0;  ///< validations since the best
  double copy_last = 0;
  double loss_sum = 0;  ///< over the steps since the last row of the log
  int loss_count = 0;
  double seconds = 0;
};

double number_from(const std::map<std::string, std::string>& metadata, const std::string& key,
                   const std::string& source) {
  const auto found = metadata.find(key);
  if (found == metadata.end())
    throw Error(source + ": __metadata__ has no '" + key + "'; this is no checkpoint of Startle");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (found->second == shortest(infinity)) return infinity;  // the best before the first validation
  const std::optional<double> value = parse_number<double>(found->second);
  if (!value)
    throw Error(source + ": __metadata__: " + key + ": found '" + found->second + "', allowed is a number");
  return *value;
}

int count_from(const std::map<std::string, std::string>& metadata, const std::string& key,
               const std::string& source) {
  const double value = number_from(metadata, key, source);
  if (!(value >= 0 && value < 2e9) || std::floor(value) != value)
    throw Error(source + ": __metadata__: " + key + ": found " + shortest(value) +
                ", allowed is a whole number");
  return static_cast<int>(value);
}

std::string text_from(const std::map<std::string, std::string>& metadata, const std::string& key) {
  const auto found = metadata.find(key);
  return found == metadata.end() ? "" : found->second;
}

class Trainer {
 public:
  Trainer(const LearningConfig& config, const ClipSource& training, const ClipSource& validation,
          const TrainingOptions& options)
      : config_(config),
        training_(training),
        options_(options),
        device_(find_device(options.device)),
        data_("training: " + training.description + "; validation: " + validation.description +
              (options.mask_model.empty()
                   ? ""
                   : "; masks: " + std::to_string(stream_seed(0, read_file(options.mask_model)))) +
              (options.start.empty() ? "" : "; start: " + options.start.filename().string())),
        network_(make_network(
            config.model, config.training.seed, device_,
            options.mask_model.empty()
                ? nullptr
                : mask_network_of(options.mask_model, *mask_model_network(config.model), device_))),
        group_({options.rank, options.processes, options.rendezvous}) {
    const torch::NoGradGuard no_gradients;
    if (!options.start.empty()) start_from(options.start);
    moments_ = {at::zeros_like(network_->weights()), at::zeros_like(network_->weights())};
    std::vector<std::size_t> indices(
        std::min(validation.count, static_cast<std::size_t>(config.training.validation_clips)));
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
    const std::vector<Clip> clips = validation.read(indices);
    std::vector<const Clip*> pointers;
    for (const Clip& clip : clips) pointers.push_back(&clip);
    validation_ = network_->read(pointers);
    rate_shares_ = network_->rate_shares();
  }

  TrainingResult run() {
    start();
    const int first_step = state_.step;
    BatchReader batches(training_, *network_, config_.training, first_step, group_.rank(),
                        group_.processes());
    const auto begin = std::chrono::steady_clock::now();
    const double seconds_before = state_.seconds;
    TrainingResult::End end = TrainingResult::End::finished;
    const int steps = config_.training.steps;
    while (state_.step < steps) {
      const bool stale = config_.training.patience > 0 && state_.stale >= config_.training.patience;
      const bool stop = options_.keep_going && !options_.keep_going();
      const Halt halt = agree({.no_improvement = stale, .stopped = stop});
      if (halt.no_improvement || halt.stopped) {
        end = halt.no_improvement ? TrainingResult::End::no_improvement : TrainingResult::End::stopped;
        if (writes()) write_checkpoint();
        break;
      }
      const double norm = step(batches.next());
      const double session = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      state_.seconds = seconds_before + session;
      const bool validate_now = state_.step % config_.training.validate_every == 0 || state_.step == steps;
      if (writes() && (validate_now || state_.step % log_every == 0))
        add_row(norm, validate_now ? std::optional(validation_loss()) : std::nullopt);
      if (writes() && (validate_now || state_.step % config_.training.checkpoint_every == 0))
        write_checkpoint();
      if (options_.on_step)
        options_.on_step(
            {.step = state_.step,
             .loss = last_loss_,
             .frames_per_second = (state_.step - first_step) *
                                  static_cast<double>(config_.training.batch * config_.model.clips.frames) /
                                  session,
             .validation_loss = last_validation_});
    }
    return {.first_step = first_step,
            .step = state_.step,
            .end = end,
            .best_validation = state_.best_validation,
            .best_step = state_.best_step,
            .copy_last = state_.copy_last,
            .seconds = state_.seconds,
            .rows = rows_};
  }

 private:
  std::filesystem::path file(const char* name) const { return options_.out / name; }

  /// The weights of a model of the same configuration in place of drawn ones.
  void start_from(const std::filesystem::path& path) {
    const TensorFile model = read_tensors(path);
    const ModelConfig found = model_config_of(model.metadata, path.string());
    if (!(found == config_.model))
      throw Error(path.string() + ": a model to begin with: found the configuration\n" +
                  model_config_to_json(found) + "needed is that of the network to be trained:\n" +
                  model_config_to_json(config_.model));
    network_->copy_named(model, network_->weights(), path.string());
    network_->copy_named_buffers(model, path.string());
  }
  bool writes() const { return group_.rank() == 0; }

  /// Why training ends before its last step.
  struct Halt {
    bool no_improvement = false, stopped = false;
  };
  /// True where it is for any of the processes: only the first knows of validation, and an interruption may
  /// reach them at different steps.
  Halt agree(const Halt& halt) {
    if (group_.processes() == 1) return halt;
    at::Tensor votes = at::tensor({halt.no_improvement ? 1.0 : 0.0, halt.stopped ? 1.0 : 0.0}, at::kDouble);
    group_.sum(votes);
    return {.no_improvement = votes[0].item<double>() > 0, .stopped = votes[1].item<double>() > 0};
  }

  /// All processes begin with what the first one has.
  void start() {
    // Processes with different configurations or clips would wait for each other, or train on what nobody
    // asked for.
    const std::int64_t mine = static_cast<std::int64_t>(
        stream_seed(0, learning_config_to_json(config_) + data_));
    at::Tensor first = at::tensor({mine}, at::kLong);
    group_.broadcast(first);
    if (first.item<std::int64_t>() != mine)
      throw Error(
          "training: this process has another configuration, other clips or other models to begin with than "
          "that of rank 0");
    if (writes()) open_run();
    at::Tensor step = at::tensor({state_.step}, at::kInt);
    group_.broadcast(step);
    state_.step = step.item<int>();
    const torch::NoGradGuard no_gradients;
    for (at::Tensor* values :
         {&network_->weights(), &network_->buffers(), &moments_.first, &moments_.second}) {
      at::Tensor shared = values->to(at::kCPU);
      group_.broadcast(shared);
      values->copy_(shared);
    }
  }

  /// Goes on from the checkpoint, or starts anew.
  void open_run() {
    const std::filesystem::path config_file = file("config.json"),
                                checkpoint = file("checkpoint.safetensors");
    if (std::filesystem::exists(config_file)) {
      const LearningConfig before = learning_config_from_json(read_file(config_file), config_file.string());
      if (before != config_)
        throw Error(config_file.string() +
                    ": the run in this folder has another configuration; choose another folder, or the same "
                    "configuration");
    } else {
      for (const char* name : {"checkpoint.safetensors", "model.safetensors", "log.csv", "loss.svg"})
        if (std::filesystem::exists(file(name)))
          throw Error(file(name).string() +
                      ": is there, and no config.json of the run that made it; choose another folder");
      write_file(config_file, learning_config_to_json(config_));
    }
    if (std::filesystem::exists(checkpoint)) {
      read_checkpoint(checkpoint);
      rows_ = read_training_log(file("log.csv"), state_.step);
      for (const TrainingRow& row : rows_)
        if (row.validation_loss) last_validation_ = row.validation_loss;
      write_log();
      return;
    }
    state_.copy_last = mean_error(&LearnedNetwork::control_error);
    write_log();
    add_row(0, validation_loss());
    write_checkpoint();
  }

  /// One update; returns the norm of the gradient.
  double step(const at::Tensor& clips) {
    const TrainingConfig& training = config_.training;
    network_->gradient().zero_();
    const at::Tensor loss = network_->loss(
        clips.to(device_),
        {.training = training, .step = state_.step, .first = group_.rank() * clips.size(0)});
    loss.backward();

    const torch::NoGradGuard no_gradients;
    at::Tensor& gradient = network_->gradient();
    last_loss_ = loss.item<double>();
    if (group_.processes() > 1) {
      at::Tensor shared = at::cat({gradient.to(at::kCPU), at::tensor({static_cast<float>(last_loss_)})});
      group_.sum(shared);
      shared.div_(group_.processes());
      gradient.copy_(shared.narrow(0, 0, gradient.numel()));
      last_loss_ = shared[gradient.numel()].item<double>();
    }
    const double norm = gradient.norm().item<double>();
    if (!std::isfinite(last_loss_) || !std::isfinite(norm))
      throw Error("training: step " + std::to_string(state_.step + 1) + ": loss " + shortest(last_loss_) +
                  ", norm of the gradient " + shortest(norm) + "; the last checkpoint stands in " +
                  file("checkpoint.safetensors").string() + ". A lower learning_rate may help");
    if (norm > training.clip_norm) gradient.mul_(training.clip_norm / norm);

    ++state_.step;
    adam_step(network_->weights(), gradient, moments_,
              {.rate = learning_rate_at(training, state_.step - 1),
               .beta1 = training.beta1,
               .beta2 = training.beta2,
               .count = state_.step,
               .rate_shares = rate_shares_});
    state_.loss_sum += last_loss_;
    ++state_.loss_count;
    return norm;
  }

  /// Mean of LearnedNetwork::error or control_error over the validation clips.
  double mean_error(ErrorSum (LearnedNetwork::*error)(const at::Tensor&, const TrainingConfig&) const) const {
    const torch::NoGradGuard no_gradients;
    ErrorSum total;
    for (std::int64_t from = 0; from < validation_.size(0);) {
      std::int64_t size = std::min<std::int64_t>(validation_chunk, validation_.size(0) - from);
      if (validation_.size(0) - from - size == 1) ++size;  // never a single clip: see PredRnn::predict
      const ErrorSum part = ((*network_).*error)(validation_.narrow(0, from, size).to(device_),
                                                 config_.training);
      total.sum += part.sum;
      total.count += part.count;
      from += size;
    }
    return total.sum / total.count;
  }

  /// Of the weights as they are now, which are exported when they are the best so far, or where no error says
  /// which are.
  double validation_loss() {
    const double loss = mean_error(&LearnedNetwork::error);
    last_validation_ = loss;
    if (loss < state_.best_validation || !network_->chosen_by_error()) {
      state_.best_validation = loss;
      state_.best_step = state_.step;
      state_.stale = 0;
      TensorFile model = model_file(*network_);
      model.metadata["startle.training"] = learning_config_to_json(config_);
      model.metadata["startle.data"] = data_;
      model.metadata["startle.step"] = std::to_string(state_.step);
      model.metadata["startle.validation_loss"] = shortest(loss);
      model.metadata["startle.copy_last"] = shortest(state_.copy_last);
      write_tensors(file("model.safetensors"), model);
    } else {
      ++state_.stale;
    }
    return loss;
  }

  void add_row(double norm, const std::optional<double>& validation) {
    TrainingRow row{
        .step = state_.step, .gradient_norm = norm, .validation_loss = validation, .seconds = state_.seconds};
    if (state_.step > 0) row.learning_rate = learning_rate_at(config_.training, state_.step - 1);
    if (state_.loss_count > 0) row.loss = state_.loss_sum / state_.loss_count;
    state_.loss_sum = 0;
    state_.loss_count = 0;
    rows_.push_back(row);
    append_to_file(file("log.csv"), training_log_line(row));
  }

  void write_log() const { write_file(file("log.csv"), training_log_text(rows_)); }

  void write_checkpoint() {
    TensorFile checkpoint{.tensors = network_->named(network_->weights(), "weights/"), .metadata = {}};
    checkpoint.tensors.merge(network_->named_buffers("buffers/"));
    checkpoint.tensors.merge(network_->named(moments_.first, "adam/first/"));
    checkpoint.tensors.merge(network_->named(moments_.second, "adam/second/"));
    checkpoint.metadata = {{"startle.checkpoint", learning_config_to_json(config_)},
                           {"data", data_},
                           {"step", std::to_string(state_.step)},
                           {"best_validation", shortest(state_.best_validation)},
                           {"best_step", std::to_string(state_.best_step)},
                           {"stale", std::to_string(state_.stale)},
                           {"copy_last", shortest(state_.copy_last)},
                           {"loss_sum", shortest(state_.loss_sum)},
                           {"loss_count", std::to_string(state_.loss_count)},
                           {"seconds", shortest(state_.seconds)}};
    write_tensors(file("checkpoint.safetensors"), checkpoint);
    write_file(file("loss.svg"), loss_plot(rows_, state_.copy_last, "Mean squared error per value"));
  }

  void read_checkpoint(const std::filesystem::path& path) {
    const TensorFile checkpoint = read_tensors(path);
    const std::string source = path.string();
    if (text_from(checkpoint.metadata, "startle.checkpoint") != learning_config_to_json(config_))
      throw Error(source + ": this checkpoint is of another configuration, or no checkpoint of Startle");
    if (text_from(checkpoint.metadata, "data") != data_)
      throw Error(source + ": this run was started with other clips or models (" +
                  text_from(checkpoint.metadata, "data") + "); now: " + data_);
    const auto number = [&](const char* key) { return number_from(checkpoint.metadata, key, source); };
    const auto count = [&](const char* key) { return count_from(checkpoint.metadata, key, source); };
    state_ = {.step = count("step"),
              .best_validation = number("best_validation"),
              .best_step = count("best_step"),
              .stale = count("stale"),
              .copy_last = number("copy_last"),
              .loss_sum = number("loss_sum"),
              .loss_count = count("loss_count"),
              .seconds = number("seconds")};
    if (state_.step > config_.training.steps)
      throw Error(source + ": step " + std::to_string(state_.step) + " is beyond the " +
                  std::to_string(config_.training.steps) + " steps of the run");
    network_->copy_named(checkpoint, network_->weights(), source, "weights/");
    network_->copy_named_buffers(checkpoint, source, "buffers/");
    network_->copy_named(checkpoint, moments_.first, source, "adam/first/");
    network_->copy_named(checkpoint, moments_.second, source, "adam/second/");
  }

  const LearningConfig config_;
  const ClipSource& training_;
  const TrainingOptions& options_;
  const at::Device device_;
  const std::string data_;
  const std::unique_ptr<LearnedNetwork> network_;
  ProcessGroup group_;
  AdamMoments moments_;
  at::Tensor rate_shares_, validation_;
  RunState state_;
  double last_loss_ = 0;
  std::optional<double> last_validation_;
  std::vector<TrainingRow> rows_;
};

void require_format(const ClipSource& source, const ClipFormat& format, std::size_t least) {
  if (source.format != format)
    throw Error(source.description +
                ": its clips have another format than the model's configuration: frames, pixels, stride, "
                "lead and view must be the same");
  if (source.count < least)
    throw Error(source.description + ": found " + std::to_string(source.count) + " clips, at least " +
                std::to_string(least) + " are needed");
}

}  // namespace

TrainingResult train(const LearningConfig& config, const ClipSource& training, const ClipSource& validation,
                     const TrainingOptions& options) {
  validate(config, "configuration");
  require_format(training, config.model.clips, 1);
  require_format(validation, config.model.clips, 2);
  if (mask_model_network(config.model).has_value() == options.mask_model.empty())
    throw Error(std::string("mask model: ") + (options.mask_model.empty()
                                                   ? "none given, and this network reads masks"
                                                   : "given, and this network reads no masks"));
  if (options.processes > 1 &&
      (config.training.batch % options.processes != 0 || config.training.batch / options.processes < 2))
    throw Error("training/batch: found " + std::to_string(config.training.batch) + ", allowed with " +
                std::to_string(options.processes) + " processes are multiples of it from " +
                std::to_string(2 * options.processes) + " on");
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) throw Error(options.out.string() + ": cannot make this folder: " + error.message());
  at::set_num_threads(options.threads > 0 ? options.threads : hardware_threads());
  return Trainer(config, training, validation, options).run();
}

std::optional<int> checkpoint_step(const std::filesystem::path& folder) {
  const std::filesystem::path path = folder / "checkpoint.safetensors";
  if (!std::filesystem::exists(path)) return {};
  return count_from(read_tensor_metadata(path), "step", path.string());
}

}  // namespace startle
