#include "surprise/networks/slot_network.hpp"

#include <torch/types.h>
#include <torch/utils.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "statistics/adjusted_rand_index.hpp"
#include "surprise/networks/learned_scorer.hpp"
#include "surprise/networks/object_network.hpp"
#include "surprise/networks/tensor_file.hpp"
#include "surprise/networks/trainer.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"
#include "tests/surprise/networks/moving_squares.hpp"

using namespace startle;
using startle::testing::Folder;

namespace {

const ClipFormat small_clips{.frames = 8, .pixels = 16};

LearningConfig finding_squares(int steps) {
  LearningConfig config = learning_config("small", Network::slot);
  config.model.clips = small_clips;
  config.model.channels = 16;
  config.model.slots = 4;
  config.training.steps = steps;
  config.training.learning_rate = 3e-3;
  config.training.validate_every = 100;
  config.training.validation_clips = 8;
  return config;
}

std::filesystem::path slot_model(const Folder& folder, int steps) {
  train(finding_squares(steps), squares_source(small_clips, 200), squares_source(small_clips, 8, 500),
        {.out = folder / "slots", .mask_model = {}, .threads = 1, .device = "cpu"});
  return folder / "slots/model.safetensors";
}

LearningConfig objects_found() {
  LearningConfig config = learning_config("small", Network::object);
  config.model.masks = true;
  config.model.clips = small_clips;
  config.model.channels = 8;
  config.model.slots = 4;
  config.training = {
      .batch = 4, .steps = 12, .validate_every = 5, .validation_clips = 4, .checkpoint_every = 4};
  return config;
}

/// Objects by hand, [1, T, 4, 9], as ObjectNetwork::read() gives them.
at::Tensor no_objects(std::int64_t frames) { return at::zeros({1, frames, 4, 9}, at::kFloat); }
void put(at::Tensor& clip, std::int64_t frame, std::int64_t row, double x, double red) {
  clip[0][frame][row][0] = 1;
  clip[0][frame][row][1] = x;
  clip[0][frame][row][5] = red;
}

/// An object network that finds its objects and predicts that nothing changes, and that each object is seen
/// with probability 1/2.
std::unique_ptr<LearnedNetwork> still_objects() {
  const ModelConfig slots = finding_squares(1).model;
  auto network = make_network(objects_found().model, 1, at::kCPU,
                              std::make_shared<SlotNetwork>(slots, 1, at::kCPU));
  const torch::NoGradGuard no_gradients;
  network->weights().zero_();
  return network;
}
double error_of(const LearnedNetwork& network, const at::Tensor& clips) {
  const torch::NoGradGuard no_gradients;
  return network.error(clips, {}).sum;
}

/// Pictures in which each group has a colour of its own, but for those that `alike` gives another one's.
std::vector<std::uint8_t> coloured(const std::vector<std::uint8_t>& groups,
                                   const std::map<int, int>& alike = {}) {
  std::vector<std::uint8_t> rgb;
  for (const std::uint8_t group : groups)
    for (int c = 0; c < 3; ++c)
      rgb.push_back(static_cast<std::uint8_t>(30 * (alike.contains(group) ? alike.at(group) : group)));
  return rgb;
}

}  // namespace

TEST_CASE("things are pieces that hang together, and what goes from side to side is background") {
  const std::vector<std::uint8_t> groups{
      0, 0, 0, 0, 0, 0, 0, 0,  //
      0, 5, 5, 0, 0, 5, 5, 5,  // two pieces of group 5: 4 pixels and 6
      0, 5, 5, 0, 0, 5, 5, 5,  //
      0, 0, 3, 3, 3, 3, 0, 0,  // no square of 2 x 2
      2, 0, 0, 0, 0, 0, 0, 0,  // group 2 stands in the first column and, far away, in the last: background
      0, 0, 4, 4, 0, 0, 0, 2,  //
      0, 0, 4, 4, 4, 0, 0, 2,  //
      1, 1, 1, 1, 1, 1, 1, 1};
  const std::vector<std::uint8_t> expected{0, 0, 0, 0, 0, 0, 0, 0,  //
                                           0, 4, 4, 0, 0, 2, 2, 2,  //
                                           0, 4, 4, 0, 0, 2, 2, 2,  //
                                           0, 0, 0, 0, 0, 0, 0, 0,  //
                                           0, 0, 0, 0, 0, 0, 0, 0,  //
                                           0, 0, 3, 3, 0, 0, 0, 0,  //
                                           0, 0, 3, 3, 3, 0, 0, 0,  //
                                           0, 0, 0, 0, 0, 0, 0, 0};
  CHECK(label_things(coloured(groups).data(), groups, 8) == expected);
  // A bar of group 4 behind a post of group 3: one thing. The two of group 6 have wall between them.
  const std::vector<std::uint8_t> hidden{0, 0, 0, 0, 0, 0, 0, 0,  //
                                         0, 0, 0, 3, 3, 0, 0, 0,  //
                                         0, 4, 4, 3, 3, 4, 4, 0,  //
                                         0, 4, 4, 3, 3, 4, 4, 0,  //
                                         0, 0, 0, 3, 3, 0, 0, 0,  //
                                         0, 0, 0, 0, 0, 0, 0, 0,  //
                                         0, 6, 6, 0, 0, 6, 6, 0,  //
                                         0, 6, 6, 0, 0, 6, 6, 0};
  const std::vector<std::uint8_t> whole{0, 0, 0, 0, 0, 0, 0, 0,  //
                                        0, 0, 0, 2, 2, 0, 0, 0,  //
                                        0, 3, 3, 2, 2, 3, 3, 0,  //
                                        0, 3, 3, 2, 2, 3, 3, 0,  //
                                        0, 0, 0, 2, 2, 0, 0, 0,  //
                                        0, 0, 0, 0, 0, 0, 0, 0,  //
                                        0, 4, 4, 0, 0, 5, 5, 0,  //
                                        0, 4, 4, 0, 0, 5, 5, 0};
  CHECK(label_things(coloured(hidden).data(), hidden, 8) == whole);
  CHECK_THROWS_WITH(label_things(coloured(groups).data(), groups, 7),
                    Catch::Contains("found 64 pixels, needed are 49"));
  // Wall above what is between them: two screens, and a thing behind both.
  const std::vector<std::uint8_t> screens{0, 0, 0, 0, 0, 0, 0, 0,  //
                                          0, 4, 4, 0, 0, 4, 4, 0,  //
                                          0, 4, 4, 0, 0, 4, 4, 0,  //
                                          0, 4, 4, 3, 3, 4, 4, 0,  //
                                          0, 4, 4, 3, 3, 4, 4, 0,  //
                                          0, 4, 4, 0, 0, 4, 4, 0,  //
                                          0, 0, 0, 0, 0, 0, 0, 0,  //
                                          0, 0, 0, 0, 0, 0, 0, 0};
  const std::vector<std::uint8_t> two = label_things(coloured(screens).data(), screens, 8);
  CHECK(std::set<std::uint8_t>(two.begin(), two.end()) == std::set<std::uint8_t>{0, 2, 3, 4});
  const std::vector<std::uint8_t> all(16, 3);
  CHECK(label_things(coloured(all).data(), all, 4) == std::vector<std::uint8_t>(16, 0));
  // Two groups share a thing of one colour, and the one above it is not even.
  const std::vector<std::uint8_t> shared{0, 0, 0, 0, 0, 0, 0, 0,  //
                                         0, 6, 6, 0, 0, 0, 0, 0,  //
                                         0, 6, 6, 0, 0, 0, 0, 0,  //
                                         0, 4, 4, 5, 5, 5, 0, 0,  //
                                         0, 4, 4, 5, 5, 5, 0, 0,  //
                                         0, 4, 4, 5, 5, 5, 0, 0,  //
                                         0, 0, 0, 0, 0, 0, 0, 0,  //
                                         1, 1, 1, 1, 1, 1, 1, 1};
  std::vector<std::uint8_t> rgb = coloured(shared, {{5, 4}}), one(shared.size(), 0);
  rgb[3 * (8 + 1)] = 77;
  for (std::size_t i = 0; i < one.size(); ++i) one[i] = shared[i] == 4 || shared[i] == 5 ? 2 : 0;
  CHECK(label_things(rgb.data(), shared, 8) == one);
  // A block on another one: one group gives them both, or a row of the lower one to the upper one.
  const std::vector<std::uint8_t> stacked{0, 0, 0, 0, 0, 0, 0, 0,  //
                                          0, 0, 6, 6, 6, 0, 0, 0,  //
                                          0, 0, 6, 6, 6, 0, 0, 0,  //
                                          0, 4, 4, 4, 4, 4, 0, 0,  //
                                          0, 4, 4, 4, 4, 4, 0, 0,  //
                                          0, 4, 4, 4, 4, 4, 0, 0,  //
                                          0, 0, 0, 0, 0, 0, 0, 0,  //
                                          1, 1, 1, 1, 1, 1, 1, 1};
  std::vector<std::uint8_t> apart(stacked), as_one(stacked), row_too_many(stacked);
  for (std::size_t i = 0; i < stacked.size(); ++i) {
    apart[i] = stacked[i] == 4 ? 2 : stacked[i] == 6 ? 3 : 0;
    if (stacked[i] == 6) as_one[i] = 4;
    if (stacked[i] == 4 && i < 4 * 8) row_too_many[i] = 6;
  }
  for (const auto& found : {stacked, as_one, row_too_many})
    CHECK(label_things(coloured(stacked).data(), found, 8) == apart);
  // A pixel of the wall's colour that is said to be of another group is no thing.
  std::vector<std::uint8_t> speck(64, 0);
  speck[27] = 7;
  CHECK(label_things(coloured(speck, {{7, 0}}).data(), speck, 8) == std::vector<std::uint8_t>(64, 0));
}

TEST_CASE("a slot network finds squares that nobody shows it") {
  Folder folder;
  const auto trained = network_of(read_tensors(slot_model(folder, 500)), "slots", at::kCPU);
  const torch::NoGradGuard no_gradients;
  const SlotNetwork untrained(trained->config(), 1, at::kCPU);
  const auto mean_agreement = [](const SlotNetwork& network,
                                 at::Tensor (SlotNetwork::*find)(const at::Tensor&) const) {
    double sum = 0, count = 0;
    for (std::uint64_t number = 900; number < 920; ++number) {
      const Clip clip = moving_squares(small_clips, number);
      const at::Tensor labels = (network.*find)(stack_clips({&clip}, small_clips).flatten(0, 1));
      for (int t = 0; t < clip.frames; ++t) {
        std::vector<std::uint8_t> truth;
        for (std::size_t i = 0; i < 256; ++i)
          truth.push_back(clip.frame(t)[3 * i] > 0 ? 2 : clip.frame(t)[3 * i + 1] > 0 ? 3 : 0);
        const std::uint8_t* found = labels[t].data_ptr<std::uint8_t>();
        sum += adjusted_rand_index(truth, {found, found + 256});
        count += 1;
      }
    }
    return sum / count;
  };
  const auto& learned = dynamic_cast<const SlotNetwork&>(*trained);
  CHECK(mean_agreement(learned, &SlotNetwork::things) > 0.95);
  // These squares have a colour each, by which label_things() parts them untrained, too. So what was learned
  // shows in the groups, and in how well the slots draw the frames.
  CHECK(mean_agreement(learned, &SlotNetwork::groups) > 0.9);
  CHECK(mean_agreement(untrained, &SlotNetwork::groups) < 0.75);
  const auto mean_error = [](const LearnedNetwork& network) {
    std::vector<Clip> clips;
    for (std::uint64_t number = 900; number < 920; ++number)
      clips.push_back(moving_squares(small_clips, number));
    std::vector<const Clip*> batch;
    for (const Clip& clip : clips) batch.push_back(&clip);
    const ErrorSum error = network.error(network.read(batch), {});
    return error.sum / error.count;
  };
  CHECK(mean_error(*trained) < 0.25 * mean_error(untrained));
  CHECK_THROWS_WITH(load_scorer(folder / "slots/model.safetensors"),
                    Catch::Contains("network slot, which scores no clips"));
}

TEST_CASE("objects found are the same whatever the order in which they are found") {
  const auto network = make_network(objects_found().model, 7, at::kCPU,
                                    std::make_shared<SlotNetwork>(finding_squares(1).model, 1, at::kCPU));
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    at::Tensor clip = no_objects(8), shuffled = no_objects(8);
    for (std::int64_t t = 0; t < 8; ++t) {
      std::vector<std::int64_t> order{0, 1, 2, 3};
      if (t > 0) random.shuffle(order);  // in the first frame the order says which slot they get
      for (std::int64_t i = 0; i < 3; ++i) {
        if (t > 0 && random.chance(0.3)) continue;
        const double x = static_cast<double>(i) + 0.1 * static_cast<double>(t),
                     red = 0.3 * static_cast<double>(i);
        put(clip, t, i, x, red);
        put(shuffled, t, order[static_cast<std::size_t>(i)], x, red);
      }
    }
    CHECK(error_of(*network, shuffled) == Approx(error_of(*network, clip)).epsilon(1e-5));
  }
}

TEST_CASE("an object that was hidden comes back as itself, one that cannot be it is new") {
  const auto network = still_objects();
  // Seen at x = 1, hidden for two frames, back 1.2 farther: 1.44, within 2, and places count nine times. Of
  // four slots at four steps each is 1/2 off its probability: 4 x 4 x .25.
  at::Tensor clip = no_objects(5);
  put(clip, 0, 2, 1, 0.5);
  put(clip, 1, 0, 1, 0.5);
  put(clip, 4, 1, 2.2, 0.5);
  CHECK(error_of(*network, clip) == Approx(9 * 1.44 + 4));
  // 1.5 farther, 2.25, is a new object, which costs 6.
  clip[0][4] = 0;
  put(clip, 4, 1, 2.5, 0.5);
  CHECK(error_of(*network, clip) == Approx(6 + 4));
  // Of sizes a quarter counts, so that what is half hidden is still itself: 2.5 wider is 1.56 away and costs
  // 9 x 6.25, 3 wider is 2.25 away and new.
  for (const auto& [wider, error] : {std::pair{2.5, 9 * 6.25}, std::pair{3.0, 6.0}}) {
    at::Tensor hidden = no_objects(2);
    put(hidden, 0, 0, 1, 0);
    put(hidden, 1, 0, 1, 0);
    hidden[0][1][0][3] = wider;
    CHECK(error_of(*network, hidden) == Approx(error + 1));
  }
  // Of two things near one object the nearer is it: .3 and not .4 away; the other is new. Both together are
  // in some order all the same.
  for (const bool swap : {false, true}) {
    at::Tensor two = no_objects(2);
    put(two, 0, 0, 1, 0);
    put(two, 1, swap ? 1 : 0, 1.4, 0);
    put(two, 1, swap ? 0 : 1, 0.7, 0);
    CHECK(error_of(*network, two) == Approx(9 * 0.09 + 6 + 1));
  }
  // A fifth thing finds no slot, and nothing breaks.
  at::Tensor many = no_objects(2);
  for (std::int64_t i = 0; i < 4; ++i) {
    put(many, 0, i, 10.0 * static_cast<double>(i), 0);
    put(many, 1, i, 10.0 * static_cast<double>(i) + 5, 0);
  }
  CHECK(error_of(*network, many) == Approx(1));
}

TEST_CASE("training with objects found needs no masks, and goes on as if it had not been stopped") {
  using Catch::Contains;
  Folder folder;
  const std::filesystem::path slots = slot_model(folder, 20);
  const LearningConfig config = objects_found();
  const auto run = [&](const std::filesystem::path& out, const std::filesystem::path& masks,
                       int stop_after = 1000) {
    int steps = 0;
    return train(config, squares_source(small_clips, 20), squares_source(small_clips, 4, 500),
                 {.out = out,
                  .mask_model = masks,
                  .threads = 1,
                  .device = "cpu",
                  .keep_going = [&] { return steps < stop_after; },
                  .on_step = [&](const TrainingProgress&) { ++steps; }});
  };
  const TrainingResult whole = run(folder / "whole", slots);
  CHECK(run(folder / "stopped", slots, 7).end == TrainingResult::End::stopped);
  CHECK(run(folder / "stopped", slots).best_validation == whole.best_validation);
  const Clip clip = moving_squares(small_clips, 5);
  const auto scorer = load_scorer(folder / "whole/model.safetensors", {.threads = 1, .device = "cpu"});
  CHECK(scorer->errors({&clip, &clip})[0].error ==
        load_scorer(folder / "stopped/model.safetensors", {.threads = 1, .device = "cpu"})
            ->errors({&clip, &clip})[0]
            .error);
  CHECK(scorer->errors({&clip, &clip})[0].error.size() == 7);

  CHECK_THROWS_WITH(run(folder / "none", {}), Contains("mask model: none given"));
  // A model with objects found holds such a network, and lends it.
  CHECK(run(folder / "lent", folder / "whole/model.safetensors").best_validation == whole.best_validation);
  write_tensors(folder / "other.safetensors",
                model_file(*make_network(learning_config("small", Network::motion).model, 1, at::kCPU)));
  CHECK_THROWS_WITH(run(folder / "other", folder / "other.safetensors"),
                    Contains("found a model of network motion, needed is one of network slot"));
  CHECK_THROWS_WITH(make_network(config.model, 1, at::kCPU,
                                 std::shared_ptr<const LearnedNetwork>(make_network(
                                     learning_config("small", Network::slot).model, 1, at::kCPU))),
                    Contains("another format"));
}
