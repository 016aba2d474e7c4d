#include "surprise/networks/tensor_file.hpp"

#include <cmath>
#include <cstring>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/random.hpp"
#include "surprise/networks/model_config.hpp"
#include "surprise/networks/predrnn.hpp"
#include "surprise/networks/schedule.hpp"
#include "tests/catch.hpp"
#include "tests/folder.hpp"

using namespace startle;

namespace {

struct TemporaryFile {
  testing::Folder folder;
  std::filesystem::path path = folder / "tensors.safetensors";
};

TensorFile sample() {
  Random random(1);
  TensorFile file;
  file.metadata = {{"a", "line\n\"quoted\""}, {"b", ""}};
  for (const auto& [name, shape] : std::map<std::string, std::vector<std::int64_t>>{
           {"one", {2, 3, 4}}, {"scalar", {}}, {"none", {0, 5}}, {"odd", {7}}}) {
    std::size_t count = 1;
    for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
    NamedTensor tensor{.shape = shape, .values = {}};
    for (std::size_t i = 0; i < count; ++i)
      tensor.values.push_back(static_cast<float>(random.uniform(-3, 3)));
    file.tensors[name] = tensor;
  }
  return file;
}

/// A file with that header and that many bytes of data.
std::string raw(const std::string& header, std::size_t data) {
  const std::uint64_t length = header.size();
  return std::string(reinterpret_cast<const char*>(&length), 8) + header + std::string(data, '\0');
}

std::string complaint(const std::string& bytes) {
  TemporaryFile file;
  write_file(file.path, bytes);
  try {
    read_tensors(file.path);
  } catch (const Error& error) {
    const std::string text = error.what();
    CHECK(text.find(file.path.string()) == 0);  // the file is named first
    return text;
  }
  return "none";
}

}  // namespace

TEST_CASE("tensors come back from a file as they were, and in half precision nearly so") {
  TemporaryFile file;
  const TensorFile written = sample();
  write_tensors(file.path, written);
  const TensorFile read = read_tensors(file.path);
  CHECK(read.metadata == written.metadata);
  CHECK(read_tensor_metadata(file.path) == written.metadata);
  REQUIRE(read.tensors.size() == 4);
  for (const auto& [name, tensor] : written.tensors) {
    CHECK(read.tensors.at(name).shape == tensor.shape);
    CHECK(read.tensors.at(name).values == tensor.values);
  }
  write_tensors(file.path, written, true);
  const TensorFile half = read_tensors(file.path);
  for (const auto& [name, tensor] : written.tensors)
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
      CHECK(half.tensors.at(name).values[i] ==
            Approx(tensor.values[i]).epsilon(std::ldexp(1.0, -11)));  // ten bits and the hidden one, rounded
}

TEST_CASE("the bytes of a file are those of the safetensors layout") {
  TemporaryFile file;
  write_tensors(file.path, {.tensors = {{"w", {.shape = {2}, .values = {1.0f, -2.0f}}}}, .metadata = {}});
  const std::string bytes = read_file(file.path);
  const std::string header = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  const std::string padded = header + std::string((8 - header.size() % 8) % 8, ' ');
  REQUIRE(bytes.size() == 8 + padded.size() + 8);
  CHECK(static_cast<std::size_t>(bytes[0]) == padded.size());
  CHECK(bytes.substr(1, 7) == std::string(7, '\0'));
  CHECK(bytes.substr(8, padded.size()) == padded);
  CHECK(bytes.substr(8 + padded.size()) == std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8));
}

TEST_CASE("files that are no tensor files are refused, with the place") {
  using Catch::Contains;
  const std::string good = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  REQUIRE(complaint(raw(good, 8)) == "none");
  CHECK_THAT(complaint(""), Contains("fewer than 8 bytes"));
  CHECK_THAT(complaint("PK\x03\x04 a torch archive, not ours"),
             Contains("no safetensors file or is cut short"));
  CHECK_THAT(complaint(raw(good, 8).substr(0, 30)), Contains("cut short"));
  CHECK_THAT(complaint(raw(good, 7)), Contains("need 8 bytes of data, found are 7"));
  CHECK_THAT(complaint(raw(good, 9)), Contains("need 8 bytes of data, found are 9"));
  CHECK_THAT(complaint(raw("{nonsense", 0)), Contains("parse error"));
  CHECK_THAT(complaint(raw("[]", 0)), Contains("an object"));
  CHECK_THAT(complaint(raw(R"({"w":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}})", 8)),
             Contains("/w/dtype"));
  CHECK_THAT(complaint(raw(R"({"w":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8)),
             Contains("its shape needs 12"));
  CHECK_THAT(complaint(raw(R"({"w":{"dtype":"F32","shape":[-2],"data_offsets":[0,8]}})", 8)),
             Contains("/w/shape/0"));
  CHECK_THAT(
      complaint(
          raw(R"({"w":{"dtype":"F32","shape":[2000000000,2000000000,2000000000],"data_offsets":[0,8]}})", 8)),
      Contains("more than 2^40"));
  CHECK_THAT(complaint(raw(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8)),
             Contains("its shape needs 8"));
  CHECK_THAT(
      complaint(raw(
          R"({"v":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},"w":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})",
          12)),
      Contains("begins at byte 4"));  // two tensors that share bytes
  CHECK_THAT(complaint(raw(R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12)),
             Contains("begins at byte 4"));  // bytes of no tensor
  CHECK_THROWS_WITH(read_tensors("/nowhere/model.safetensors"), Contains("cannot be read"));
  CHECK_THROWS_WITH(read_tensors("/tmp"), Contains("is a folder"));
}

TEST_CASE("values that are not finite are neither read nor written, with tensor and index") {
  using Catch::Contains;
  TemporaryFile file;
  const std::string single = R"({"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})",
                    half = R"({"w":{"dtype":"F16","shape":[2],"data_offsets":[0,4]}})";
  const auto with = [](const std::string& header, std::string values) {
    std::string bytes = raw(header, values.size());
    return bytes.replace(bytes.size() - values.size(), values.size(), values);
  };
  CHECK_THAT(complaint(with(single, std::string("\0\0\x80\x3f\0\0\xc0\x7f", 8))),
             Contains("tensor 'w': value 1: found nan, allowed are finite numbers"));
  CHECK_THAT(complaint(with(single, std::string("\0\0\x80\xff\0\0\xc0\x7f", 8))),
             Contains("tensor 'w': value 0: found -inf"));
  CHECK_THAT(complaint(with(half, std::string("\0\x3c\0\x7c", 4))),
             Contains("tensor 'w': value 1: found inf"));
  const auto write = [&](float value, bool as_half) {
    write_tensors(file.path, {.tensors = {{"w", {.shape = {2}, .values = {1.0f, value}}}}, .metadata = {}},
                  as_half);
  };
  CHECK_THROWS_WITH(write(std::nanf(""), false), Contains("value 1: found nan"));
  CHECK_THROWS_WITH(write(1e5f, true),
                    Contains("1e+05 as F16: value 0: found inf, allowed are finite numbers to 65504"));
  CHECK_NOTHROW(write(1e5f, false));
}

TEST_CASE("a model whose weights do not fit its configuration is refused") {
  using Catch::Contains;
  TemporaryFile file;
  const std::string config =
      R"({"layers": 1, "channels": 2, "kernel": 1, "patch": 4, "clips": {"frames": 4, "pixels": 8, "lead": 1}})";
  const auto tensor = [](std::vector<std::int64_t> shape) {
    std::size_t count = 1;
    for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
    return NamedTensor{.shape = shape, .values = std::vector<float>(count)};
  };
  const TensorFile good{.tensors = {{"layers.0.conv_x", tensor({14, 48, 1, 1})},
                                    {"layers.0.conv_h", tensor({8, 2, 1, 1})},
                                    {"layers.0.conv_m", tensor({6, 2, 1, 1})},
                                    {"layers.0.conv_o", tensor({2, 4, 1, 1})},
                                    {"layers.0.conv_last", tensor({2, 4, 1, 1})},
                                    {"conv_out", tensor({48, 2, 1, 1})}},
                        .metadata = {{"startle.model", config}}};
  const auto load = [&](const TensorFile& changed) {
    write_tensors(file.path, changed);
    load_predictor(file.path, {.threads = 1, .device = "cpu"});
  };
  CHECK_NOTHROW(load(good));
  TensorFile bad = good;
  bad.metadata.clear();
  CHECK_THROWS_WITH(load(bad), Contains("no model of Startle"));
  bad = good;
  bad.metadata["startle.model"] = R"({"channels": 2, "colour": 1})";
  CHECK_THROWS_WITH(load(bad), Contains("colour"));
  bad = good;
  bad.tensors["layers.0.conv_m"] = tensor({6, 3, 1, 1});
  CHECK_THROWS_WITH(load(bad),
                    Contains("layers.0.conv_m") &&
                        Contains("found shape [6, 3, 1, 1], the configuration needs [6, 2, 1, 1]"));
  bad = good;
  bad.tensors.erase("conv_out");
  CHECK_THROWS_WITH(load(bad), Contains("'conv_out' is missing"));
  bad = good;
  bad.tensors["layers.1.conv_x"] = tensor({1});
  CHECK_THROWS_WITH(load(bad), Contains("found 7 tensors, the configuration needs 6"));
  // Finite weights of which no prediction comes.
  bad = good;
  for (auto& [name, weights] : bad.tensors)
    for (std::size_t i = 0; i < weights.values.size(); ++i) weights.values[i] = i % 2 == 0 ? 3e38f : -3e38f;
  write_tensors(file.path, bad);
  const Clip clip{4, 8, std::vector<std::uint8_t>(4 * 8 * 8 * 3, 200), {}};
  CHECK_THROWS_WITH(load_predictor(file.path, {.threads = 1, .device = "cpu"})->predict({&clip}),
                    Contains("not finite"));
  CHECK_THROWS_WITH(load_predictor(file.path, {.threads = 1, .device = "cpu"})->score({&clip}),
                    Contains("not finite"));
  // In half precision and back in single.
  write_tensors(file.path, good);
  export_model(file.path, file.path, true);
  CHECK(read_model_config(file.path).channels == 2);
  CHECK(std::filesystem::file_size(file.path) < 2600);
}

TEST_CASE("configurations come back from JSON, and what cannot be is named") {
  using Catch::Contains;
  LearningConfig config = learning_config("reference");
  config.training.sampling = Sampling::reverse;
  config.training.precision = Precision::bfloat16;
  config.training.seed = 18446744073709551615u;
  config.training.learning_rate = 0.1 + 0.2;
  config.model.clips.lead = 5;
  CHECK_THAT(learning_config_to_json(config),
             !Contains("forget_bias") && !Contains("change_weight"));  // files of before stay equal
  config.model.forget_bias = 2.5;
  config.training.change_weight = 10;
  CHECK(learning_config_from_json(learning_config_to_json(config), "x") == config);
  CHECK(model_config_from_json(model_config_to_json(config.model), "x") == config.model);
  CHECK(learning_config_from_json("{}", "x") == LearningConfig{});
  CHECK(learning_config_from_json("{}", "x", learning_config("small")).model.residual);
  CHECK_FALSE(learning_config_from_json(R"({"model": {"residual": false}})", "x", learning_config("small"))
                  .model.residual);
  CHECK(learning_config_from_json(R"({"training": {"batch": 16}})", "x", config).model == config.model);
  CHECK_THROWS_WITH(learning_config("huge"), Contains("small and reference"));
  const auto refused = [](const std::string& text) {
    try {
      learning_config_from_json(text, "my.json");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  CHECK_THAT(refused(R"({"models": {}})"), Contains("models") && Contains("my.json"));
  CHECK_THAT(refused(R"({"model": {"kernal": 3}})"), Contains("kernal"));
  CHECK_THAT(refused(R"({"model": {"kernel": 4}})"), Contains("kernel: found 4, allowed are odd numbers"));
  CHECK_THAT(refused(R"({"model": {"layers": 0}})"), Contains("layers: found 0"));
  CHECK_THAT(refused(R"({"model": {"layers": 2.5}})"), Contains("/model/layers"));
  CHECK_THAT(refused(R"({"model": {"patch": 5}})"),
             Contains("patch: found 5, allowed are divisors of clips/pixels, 64"));
  CHECK_THAT(refused(R"({"model": {"clips": {"lead": 15}}})"), Contains("clips/lead"));
  CHECK_THAT(refused(R"({"model": {"forget_bias": 21}})"), Contains("forget_bias: found 21"));
  CHECK_THAT(refused(R"({"training": {"change_weight": -1}})"), Contains("training/change_weight: found -1"));
  CHECK_THAT(refused(R"({"model": {"network": "object"}, "training": {"change_weight": 1}})"),
             Contains("is 0 for network object"));
  CHECK_THAT(refused(R"({"training": {"batch": 1}})"), Contains("training/batch"));
  CHECK_THAT(refused(R"({"training": {"learning_rate": -1}})"), Contains("training/learning_rate: found -1"));
  CHECK_THAT(refused(R"({"training": {"beta2": 1}})"), Contains("training/beta2"));
  CHECK_THAT(refused(R"({"training": {"sampling": "forced"}})"), Contains("/training/sampling"));
  CHECK_THAT(refused(R"({"training": {"seed": -1}})"), Contains("/training/seed"));
  CHECK_THAT(refused(R"({"training": )"), Contains("parse error"));
}

TEST_CASE("the learning rate rises, then falls to nothing") {
  const TrainingConfig config{.steps = 1000, .learning_rate = 0.5, .warm_up = 0.1};
  CHECK(learning_rate_at(config, 0) == Approx(0.005));
  CHECK(learning_rate_at(config, 99) == Approx(0.5));
  CHECK(learning_rate_at(config, 100) == Approx(0.5));
  CHECK(learning_rate_at(config, 550) == Approx(0.25));  // half of the cosine
  CHECK(learning_rate_at(config, 999) < 1e-5);
  CHECK(learning_rate_at({.steps = 10, .learning_rate = 1, .warm_up = 0}, 0) == 1);
}

TEST_CASE("reverse scheduled sampling goes from halves to true frames") {
  TrainingConfig config{.steps = 3200};
  CHECK(own_input_share(config, 0) == 0);
  config.sampling = Sampling::reverse;
  CHECK(own_input_share(config, 999) == 0.5);
  CHECK(own_input_share(config, 1100) == Approx(0.5 * std::exp(-1.0)));  // decays by e in a 32nd of the
                                                                         // steps, 100
  CHECK(own_input_share(config, 1999) > 0);
  CHECK(own_input_share(config, 2000) == 0);
}

TEST_CASE("every clip comes once an epoch, in another order each time") {
  ClipOrder order(10, 3), again(10, 3);
  std::vector<std::vector<std::size_t>> epochs;
  for (std::uint64_t position = 0; position < 30; ++position) {
    if (position % 10 == 0) epochs.emplace_back();
    epochs.back().push_back(order.at(position));
  }
  CHECK(epochs[0] != epochs[1]);
  CHECK(epochs[1] != epochs[2]);
  CHECK(again.at(25) == epochs[2][5]);  // from anywhere
  CHECK(again.at(3) == epochs[0][3]);
  for (std::vector<std::size_t>& epoch : epochs) {
    std::sort(epoch.begin(), epoch.end());
    for (std::size_t i = 0; i < 10; ++i) CHECK(epoch[i] == i);
  }
}
