/// \file  startle surprise train, export: models of the normal world from clips.
#include "app/surprise/commands.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "surprise/dataset.hpp"
#include "surprise/networks/predrnn.hpp"
#include "surprise/networks/trainer.hpp"
#include "surprise/probes/scene_sets.hpp"

namespace startle {
namespace {

constexpr const char *default_preset = "small", *default_network = "predrnn";

struct TrainOptions {
  std::string data, validation, out, device = "auto";
  std::optional<std::string> config, size, network, start, mask_model, precision;
  std::optional<int> steps, batch, channels, span, history;
  std::optional<double> learning_rate;
  std::optional<std::uint64_t> seed;
  int threads = 0, rank = 0, processes = 1;
  std::string rendezvous;
  bool quiet = false;
};

ClipSource source_of(const std::string& path, const std::shared_ptr<ClipReader>& reader,
                     const ModelConfig& model) {
  const bool masks = model.network == Network::mask || (model.network == Network::object && !model.masks);
  const DatasetInfo& info = reader->info();
  return {.description = std::filesystem::path(path).filename().string() + " (" + std::to_string(info.count) +
                         " clips, " + name(info.split) + ", seed " + std::to_string(info.seed) +
                         (info.novelty.empty() ? "" : ", novelty " + info.novelty) + ", profile " +
                         info.profile + ")",
          .format = info.format,
          .count = info.count,
          .read = [reader, masks](const std::vector<std::size_t>& indices) {
            return reader->read(indices, masks);
          }};
}

/// The file given; else, where neither size nor network is given, what the run in the folder was started
/// with; else the defaults of the size and network for these clips. The options of this command come last.
LearningConfig config_of(const TrainOptions& options, const DatasetInfo& data) {
  const std::filesystem::path before = std::filesystem::path(options.out) / "config.json";
  LearningConfig config = learning_config(options.size.value_or(default_preset),
                                          network_from_name(options.network.value_or(default_network)));
  config.model.clips = data.format;
  if (options.config)
    config = learning_config_from_json(read_file(*options.config), *options.config, config);
  else if (!options.size && !options.network && std::filesystem::exists(before))
    config = learning_config_from_json(read_file(before), before.string());
  ModelConfig& model = config.model;
  if (options.network && model.network != network_from_name(*options.network))
    throw Error("--network: found " + *options.network + ", but " + *options.config + " says " +
                name(model.network));
  const auto set = [&](const char* option, const std::optional<int>& value, int ModelConfig::*member,
                       bool known) {
    if (!value) return;
    if (!known) throw Error(std::string(option) + ": network " + name(model.network) + " has none");
    model.*member = *value;
  };
  const bool spans = model.network == Network::cnn || model.network == Network::gan;
  set("--channels", options.channels, &ModelConfig::channels, true);
  set("--span", options.span, &ModelConfig::span, spans);
  set("--history", options.history, &ModelConfig::history, spans);
  if ((model.network == Network::predrnn || model.network == Network::object) && options.mask_model)
    model.masks = true;
  // Levels have nothing that hides others and is no object; published videos do not say what does.
  const bool screens = scene_set(data.profile) != nullptr;
  if ((model.network == Network::mask || model.network == Network::object) && !screens)
    model.occluders_from = 256;
  TrainingConfig& training = config.training;
  training.steps = options.steps.value_or(training.steps);
  training.batch = options.batch.value_or(training.batch);
  training.learning_rate = options.learning_rate.value_or(training.learning_rate);
  training.seed = options.seed.value_or(training.seed);
  if (options.precision)
    training.precision = *options.precision == "bfloat16" ? Precision::bfloat16 : Precision::float32;
  validate(config, options.config.value_or("command line"));
  return config;
}

/// "0.00123" with three significant digits.
std::string loss_text(double loss) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.3g", loss);
  return buffer;
}

int train_command(const TrainOptions& options) {
  const auto training = std::make_shared<ClipReader>(options.data),
             validation = std::make_shared<ClipReader>(options.validation);
  if (training->info().split == validation->info().split && training->info().seed == validation->info().seed)
    throw Error("--validation: found the same split and seed as --data (" +
                std::string(name(training->info().split)) + ", " + std::to_string(training->info().seed) +
                "); allowed are clips of other levels");
  const LearningConfig config = config_of(options, training->info());
  catch_interrupt();
  prepare_folder(options.out);

  TrainingResult result;
  {
    std::optional<Progress> progress;
    const int before = checkpoint_step(options.out).value_or(0);
    if (before > 0 && !options.quiet) report("goes on after step " + std::to_string(before));
    progress.emplace("steps", static_cast<std::size_t>(std::max(0, config.training.steps - before)),
                     options.quiet);
    double smooth = 0;  // running mean of the loss, which jumps from batch to batch
    result = train(
        config, source_of(options.data, training, config.model),
        source_of(options.validation, validation, config.model),
        {.out = options.out,
         .start = options.start.value_or(""),
         .mask_model = options.mask_model.value_or(""),
         .threads = options.threads,
         .device = options.device,
         .rank = options.rank,
         .processes = options.processes,
         .rendezvous = options.rendezvous,
         .keep_going = [] { return !interrupted(); },
         .on_step =
             [&](const TrainingProgress& now) {
               smooth = smooth == 0 ? now.loss : 0.98 * smooth + 0.02 * now.loss;
               progress->note("loss " + loss_text(smooth) +
                              (now.validation_loss ? ", validation " + loss_text(*now.validation_loss) : "") +
                              ", " + fixed(now.frames_per_second, 0) + " frames/s");
               progress->advance();
             }});
  }
  if (options.rank != 0)
    return result.end == TrainingResult::End::stopped ? exit_interrupted : 0;  // the first process reports
  const std::string model = (std::filesystem::path(options.out) / "model.safetensors").string();
  std::string text = "steps " + std::to_string(result.step) + " of " + std::to_string(config.training.steps);
  if (result.end == TrainingResult::End::no_improvement)
    text += "; ended, since validation stopped improving";
  if (result.end == TrainingResult::End::stopped) text += "; stopped, run the command again to go on";
  text += "\nvalidation loss " + loss_text(result.best_validation) + " at step " +
          std::to_string(result.best_step) +
          (scores_clips(config.model.network) ? "; copy-last " : "; constant ") +
          loss_text(result.copy_last) + " (ratio " + fixed(result.best_validation / result.copy_last, 3) +
          ")\nmodel " + model + "\n";
  emit(text, std::nullopt);
  return result.end == TrainingResult::End::stopped ? exit_interrupted : 0;
}

}  // namespace

void add_train_command(CLI::App& app, int& exit_code) {
  const auto options = std::make_shared<TrainOptions>();
  CLI::App* command = app.add_subcommand(
      "train", "Trains a model to predict what clips of the normal world show next.");
  command->add_option("--data", options->data, "clips to train on, made by startle surprise dataset")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--validation", options->validation,
                   "clips of other levels that the best model is chosen by")
      ->required()
      ->type_name("FILE");
  add_shared_option(*command, "--out", options->out, "a folder of the run; a run that is there goes on")
      ->required();
  command
      ->add_option(
          "--config", options->config,
          "configuration as JSON, as config.json of a run; missing keys keep their defaults; default: none")
      ->type_name("FILE");
  command->add_option("--preset", options->size, "size: small (4 x 32 channels) or reference (4 x 128)")
      ->check(some_values({"small", "reference"}))
      ->type_name("NAME")
      ->default_str(default_preset);
  command
      ->add_option("--network", options->network,
                   "predrnn, mask, cnn, gan, object, slot or motion, see docs/surprise-training.md")
      ->check(some_values({"predrnn", "mask", "cnn", "gan", "object", "slot", "motion"}))
      ->type_name("NAME")
      ->default_str(default_network);
  command
      ->add_option("--mask-model", options->mask_model,
                   "model of network mask, which cnn and gan need, and with which predrnn reads and predicts "
                   "masks; or of network slot, by which object then finds its objects; or any model that "
                   "was trained with one of these; default: none")
      ->type_name("FILE");
  command
      ->add_option("--start", options->start,
                   "model whose weights training begins with, in place of drawn ones: of the same "
                   "configuration; default: none (drawn weights)")
      ->type_name("FILE");
  command->add_option("--channels", options->channels, "width of the network; default: by --preset")
      ->type_name("N");
  command
      ->add_option("--span", options->span,
                   "cnn, gan: frames from the last one seen to the one predicted; default: by --network")
      ->type_name("N");
  command
      ->add_option("--history", options->history,
                   "cnn, gan: frames between the two seen; default: by --network")
      ->type_name("N");
  add_shared_option(*command, "--steps", options->steps, "default: by --preset");
  command->add_option("--batch", options->batch, "clips a step; default: by --preset")->type_name("N");
  command
      ->add_option("--learning-rate", options->learning_rate, "highest learning rate; default: by --preset")
      ->type_name("X");
  command->add_option("--precision", options->precision, "of the convolutions: float32 or bfloat16")
      ->check(only_values({"float32", "bfloat16"}))
      ->type_name("NAME")
      ->default_str("float32");
  add_seed_option(*command, options->seed, "of weights, order of clips and sampling; default: by --preset");
  command->add_option("--device", options->device, "auto, cpu or cuda")
      ->check(some_values({"auto", "cpu", "cuda"}))
      ->type_name("NAME")
      ->capture_default_str();
  add_threads_option(*command, options->threads, "losses depend on it by rounding");
  command
      ->add_option("--processes", options->processes,
                   "number of processes that train together, each started with its own --rank")
      ->type_name("N")
      ->capture_default_str()
      ->group("Several processes");
  command->add_option("--rank", options->rank, "of this process, from 0")
      ->type_name("R")
      ->capture_default_str()
      ->group("Several processes");
  command
      ->add_option("--rendezvous", options->rendezvous,
                   "where the processes meet: tcp://HOST:PORT of rank 0, or a file that all can see and that "
                   "does not exist yet; default: required with --processes above 1")
      ->type_name("PLACE")
      ->group("Several processes");
  add_quiet_option(*command, options->quiet);
  command->footer(
      "Ctrl-C stops after a checkpoint; the same command goes on from it.\n"
      "Example: startle surprise train --data train.h5 --validation validation.h5 --out run");
  command->callback([options, &exit_code] { exit_code = train_command(*options); });
}

void add_export_command(CLI::App& app, int& exit_code) {
  struct ExportOptions {
    std::string model, out;
    bool half = false;
  };
  const auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand(
      "export", "Checks a trained model and writes it anew, for example in half precision.");
  command->add_option("MODEL", options->model, "model made by startle surprise train")
      ->required()
      ->type_name("");
  command->add_flag("--half", options->half, "weights as F16, half the size; else F32");
  add_shared_option(*command, "--out", options->out, "a file")->required();
  command->footer("Example: startle surprise export run/model.safetensors --half --out model.safetensors");
  command->callback([options, &exit_code] {
    export_model(options->model, options->out, options->half);
    exit_code = 0;
  });
}

}  // namespace startle
