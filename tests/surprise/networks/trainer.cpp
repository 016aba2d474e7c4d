#include "surprise/networks/trainer.hpp"

#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "core/error.hpp"
#include "core/files.hpp"
#include "surprise/networks/predrnn.hpp"
#include "surprise/networks/schedule.hpp"
#include "surprise/networks/tensor_file.hpp"
#include "surprise/surprise_score.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/surprise/networks/moving_squares.hpp"

using namespace startle;
using startle::testing::Folder;

namespace {

LearningConfig tiny() {
  LearningConfig config;
  config.model = {.layers = 2, .channels = 8, .kernel = 3, .patch = 4, .clips = {.frames = 6, .pixels = 16}};
  config.training = {.batch = 4,
                     .steps = 30,
                     .learning_rate = 3e-3,
                     .validate_every = 12,
                     .validation_clips = 9,
                     .checkpoint_every = 5};
  return config;
}

TrainingResult train_tiny(const LearningConfig& config, const std::filesystem::path& out,
                          int stop_after = 1 << 30, int threads = 1) {
  int steps = 0;
  return train(config, squares_source(config.model.clips, 50), squares_source(config.model.clips, 20, 1000),
               {.out = out,
                .threads = threads,
                .device = "cpu",
                .keep_going = [&] { return steps < stop_after; },
                .on_step = [&](const TrainingProgress&) { ++steps; }});
}

/// All that does not depend on the clock.
std::vector<std::vector<double>> losses(const std::vector<TrainingRow>& rows) {
  std::vector<std::vector<double>> result;
  for (const TrainingRow& row : rows)
    result.push_back({static_cast<double>(row.step), row.learning_rate, row.loss.value_or(-1),
                      row.gradient_norm, row.validation_loss.value_or(-1)});
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
  const auto model = load_predictor(folder / "model.safetensors", {.threads = 1, .device = "cpu"});
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
  Folder folder;
  LearningConfig config = tiny();
  config.training.sampling = GENERATE(Sampling::teacher, Sampling::reverse);
  const TrainingResult expected = train_tiny(config, folder / "whole");
  REQUIRE(expected.rows.size() == 6);  // steps 0, 10, 12, 20, 24, 30

  // Stopped at step 13, between checkpoints and rows of the log.
  const std::filesystem::path stopped = folder / "stopped";
  CHECK(train_tiny(config, stopped, 13).end == TrainingResult::End::stopped);
  CHECK(checkpoint_step(stopped) == 13);
  const TrainingResult resumed = train_tiny(config, stopped);
  CHECK(resumed.first_step == 13);
  CHECK(losses(resumed.rows) == losses(expected.rows));
  CHECK(read_tensors(stopped / "checkpoint.safetensors").tensors.at("weights/conv_out").values ==
        read_tensors(folder / "whole" / "checkpoint.safetensors").tensors.at("weights/conv_out").values);
  CHECK(read_tensors(stopped / "model.safetensors").tensors.at("conv_out").values ==
        read_tensors(folder / "whole" / "model.safetensors").tensors.at("conv_out").values);

  // Killed: the checkpoint is older than the log.
  const std::filesystem::path killed = folder / "killed";
  train_tiny(config, killed, 10);
  std::filesystem::copy(killed, folder / "older", std::filesystem::copy_options::recursive);
  train_tiny(config, killed, 14);
  std::filesystem::copy(folder / "older" / "checkpoint.safetensors", killed / "checkpoint.safetensors",
                        std::filesystem::copy_options::overwrite_existing);
  CHECK(losses(train_tiny(config, killed).rows) == losses(expected.rows));

  // A finished run stays as it is.
  const TrainingResult again = train_tiny(config, killed);
  CHECK(again.first_step == 30);
  CHECK(losses(again.rows) == losses(expected.rows));
}

TEST_CASE("a network learns one clip by heart") {
  Folder folder;
  LearningConfig config = tiny();
  config.model.channels = 16;
  config.training = {
      .batch = 2, .steps = 400, .learning_rate = 1e-2, .validate_every = 100, .validation_clips = 2};
  const ClipSource one = squares_source(config.model.clips, 1, 7);
  ClipSource twice = one;
  twice.count = 2;
  twice.read = [one](const std::vector<std::size_t>& indices) {
    return one.read(std::vector<std::size_t>(indices.size(), 0));
  };
  const TrainingResult result = train(config, one, twice,
                                      {.out = folder.path, .threads = 1, .device = "cpu"});
  CHECK(result.best_validation < 0.03 * result.copy_last);
}

TEST_CASE("training may begin with another model's weights") {
  const Folder folder;
  LearningConfig config = tiny();
  config.training.steps = 1;
  config.training.learning_rate = 1e-9;
  train_tiny(config, folder / "next");
  config.training.seed = 5;
  const auto begun = [&](const LearningConfig& c, const std::filesystem::path& out,
                         const std::filesystem::path& start) {
    return train(c, squares_source(c.model.clips, 50), squares_source(c.model.clips, 20, 1000),
                 {.out = out, .start = start, .threads = 1, .device = "cpu"});
  };
  begun(config, folder / "begun", folder / "next/model.safetensors");
  train_tiny(config, folder / "drawn");
  const TensorFile next = read_tensors(folder / "next/model.safetensors"),
                   from = read_tensors(folder / "begun/model.safetensors"),
                   drawn = read_tensors(folder / "drawn/model.safetensors");
  for (const auto& [name, tensor] : next.tensors) {
    const std::vector<float>&before = tensor.values, &after = from.tensors.at(name).values;
    REQUIRE(after.size() == before.size());
    for (std::size_t i = 0; i < before.size(); ++i) REQUIRE(after[i] == Approx(before[i]).margin(1e-7));
  }
  CHECK(from.tensors.at("conv_out").values != drawn.tensors.at("conv_out").values);
  // The run is of that start; a wider network cannot begin so.
  write_file(folder / "other.safetensors", read_file(folder / "next/model.safetensors"));
  CHECK_THROWS_WITH(begun(config, folder / "begun", folder / "other.safetensors"),
                    Catch::Contains("other clips or models") && Catch::Contains("start: other.safetensors"));
  CHECK_THROWS_WITH(train_tiny(config, folder / "begun"), Catch::Contains("other clips or models"));
  CHECK(begun(config, folder / "begun", folder / "next/model.safetensors").first_step == 1);
  config.model.layers = 1;
  CHECK_THROWS_WITH(begun(config, folder / "lower", folder / "next/model.safetensors"),
                    Catch::Contains("next/model.safetensors: a model to begin with") &&
                        Catch::Contains("\"layers\": 2") && Catch::Contains("\"layers\": 1"));
}

TEST_CASE("training ends when validation no longer improves, and keeps the best model") {
  Folder folder;
  LearningConfig config = tiny();
  // Trained on a still clip and validated on moving ones: it gets worse as it learns.
  config.training = {.batch = 2,
                     .steps = 600,
                     .learning_rate = 2e-2,
                     .validate_every = 10,
                     .validation_clips = 8,
                     .patience = 4};
  ClipSource still = squares_source(config.model.clips, 1);
  still.read = [&](const std::vector<std::size_t>& indices) {
    Clip clip = moving_squares(config.model.clips, 0);
    for (int t = 1; t < clip.frames; ++t)
      std::copy_n(
          clip.rgb.begin(), clip.frame_size(),
          clip.rgb.begin() + static_cast<std::ptrdiff_t>(clip.frame_size() * static_cast<std::size_t>(t)));
    return std::vector<Clip>(indices.size(), clip);
  };
  const TrainingResult result = train(config, still, squares_source(config.model.clips, 8, 50),
                                      {.out = folder.path, .threads = 1, .device = "cpu"});
  CHECK(result.end == TrainingResult::End::no_improvement);
  CHECK(result.step < 600);
  CHECK(result.step == result.best_step + 40);  // four validations after the best
  double lowest = 1e9;
  for (const TrainingRow& row : result.rows) lowest = std::min(lowest, row.validation_loss.value_or(1e9));
  CHECK(result.best_validation == lowest);
  CHECK(std::stoi(read_tensor_metadata(folder / "model.safetensors").at("startle.step")) == result.best_step);
}

TEST_CASE("a loss that is not finite stops training, and the last checkpoint stands") {
  Folder folder;
  const LearningConfig config = tiny();
  train_tiny(config, folder.path, 7);
  const std::string before = read_file(folder / "checkpoint.safetensors");
  TensorFile poisoned = read_tensors(folder / "checkpoint.safetensors");
  poisoned.tensors.at("weights/conv_out").values[3] = 3e38f;  // finite, and no sum with it is
  write_tensors(folder / "checkpoint.safetensors", poisoned);
  const std::string bad = read_file(folder / "checkpoint.safetensors");
  CHECK_THROWS_WITH(train_tiny(config, folder.path),
                    Catch::Contains("step 8: loss ") && Catch::Contains("checkpoint.safetensors"));
  CHECK(read_file(folder / "checkpoint.safetensors") == bad);
}

TEST_CASE("a folder takes only the run it was made for") {
  using Catch::Contains;
  Folder folder;
  LearningConfig config = tiny();
  train_tiny(config, folder.path, 6);
  LearningConfig other = config;
  other.training.steps = 40;
  CHECK_THROWS_WITH(train_tiny(other, folder.path), Contains("another configuration"));
  CHECK_THROWS_WITH(
      train(config, squares_source(config.model.clips, 49), squares_source(config.model.clips, 20, 1000),
            {.out = folder.path, .threads = 1, .device = "cpu"}),
      Contains("other clips"));
  ClipSource none = squares_source(config.model.clips, 0);
  CHECK_THROWS_WITH(train(config, none, none, {.out = folder.path, .threads = 1, .device = "cpu"}),
                    Contains("found 0 clips"));
  ClipFormat larger = config.model.clips;
  larger.pixels = 32;
  CHECK_THROWS_WITH(train(config, squares_source(larger, 5), squares_source(larger, 5),
                          {.out = folder.path, .threads = 1, .device = "cpu"}),
                    Contains("another format"));
  CHECK_THROWS_WITH(
      train(config, squares_source(config.model.clips, 50), squares_source(config.model.clips, 20),
            {.out = folder.path, .threads = 1, .device = "tpu"}),
      Contains("auto, cpu and cuda"));
  // A checkpoint that is cut short.
  const std::string bytes = read_file(folder / "checkpoint.safetensors");
  write_file(folder / "checkpoint.safetensors", bytes.substr(0, bytes.size() / 2));
  CHECK_THROWS_WITH(train_tiny(config, folder.path), Contains("cut short"));
  // Clips that cannot be read.
  ClipSource broken = squares_source(config.model.clips, 50);
  broken.read = [](const std::vector<std::size_t>&) -> std::vector<Clip> { throw Error("disk on fire"); };
  CHECK_THROWS_WITH(train(config, broken, squares_source(config.model.clips, 20),
                          {.out = folder / "new", .threads = 1, .device = "cpu"}),
                    Contains("disk on fire"));
}

namespace {

constexpr const char* rank_variable = "STARTLE_TEST_RANK";

/// Two processes, each half of the batch; the test program runs itself for them, since a process with threads
/// must not fork.
TrainingResult train_rank(const LearningConfig& config, const std::filesystem::path& folder, int rank) {
  return train(config, squares_source(config.model.clips, 50), squares_source(config.model.clips, 20, 1000),
               {.out = folder / "run",
                .threads = 1,
                .device = "cpu",
                .rank = rank,
                .processes = 2,
                .rendezvous = (folder / "meet").string()});
}

LearningConfig two_process_config() {
  LearningConfig config = tiny();
  config.training.sampling = Sampling::reverse;
  config.training.steps = 14;
  return config;
}

}  // namespace

TEST_CASE("one of two processes", "[.]") {
  if (const char* folder = std::getenv(rank_variable)) train_rank(two_process_config(), folder, 1);
}

TEST_CASE("two processes train as one does") {
  Folder folder;
  const LearningConfig config = two_process_config();
  const TrainingResult alone = train_tiny(config, folder / "alone");
  std::filesystem::create_directories(folder / "two");
  setenv(rank_variable, (folder / "two").c_str(), 1);
  const std::string command = "\"" + std::filesystem::read_symlink("/proc/self/exe").string() +
                              "\" 'one of two processes' > /dev/null";
  int other = -1;
  std::thread second([&] { other = std::system(command.c_str()); });
  const TrainingResult together = train_rank(config, folder / "two", 0);
  second.join();
  unsetenv(rank_variable);
  CHECK(other == 0);
  REQUIRE(together.rows.size() == alone.rows.size());
  for (std::size_t i = 0; i < alone.rows.size(); ++i) {
    CHECK(together.rows[i].loss.value_or(0) == Approx(alone.rows[i].loss.value_or(0)).epsilon(1e-4));
    CHECK(together.rows[i].gradient_norm == Approx(alone.rows[i].gradient_norm).epsilon(1e-3));
    CHECK(together.rows[i].validation_loss.value_or(0) ==
          Approx(alone.rows[i].validation_loss.value_or(0)).epsilon(1e-4));
  }
  LearningConfig odd = config;
  odd.training.batch = 5;
  CHECK_THROWS_WITH(train_rank(odd, folder.path, 0), Catch::Contains("training/batch: found 5"));
}
