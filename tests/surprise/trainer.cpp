#include "surprise/trainer.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>

#include "levels/files.hpp"
#include "sim/error.hpp"
#include "surprise/predrnn.hpp"
#include "surprise/schedule.hpp"
#include "surprise/surprise_score.hpp"
#include "surprise/tensor_file.hpp"
#include "tests/surprise/moving_squares.hpp"

using namespace startle;

namespace {

/// A folder of its own, gone with the test.
struct Folder {
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("startle-trainer-" + std::to_string(getpid()));
  Folder() { std::filesystem::remove_all(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path operator/(const char* name) const { return path / name; }
};

LearningConfig tiny() {
  LearningConfig config;
  config.model = {.layers = 2, .channels = 8, .kernel = 3, .patch = 4, .clips = {.frames = 6, .pixels = 16}};
  config.training = {.batch = 4, .steps = 30, .learning_rate = 3e-3, .validate_every = 12, .validation_clips = 9, .checkpoint_every = 5};
  return config;
}

TrainingResult train_tiny(const LearningConfig& config, const std::filesystem::path& out, int stop_after = 1 << 30, int threads = 1) {
  int steps = 0;
  return train(config, squares_source(config.model.clips, 50), squares_source(config.model.clips, 20, 1000),
               {.out = out, .threads = threads, .device = "cpu", .keep_going = [&] { return steps < stop_after; },
                .on_step = [&](const TrainingProgress&) { ++steps; }});
}

/// All that does not depend on the clock.
std::vector<std::vector<double>> losses(const std::vector<TrainingRow>& rows) {
  std::vector<std::vector<double>> result;
  for (const TrainingRow& row : rows)
    result.push_back({static_cast<double>(row.step), row.learning_rate, row.loss.value_or(-1), row.gradient_norm, row.validation_loss.value_or(-1)});
  return result;
}

}  // namespace

TEST_CASE("training learns to predict better than copying the last frame, and exports the best model") {
  Folder folder;
  LearningConfig config = tiny();
  config.model.channels = 16;
  config.training.steps = 300;
  config.training.learning_rate = 1e-2;
  config.training.validate_every = 50;
  const TrainingResult result = train_tiny(config, folder.path);
  CHECK(result.end == TrainingResult::End::finished);
  CHECK(result.step == 300);
  CHECK(result.best_validation < 0.7 * result.copy_last);

  // The exported model has the validation loss that the trainer says.
  const auto model = load_predrnn(folder / "model.safetensors", {.threads = 1, .device = "cpu"});
  CHECK(read_model_config(folder / "model.safetensors") == config.model);
  double error = 0, change = 0;
  for (std::size_t i = 0; i < 9; ++i) {
    const Clip clip = moving_squares(config.model.clips, 1000 + i);
    const Prediction prediction = model->predict({&clip}).front();
    CHECK(prediction.feature.size() == 16);
    const FrameErrors errors = frame_errors(clip, prediction);
    for (const double s : errors.error) error += s;
    for (const double c : errors.change) change += c;
  }
  const double values = 9.0 * 5 * 16 * 16 * 3;
  CHECK(error / values == Approx(result.best_validation).epsilon(1e-4));
  CHECK(change / values == Approx(result.copy_last).epsilon(1e-6));
}

TEST_CASE("a stopped or killed training goes on as if nothing had happened") {
  Folder whole, parts;
  LearningConfig config = tiny();
  config.training.sampling = GENERATE(Sampling::teacher, Sampling::reverse);
  const TrainingResult expected = train_tiny(config, whole.path / "a");
  REQUIRE(expected.rows.size() == 6);  // steps 0, 10, 12, 20, 24, 30

  // Stopped at step 13, between checkpoints and rows of the log.
  const std::filesystem::path stopped = parts.path / "stopped";
  CHECK(train_tiny(config, stopped, 13).end == TrainingResult::End::stopped);
  CHECK(checkpoint_step(stopped) == 13);
  const TrainingResult resumed = train_tiny(config, stopped);
  CHECK(resumed.first_step == 13);
  CHECK(losses(resumed.rows) == losses(expected.rows));
  CHECK(read_tensors(stopped / "checkpoint.safetensors").tensors.at("weights/conv_out").values ==
        read_tensors(whole.path / "a" / "checkpoint.safetensors").tensors.at("weights/conv_out").values);
  CHECK(read_tensors(stopped / "model.safetensors").tensors.at("conv_out").values ==
        read_tensors(whole.path / "a" / "model.safetensors").tensors.at("conv_out").values);

  // Killed: the checkpoint is older than the log.
  const std::filesystem::path killed = parts.path / "killed";
  train_tiny(config, killed, 10);
  std::filesystem::copy(killed, parts.path / "older", std::filesystem::copy_options::recursive);
  train_tiny(config, killed, 14);
  std::filesystem::copy(parts.path / "older" / "checkpoint.safetensors", killed / "checkpoint.safetensors", std::filesystem::copy_options::overwrite_existing);
  CHECK(losses(train_tiny(config, killed).rows) == losses(expected.rows));

  // A finished run stays as it is.
  const TrainingResult again = train_tiny(config, killed);
  CHECK(again.first_step == 30);
  CHECK(losses(again.rows) == losses(expected.rows));
}
