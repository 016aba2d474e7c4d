#include <torch/types.h>
#include <torch/utils.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>

#include "core/error.hpp"
#include "core/files.hpp"
#include "surprise/networks/learned_network.hpp"
#include "surprise/networks/learned_scorer.hpp"
#include "surprise/networks/mask_networks.hpp"
#include "surprise/networks/object_slots.hpp"
#include "surprise/networks/trainer.hpp"
#include "surprise/probes/intphys/scene.hpp"
#include "surprise/probes/probe_tuple.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/surprise/networks/moving_squares.hpp"

using namespace startle;
using startle::testing::Folder;

namespace {

/// Squares of moving_squares() with masks: the red one is object 2, the green one, drawn over it, is
/// occluder 64.
Clip masked_squares(const ClipFormat& format, std::uint64_t number) {
  Clip clip = moving_squares(format, number);
  for (std::size_t i = 0; i < clip.rgb.size(); i += 3)
    clip.masks.push_back(clip.rgb[i + 1] > 0 ? 64 : clip.rgb[i] > 0 ? 2 : 0);
  return clip;
}

ClipSource masked_source(const ClipFormat& format, std::size_t count, std::uint64_t first) {
  ClipSource source = squares_source(format, count, first);
  source.read = [=](const std::vector<std::size_t>& indices) {
    std::vector<Clip> clips;
    for (const std::size_t index : indices) clips.push_back(masked_squares(format, first + index));
    return clips;
  };
  return source;
}

std::vector<const Clip*> pointers_to(const std::vector<Clip>& clips) {
  std::vector<const Clip*> pointers;
  for (const Clip& clip : clips) pointers.push_back(&clip);
  return pointers;
}

LearningConfig tiny(Network network) {
  LearningConfig config = learning_config("small", network);
  config.model.clips = {.frames = 8, .pixels = network == Network::gan ? 64 : 16};
  config.model.channels = 4;
  if (network == Network::object) config.model.channels = 16;
  if (network == Network::mask || network == Network::cnn) config.model.code = 16;
  if (network == Network::predrnn) {
    config.model.masks = true;
    config.model.layers = 2;
  }
  if (network == Network::cnn || network == Network::gan) {
    config.model.span = 3;
    config.model.history = 1;
  }
  config.training.batch = 4;
  config.training.steps = 12;
  config.training.learning_rate = 3e-3;
  config.training.validate_every = 5;
  config.training.validation_clips = 5;
  config.training.checkpoint_every = 4;
  return config;
}

TrainingResult train_tiny(const LearningConfig& config, const std::filesystem::path& out,
                          const std::filesystem::path& masks, int stop_after = 1 << 30) {
  int steps = 0;
  return train(config, masked_source(config.model.clips, 30, 0), masked_source(config.model.clips, 8, 500),
               {.out = out,
                .mask_model = mask_model_network(config.model) ? masks : std::filesystem::path(),
                .threads = 1,
                .device = "cpu",
                .keep_going = [&] { return steps < stop_after; },
                .on_step = [&](const TrainingProgress&) { ++steps; }});
}

/// An untrained mask model for clips of that size. With weights as small as at first all of its masks are
/// near one half; `larger` ones follow the picture.
std::filesystem::path mask_model(const Folder& folder, int pixels, double larger = 1) {
  LearningConfig config = tiny(Network::mask);
  config.model.clips.pixels = pixels;
  const std::filesystem::path path = folder.path / ("masks" + std::to_string(pixels) + ".safetensors");
  const MaskNetwork network(config.model, 5, at::kCPU);
  {
    const torch::NoGradGuard no_gradients;
    network.weights().mul_(larger);
  }
  write_tensors(path, model_file(network));
  return path;
}

std::vector<std::pair<double, double>> losses(const std::vector<TrainingRow>& rows) {
  std::vector<std::pair<double, double>> result;
  for (const TrainingRow& row : rows)
    result.emplace_back(row.loss.value_or(-1), row.validation_loss.value_or(-1));
  return result;
}

const std::vector<Network>& detecting() {
  static const std::vector<Network> all{Network::predrnn, Network::cnn, Network::gan, Network::object};
  return all;
}

}  // namespace

TEST_CASE("object slots are the moments of masks, by order of appearance") {
  // Two frames of 8 x 8. Frame 0: id 5 over columns 2 and 3, rows 4 to 7, half red, half blue. Frame 1: id 5
  // gone; ids 3 and 70, a pixel each, and the floor.
  Clip clip{.frames = 2,
            .pixels = 8,
            .rgb = std::vector<std::uint8_t>(2 * 64 * 3),
            .masks = std::vector<std::uint8_t>(2 * 64)};
  for (std::size_t row = 4; row < 8; ++row)
    for (std::size_t column = 2; column < 4; ++column) {
      clip.masks[row * 8 + column] = 5;
      clip.rgb[(row * 8 + column) * 3 + (row < 6 ? 0 : 2)] = 255;
    }
  clip.masks[64 + 0] = 70;
  clip.masks[64 + 7] = 3;
  for (std::size_t i = 56; i < 64; ++i) clip.masks[64 + i] = 1;
  const auto slots = object_slots(clip, 3, 64);
  REQUIRE(slots.size() == 2);
  REQUIRE(slots[0].size() == 3);
  const ObjectState& block = slots[0][0];
  CHECK(block.visible);
  CHECK(block.x == Approx(3.0 / 8));                      // pixel centres 2.5 and 3.5
  CHECK(block.y == Approx(6.0 / 8));                      // 4.5 to 7.5
  CHECK(block.width == Approx(2 / std::sqrt(12.0) / 8));  // even over two pixels
  CHECK(block.height == Approx(4 / std::sqrt(12.0) / 8));
  CHECK(block.colour[0] == Approx(0.5));
  CHECK(block.colour[1] == 0);
  CHECK(block.colour[2] == Approx(0.5));
  CHECK(block.occluder == 0);
  CHECK_FALSE(slots[0][1].visible);
  // Id 5 keeps its place; 3 stands before 70, which is an occluder.
  CHECK_FALSE(slots[1][0].visible);
  CHECK(slots[1][1].x == Approx(7.5 / 8));
  CHECK(slots[1][1].occluder == 0);
  CHECK(slots[1][2].x == Approx(0.5 / 8));
  CHECK(slots[1][2].y == Approx(0.5 / 8));
  CHECK(slots[1][2].width == Approx(1 / std::sqrt(12.0) / 8));
  CHECK(slots[1][2].occluder == 1);
  CHECK_FALSE(object_slots(clip, 2, 64)[1][0].visible);
  CHECK(object_slots(clip, 2, 64)[1].size() == 2);  // the third has no place
  clip.masks.clear();
  CHECK_THROWS_WITH(object_slots(clip, 3, 64), Catch::Contains("has no masks"));
}

TEST_CASE("where edges are softened an object is measured finer than by whole pixels") {
  // 16 x 16 pixels: wall above row 14, floor below; a red box from 3.3 to 8.1 and 5.6 to 11.2; a blue screen
  // from column 6.25 on hides the rest of it.
  constexpr std::size_t side = 16;
  using Colour = std::array<double, 3>;
  const Colour wall{200, 210, 190}, floor{120, 90, 60}, red{220, 30, 40}, blue{20, 60, 200};
  const auto share = [](double from, double to, double pixel) {
    return std::clamp(std::min(to, pixel + 1) - std::max(from, pixel), 0.0, 1.0);
  };
  const auto objects = [&](double screen) {
    std::vector<std::uint8_t> rgb, ids;
    for (std::size_t row = 0; row < side; ++row)
      for (std::size_t column = 0; column < side; ++column) {
        const auto x = static_cast<double>(column), y = static_cast<double>(row);
        const double of_box = share(3.3, 8.1, x) * share(5.6, 11.2, y), of_screen = share(screen, 16, x);
        for (std::size_t c = 0; c < 3; ++c) {
          const double behind = of_box * red[c] + (1 - of_box) * (row < 14 ? wall : floor)[c];
          rgb.push_back(
              static_cast<std::uint8_t>(std::lround(of_screen * blue[c] + (1 - of_screen) * behind)));
        }
        ids.push_back(of_screen >= 0.5 ? 70 : of_box >= 0.5 ? 2 : row < 14 ? 0 : 1);
      }
    return frame_objects(rgb.data(), ids.data(), side, 64);
  };
  const double pixel = 1.0 / side, tolerance = 0.02 * pixel;
  const ObjectState box = objects(16)[2];
  CHECK(box.x == Approx((3.3 + 8.1) / 2 * pixel).margin(tolerance));
  CHECK(box.y == Approx((5.6 + 11.2) / 2 * pixel).margin(tolerance));
  CHECK(box.width == Approx((8.1 - 3.3) / std::sqrt(12.0) * pixel).margin(tolerance));
  CHECK(box.height == Approx((11.2 - 5.6) / std::sqrt(12.0) * pixel).margin(tolerance));
  for (std::size_t c = 0; c < 3; ++c) CHECK(box.colour[c] == Approx(red[c] / 255).margin(1e-9));
  const auto hidden = objects(6.25);
  CHECK(hidden[2].x == Approx((3.3 + 6.25) / 2 * pixel).margin(tolerance));
  CHECK(hidden[2].width == Approx((6.25 - 3.3) / std::sqrt(12.0) * pixel).margin(tolerance));
  CHECK(hidden[70].x == Approx((6.25 + 16) / 2 * pixel).margin(tolerance));
  CHECK(hidden[70].occluder == 1);
}

TEST_CASE(
    "an object is measured as finely beside another one, and by whole pixels where its edges are of no two "
    "colours") {
  constexpr std::size_t side = 24;
  using Colour = std::array<double, 3>;
  const Colour wall{200, 210, 190}, red{220, 30, 40};
  const auto share = [](double from, double to, double pixel) {
    return std::clamp(std::min(to, pixel + 1) - std::max(from, pixel), 0.0, 1.0);
  };
  // A red box from 4.3 to 10.1, rows 6.4 to 15.2, and right of a gap a pillar as high as the picture; the box
  // may have an outline.
  const auto box = [&](double gap, const Colour& pillar, std::optional<Colour> outline) {
    std::vector<std::uint8_t> rgb, ids;
    for (std::size_t row = 0; row < side; ++row)
      for (std::size_t column = 0; column < side; ++column) {
        const auto x = static_cast<double>(column), y = static_cast<double>(row);
        const double of_box = share(4.3, 10.1, x) * share(6.4, 15.2, y),
                     of_inside = outline ? share(5.3, 9.1, x) * share(7.4, 14.2, y) : of_box,
                     of_pillar = share(10.1 + gap, 20, x);
        for (std::size_t c = 0; c < 3; ++c)
          rgb.push_back(static_cast<std::uint8_t>(
              std::lround(of_inside * red[c] + (of_box - of_inside) * outline.value_or(red)[c] +
                          of_pillar * pillar[c] + (1 - of_box - of_pillar) * wall[c])));
        ids.push_back(of_box >= 0.5 ? 2 : of_pillar >= 0.5 ? 3 : 0);
      }
    return frame_objects(rgb.data(), ids.data(), side, 64)[2];
  };
  const double pixel = 1.0 / side;
  for (const double gap : {0.6, 1.0, 1.4, 2.0, 2.6, 5.0})
    for (const Colour& pillar : {Colour{20, 60, 200}, red}) {
      if (gap < 1 && pillar == red) continue;  // a pixel that both share
      CAPTURE(gap, pillar[0]);
      CHECK(box(gap, pillar, {}).x == Approx((4.3 + 10.1) / 2 * pixel).margin(0.05 * pixel));
      CHECK(box(gap, pillar, {}).width == Approx(5.8 / std::sqrt(12.0) * pixel).margin(0.05 * pixel));
      CHECK(box(gap, pillar, {}).height == Approx(8.8 / std::sqrt(12.0) * pixel).margin(0.05 * pixel));
    }
  // Whole pixels: columns 4 to 9 and rows 7 to 14 or 6 to 14.
  CHECK(box(5, {20, 60, 200}, Colour{240, 250, 60}).width ==
        Approx(6 / std::sqrt(12.0) * pixel).margin(0.3 * pixel));
  CHECK(box(5, {20, 60, 200}, Colour{30, 30, 30}).width ==
        Approx(6 / std::sqrt(12.0) * pixel).margin(0.3 * pixel));
}

TEST_CASE("networks have as many weights as those of IntPhys 2019") {
  const auto count = [](const ModelConfig& config, std::shared_ptr<const LearnedNetwork> masks = {}) {
    return make_network(config, 1, at::kCPU, std::move(masks))->weights().numel();
  };
  ModelConfig mask = learning_config("reference", Network::mask).model;
  CHECK(count(mask) == 9'747'011);  // [IntPhys table 41]
  ModelConfig small = learning_config("small", Network::mask).model;
  const auto masks = std::make_shared<MaskNetwork>(small, 1, at::kCPU);
  CHECK(count(learning_config("reference", Network::cnn).model, masks) == 13'941'315);  // [IntPhys table 2]
  // Table 3's generator has 14,729,347, and the discriminator of the published code with one head of its two:
  // 4 x 4 convolutions 6 + 3 to 64, twice 64 to 128, twice 128 to 256, 512 to 512 and to 1; a bias each;
  // batch normalisation of all but the last.
  const std::int64_t convolutions = 16 * (9 * 64 + 2 * 64 * 128 + 2 * 128 * 256 + 512 * 512 + 512),
                     biases = 2 * (64 + 128 + 256) + 512 + 1;
  CHECK(count(learning_config("reference", Network::gan).model, masks) ==
        14'729'347 + convolutions + biases + 2 * (biases - 1));
  // h = 3: relations 2 (13 + 3) -> 3 -> 3, gates 13 + 3 -> 12 and 3 -> 12, output 3 -> 8, each with a bias.
  ModelConfig object = learning_config("small", Network::object).model;
  object.channels = 3;
  CHECK(count(object) == (32 * 3 + 3) + (3 * 3 + 3) + (16 * 12 + 12) + (3 * 12 + 12) + (3 * 8 + 8));
}

TEST_CASE("networks score every frame they can, the same alone as among others") {
  Folder folder;
  const torch::NoGradGuard no_gradients;
  for (const Network kind : detecting()) {
    INFO(name(kind));
    const ModelConfig config = tiny(kind).model;
    const auto network = make_network(
        config, 3, at::kCPU,
        mask_model_network(config)
            ? mask_network_of(mask_model(folder, config.clips.pixels, 3), Network::mask, at::kCPU)
            : nullptr);
    if (kind == Network::gan) network->weights().mul_(3);
    std::vector<Clip> clips;
    for (std::uint64_t i = 0; i < 3; ++i) clips.push_back(masked_squares(config.clips, i));
    const std::vector<ClipSurprise> together = network->score(pointers_to(clips)),
                                    alone = network->score({&clips[2], &clips[2]});
    REQUIRE(together.size() == 3);
    for (const ClipSurprise& clip : together) {
      REQUIRE(clip.errors.error.size() == 7);
      REQUIRE(clip.errors.change.size() == 7);
      // Triplets end with frame history + span = 4 at the earliest.
      const std::size_t first = kind == Network::cnn || kind == Network::gan ? 3 : 0;
      for (std::size_t t = 0; t < 7; ++t) CHECK((clip.errors.error[t] > 0) == (t >= first));
    }
    for (std::size_t t = 0; t < 7; ++t)
      CHECK(together[2].errors.error[t] == Approx(alone[0].errors.error[t]).epsilon(1e-4));
    // Frames that are there more than once change nothing: clip 1 with the beginning of clip 0, beside both.
    Clip joined = clips[1];
    std::copy(clips[0].rgb.begin(),
              clips[0].rgb.begin() + 5 * static_cast<std::ptrdiff_t>(joined.frame_size()),
              joined.rgb.begin());
    const std::vector<ClipSurprise> beside = network->score({&clips[0], &joined, &clips[1], &clips[0]}),
                                    by_itself = network->score({&joined, &joined});
    for (std::size_t t = 0; t < 7; ++t) {
      CHECK(beside[1].errors.error[t] == Approx(by_itself[0].errors.error[t]).epsilon(1e-4));
      CHECK(beside[2].errors.error[t] == Approx(together[1].errors.error[t]).epsilon(1e-4));
      CHECK(beside[3].errors.error[t] == Approx(beside[0].errors.error[t]).epsilon(1e-4));
    }
    CHECK(together[0].feature.size() == (kind == Network::predrnn || kind == Network::object
                                             ? static_cast<std::size_t>(config.channels)
                                             : 0));
    // What comes later changes nothing of what was tested before.
    Clip other = clips[0];
    std::fill(other.rgb.end() - static_cast<std::ptrdiff_t>(other.frame_size()), other.rgb.end(), 90);
    std::fill(other.masks.end() - 16, other.masks.end(), 7);
    const FrameErrors changed = network->score({&other, &clips[1]}).front().errors;
    for (std::size_t t = 0; t < 6; ++t)
      CHECK(changed.error[t] == Approx(together[0].errors.error[t]).epsilon(1e-4));
    CHECK(changed.error[6] != Approx(together[0].errors.error[6]).epsilon(1e-4));
  }
}

TEST_CASE("an object network that predicts no change has the errors of no change") {
  const ModelConfig config = tiny(Network::object).model;
  const auto network = make_network(config, 3, at::kCPU);
  const torch::NoGradGuard no_gradients;
  network->weights().zero_();  // next state = last state, seen with probability 1/2
  const Clip clip = masked_squares(config.clips, 4);
  const auto slots = object_slots(clip, config.slots, config.occluders_from);
  const ClipSurprise surprise = network->score({&clip, &clip}).front();
  for (std::size_t t = 1; t < 8; ++t) {
    double change = 0;
    bool all_seen = true;
    for (std::size_t k = 0; k < 2; ++k) {
      const ObjectState &a = slots[t - 1][k], &b = slots[t][k];
      all_seen = all_seen && a.visible && b.visible;
      change += 9 * (16 * (std::pow(a.x - b.x, 2) + std::pow(a.y - b.y, 2)) +
                     256 * (std::pow(a.width - b.width, 2) + std::pow(a.height - b.height, 2)));
      for (std::size_t c = 0; c < 3; ++c) change += 4 * std::pow(a.colour[c] - b.colour[c], 2);
    }
    REQUIRE(all_seen);
    CHECK(surprise.errors.change[t - 1] == Approx(change).margin(1e-5));
    CHECK(surprise.errors.error[t - 1] == Approx(change + 8 * 0.25).margin(1e-5));  // 8 slots, each 1/2 off
  }
}

TEST_CASE("a mask network learns what is background, occluder and object") {
  Folder folder;
  LearningConfig config = tiny(Network::mask);
  config.model.channels = 16;
  config.model.code = 32;
  config.training.steps = 300;
  config.training.learning_rate = 5e-3;
  config.training.validate_every = 50;
  const ClipSource four = masked_source(config.model.clips, 4, 0);  // by heart: more than that takes longer
                                                                    // than a test may
  const TrainingResult result = train(
      config, four, four, {.out = folder / "run", .mask_model = {}, .threads = 1, .device = "cpu"});
  CHECK(result.best_validation < 0.2 * result.copy_last);
  const auto network = mask_network_of(folder / "run/model.safetensors", Network::mask, at::kCPU);
  const std::vector<Clip> clips = four.read({0, 1, 2, 3});
  const at::Tensor truth = network->read(pointers_to(clips)).select(4, 3).to(at::kLong),
                   found = masks_of_clips(*network, stack_clips(pointers_to(clips), config.model.clips))
                               .argmax(4);
  for (std::int64_t entity = 0; entity < 3; ++entity) {  // intersection over union
    const at::Tensor a = truth == entity, b = found == entity;
    CHECK((a & b).sum().item<double>() / (a | b).sum().item<double>() > (entity == 0 ? 0.95 : 0.8));
  }
  CHECK_THROWS_WITH(load_scorer(folder / "run/model.safetensors"), Catch::Contains("scores no clips"));
}

TEST_CASE("each network learns a few clips by heart") {
  Folder folder;
  for (const Network kind : {Network::predrnn, Network::cnn, Network::object}) {
    INFO(name(kind));
    LearningConfig config = tiny(kind);
    config.training = {.batch = 2,
                       .steps = 150,
                       .learning_rate = 1e-2,
                       .beta2 = 0.99,
                       .validate_every = 50,
                       .validation_clips = 2};
    if (kind == Network::predrnn) config.training.steps = 80;
    const ClipSource two = masked_source(config.model.clips, 2, 7);
    const TrainingResult result = train(
        config, two, two,
        {.out = folder.path / name(kind),
         .mask_model = mask_model_network(config.model) ? mask_model(folder, 16) : std::filesystem::path(),
         .threads = 1,
         .device = "cpu"});
    CHECK(result.best_validation < 0.5 * result.rows.front().validation_loss.value());
    if (kind == Network::object) CHECK(result.best_validation < 0.5 * result.copy_last);
  }
}

TEST_CASE(
    "a discriminator learns to distinguish real masks from its generator's, and neither trains the other") {
  Folder folder;
  const LearningConfig config = tiny(Network::gan);
  const auto network = make_network(config.model, 1, at::kCPU,
                                    mask_network_of(mask_model(folder, 64), Network::mask, at::kCPU));
  std::vector<Clip> clips;
  for (std::uint64_t i = 0; i < 4; ++i) clips.push_back(masked_squares(config.model.clips, i));
  const at::Tensor input = network->read(pointers_to(clips));
  const at::Tensor of_discriminator = network->where_named("discriminator.");
  CHECK(network->rate_shares().masked_select(of_discriminator).max().item<float>() == 0.25F);
  CHECK(network->rate_shares().masked_select(of_discriminator.logical_not()).min().item<float>() == 1.0F);
  const auto step = [&](int number) {
    network->gradient().zero_();
    const at::Tensor loss = network->loss(input, {.training = config.training, .step = number});
    loss.backward();
    return loss.item<double>();
  };
  // At first either says about 1/2 of everything: two log 2 of the discriminator (0.9 log 1/2 + 0.1 log 1/2
  // is log 1/2) and one of the generator.
  CHECK(step(0) == Approx(3 * std::log(2.0)).margin(0.1));
  const torch::NoGradGuard no_gradients;
  CHECK(network->gradient().masked_select(of_discriminator).abs().sum().item<double>() > 0);
  CHECK(network->gradient().masked_select(of_discriminator.logical_not()).abs().sum().item<double>() > 0);
  for (int i = 1; i < 40; ++i) {
    {
      const torch::AutoGradMode gradients(true);
      step(i);
    }
    network->weights().sub_(network->gradient().masked_fill(of_discriminator.logical_not(), 0).sign() * 1e-3);
  }
  const std::vector<ClipSurprise> detections = network->score(pointers_to(clips));
  double mean = 0;
  for (const ClipSurprise& clip : detections)
    for (std::size_t t = 3; t < 7; ++t) mean += clip.errors.error[t] / (4.0 * 4.0);
  CHECK(mean < 0.4);  // real ones look real: 1 - 0.9 at best
}

TEST_CASE(
    "of a GAN the last model is kept, since its generator's error says nothing of the discriminator that "
    "detectors") {
  Folder folder;
  LearningConfig config = tiny(Network::gan);
  config.training.learning_rate = 0.3;  // too much for any generator: the first error is the least
  const TrainingResult result = train_tiny(config, folder / "run", mask_model(folder, 64));
  double least = 1e300;
  for (const auto& row : result.rows) least = std::min(least, row.validation_loss.value_or(least));
  REQUIRE(least < result.best_validation);
  CHECK(result.best_step == config.training.steps);
  CHECK(read_tensor_metadata(folder / "run/model.safetensors").at("startle.step") ==
        std::to_string(config.training.steps));
}

TEST_CASE("networks come back from files, and training goes on as if it had not been stopped") {
  Folder folder;
  for (const Network kind :
       {Network::mask, Network::slot, Network::predrnn, Network::cnn, Network::gan, Network::object}) {
    INFO(name(kind));
    LearningConfig config = tiny(kind);
    const std::filesystem::path masks = mask_model_network(config.model)
                                            ? mask_model(folder, config.model.clips.pixels)
                                            : std::filesystem::path();
    const std::filesystem::path whole = folder.path / name(kind) / "whole",
                                stopped = folder.path / name(kind) / "stopped";
    const TrainingResult expected = train_tiny(config, whole, masks);
    CHECK(train_tiny(config, stopped, masks, 7).end == TrainingResult::End::stopped);
    const TrainingResult resumed = train_tiny(config, stopped, masks);
    CHECK(resumed.first_step == 7);
    CHECK(losses(resumed.rows) == losses(expected.rows));
    const std::filesystem::path model = whole / "model.safetensors";
    CHECK(read_model_config(model) == config.model);
    CHECK(read_tensors(stopped / "checkpoint.safetensors").tensors.size() ==
          read_tensors(whole / "checkpoint.safetensors").tensors.size());
    if (!scores_clips(kind)) continue;

    const auto network = network_of(read_tensors(model), "model", at::kCPU);
    const auto scorer = load_scorer(model, {.threads = 1, .device = "cpu"}),
               untrained = load_untrained_scorer(model, config.training.seed,
                                                 {.threads = 1, .device = "cpu"});
    std::vector<Clip> clips;
    for (std::uint64_t i = 0; i < 3; ++i) clips.push_back(masked_squares(config.model.clips, 500 + i));
    const std::vector<FrameErrors> errors = scorer->errors(pointers_to(clips));
    const torch::NoGradGuard no_gradients;
    const std::vector<ClipSurprise> again = network->score(pointers_to(clips));
    for (std::size_t i = 0; i < 3; ++i) CHECK(errors[i].error == again[i].errors.error);
    const auto fresh = make_network(config.model, config.training.seed, at::kCPU, network->masks());
    CHECK(untrained->errors(pointers_to(clips))[1].error == fresh->score(pointers_to(clips))[1].errors.error);
    export_model(model, folder / "half.safetensors", true);
    CHECK(load_scorer(folder / "half.safetensors", {.threads = 1})->errors(pointers_to(clips))[0].error[6] ==
          Approx(errors[0].error[6]).epsilon(0.05));
    CHECK_THROWS_WITH(load_predictor(model), Catch::Contains("needed is one that predicts frames"));
    if (network->masks())
      CHECK(
          at::equal(mask_network_of(model, Network::mask, at::kCPU)->weights(), network->masks()->weights()));
    else
      CHECK_THROWS_WITH(mask_network_of(model, Network::mask, at::kCPU),
                        Catch::Contains("needed is one of network mask"));
    TensorFile broken = read_tensors(model);
    broken.metadata.erase("startle.mask_model");
    if (mask_model_network(config.model))
      CHECK_THROWS_WITH(network_of(broken, "x", at::kCPU), Catch::Contains("startle.mask_model"));
  }
}

TEST_CASE("networks that read masks say what they miss") {
  using Catch::Contains;
  Folder folder;
  const LearningConfig cnn = tiny(Network::cnn), object = tiny(Network::object);
  CHECK_THROWS_WITH(train_tiny(cnn, folder / "a", {}), Contains("mask model: none given"));
  const ClipSource plain = squares_source(object.model.clips, 8);
  CHECK_THROWS_WITH(train(object, plain, plain, {.out = folder / "b", .threads = 1, .device = "cpu"}),
                    Contains("has no masks"));
  CHECK_THROWS_WITH(
      train(object, plain, plain,
            {.out = folder / "c", .mask_model = mask_model(folder, 16), .threads = 1, .device = "cpu"}),
      Contains("reads no masks"));
  LearningConfig other = cnn;
  other.model.clips.frames = 9;
  CHECK_THROWS_WITH(train_tiny(other, folder / "d", mask_model(folder, 16)), Contains("another format"));
}

TEST_CASE("configurations of all networks come back from JSON, with their own keys alone") {
  using Catch::Contains;
  for (const Network kind : networks())
    for (const char* size : {"small", "reference"}) {
      LearningConfig config = learning_config(size, kind);
      if (kind == Network::predrnn || kind == Network::object) config.model.masks = true;
      CHECK(learning_config_from_json(learning_config_to_json(config), "x") == config);
      CHECK(model_config_from_json(model_config_to_json(config.model), "x") == config.model);
    }
  CHECK(model_config_to_json({}).find("network") == std::string::npos);  // as the first models were written
  CHECK(learning_config_from_json(R"({"model": {"network": "object"}})", "x").model ==
        learning_config("small", Network::object).model);
  CHECK_THROWS_WITH(model_config_from_json(R"({"network": "object", "kernel": 3})", "x"),
                    Contains("kernel") && Contains("slots"));
  CHECK_THROWS_WITH(model_config_from_json(R"({"network": "plato"})", "x"), Contains("network"));
  CHECK_THROWS_WITH(model_config_from_json(R"({"network": "cnn", "span": 13})", "x"),
                    Contains("less than clips/frames, 15"));
  CHECK_THROWS_WITH(model_config_from_json(R"({"network": "gan", "clips": {"pixels": 32}})", "x"),
                    Contains("clips/pixels: found 32"));
}

TEST_CASE(
    "the shipped models of probes are read, and beside each stands the configuration it was trained with") {
  for (const std::string suite : {"concepts", "freeform", "intphys"}) {
    int models = 0;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(STARTLE_TEST_FOLDER) /
                                                                 "../../../surprise/models" / suite)) {
      if (entry.path().extension() != ".safetensors") continue;
      CAPTURE(entry.path());
      ++models;
      CHECK_NOTHROW(load_scorer(entry.path(), {.threads = 1, .device = "cpu"}));
      std::filesystem::path trained = entry.path();
      const LearningConfig config = learning_config_from_json(read_file(trained.replace_extension(".json")),
                                                              trained.string());
      CHECK(config.model == read_model_config(entry.path()));
      CHECK(config.model.clips == (suite == "intphys" ? intphys_format() : probe_format()));
    }
    CHECK(models > 0);
  }
}
