#include "surprise/networks/model_config.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/json_tree.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

struct Checker {
  const std::string& source;

  void require(bool good, const std::string& key, const std::string& found,
               const std::string& allowed) const {
    if (!good) throw Error(source + ": " + key + ": found " + found + ", allowed " + allowed);
  }
  void range(int value, int least, int most, const std::string& key) const {
    require(value >= least && value <= most, key, std::to_string(value),
            "are whole numbers from " + std::to_string(least) +
                (most < 1'000'000'000 ? " to " + std::to_string(most) : " on"));
  }
  void positive(double value, const std::string& key) const {
    require(value > 0 && value <= 1e6, key, number_text(value), "are numbers > 0 and <= 1000000");
  }
  void share(double value, const std::string& key) const {
    require(value >= 0 && value < 1, key, number_text(value), "are numbers in [0, 1)");
  }
};

constexpr int unlimited = 1'000'000'000;

const char* name(Sampling sampling) { return sampling == Sampling::teacher ? "teacher" : "reverse"; }
const char* name(Precision precision) { return precision == Precision::float32 ? "float32" : "bfloat16"; }

/// The keys of a network and where their values lie, in the order in which they are written.
struct Member {
  const char* key;
  int ModelConfig::*number = nullptr;
  bool ModelConfig::*flag = nullptr;
  double ModelConfig::*real = nullptr;
};
const std::vector<Member>& members(Network network) {
  static const std::vector<Member> predrnn{{"masks", nullptr, &ModelConfig::masks},
                                           {"layers", &ModelConfig::layers},
                                           {"channels", &ModelConfig::channels},
                                           {"kernel", &ModelConfig::kernel},
                                           {"patch", &ModelConfig::patch},
                                           {"residual", nullptr, &ModelConfig::residual},
                                           {"forget_bias", nullptr, nullptr, &ModelConfig::forget_bias}},
      mask{{"channels", &ModelConfig::channels},
           {"code", &ModelConfig::code},
           {"occluders_from", &ModelConfig::occluders_from}},
      cnn{{"channels", &ModelConfig::channels},
          {"code", &ModelConfig::code},
          {"span", &ModelConfig::span},
          {"history", &ModelConfig::history}},
      gan{{"channels", &ModelConfig::channels},
          {"span", &ModelConfig::span},
          {"history", &ModelConfig::history}},
      object{{"masks", nullptr, &ModelConfig::masks},
             {"channels", &ModelConfig::channels},
             {"slots", &ModelConfig::slots},
             {"occluders_from", &ModelConfig::occluders_from}},
      slot{{"channels", &ModelConfig::channels}, {"slots", &ModelConfig::slots}},
      motion{{"layers", &ModelConfig::layers},
             {"channels", &ModelConfig::channels},
             {"kernel", &ModelConfig::kernel},
             {"patch", &ModelConfig::patch}};
  switch (network) {
    case Network::predrnn:
      return predrnn;
    case Network::mask:
      return mask;
    case Network::cnn:
      return cnn;
    case Network::gan:
      return gan;
    case Network::object:
      return object;
    case Network::slot:
      return slot;
    case Network::motion:
      return motion;
  }
  return predrnn;
}

std::string model_members(const ModelConfig& config, const std::string& indent) {
  const ClipFormat& clips = config.clips;
  std::string text;
  // What the first models did not know is written only where it says something, so that their files stay
  // equal to what is written now.
  if (config.network != Network::predrnn)
    text += indent + "\"network\": " + quoted(name(config.network)) + ",\n";
  for (const Member& member : members(config.network)) {
    if (member.flag == &ModelConfig::masks && !config.masks) continue;
    if (member.real == &ModelConfig::forget_bias && config.forget_bias == ModelConfig{}.forget_bias) continue;
    const std::string value = member.flag   ? (config.*member.flag ? "true" : "false")
                              : member.real ? number_text(config.*member.real)
                                            : std::to_string(config.*member.number);
    text += indent + quoted(member.key) + ": " + value + ",\n";
  }
  return text + indent + "\"clips\": {\"frames\": " + std::to_string(clips.frames) +
         ", \"pixels\": " + std::to_string(clips.pixels) + ", \"stride\": " + std::to_string(clips.stride) +
         ", \"lead\": " + std::to_string(clips.lead) + ", \"view\": " + number_text(clips.view) + "}";
}

void read_int(const JsonView& json, const char* key, int& value) {
  if (json.has(key)) value = json.at(key).integer_from(0);
}
void read_number(const JsonView& json, const char* key, double& value) {
  if (json.has(key)) value = json.at(key).number();
}

ModelConfig model_from(const JsonView& json, ModelConfig config) {
  if (json.has("network")) {
    std::vector<std::string> names;
    for (const Network network : networks()) names.emplace_back(name(network));
    const Network network = network_from_name(json.at("network").string_of(names));
    if (network != config.network) {
      const ClipFormat clips = config.clips;
      config = learning_config("small", network).model;
      config.clips = clips;
    }
  }
  for (const auto& [key, value] : json.members()) {
    if (key == "network" || key == "clips") continue;
    const auto& known = members(config.network);
    const auto member = std::find_if(known.begin(), known.end(),
                                     [&key = key](const Member& m) { return key == m.key; });
    if (member == known.end()) {
      std::string keys = "network, ";
      for (const Member& m : known) keys += std::string(m.key) + ", ";
      json.fail("the keys " + keys + "clips of network " + name(config.network) + ", not '" + key + "'");
    }
    if (member->flag)
      config.*member->flag = value.boolean();
    else if (member->real)
      config.*member->real = value.number();
    else
      config.*member->number = value.integer_from(0);
  }
  if (json.has("clips")) {
    const JsonView clips = json.at("clips");
    clips.expect_keys({}, {"frames", "pixels", "stride", "lead", "view"});
    read_int(clips, "frames", config.clips.frames);
    read_int(clips, "pixels", config.clips.pixels);
    read_int(clips, "stride", config.clips.stride);
    read_int(clips, "lead", config.clips.lead);
    read_number(clips, "view", config.clips.view);
  }
  return config;
}

TrainingConfig training_from(const JsonView& json, TrainingConfig config) {
  json.expect_keys({}, {"batch", "steps", "learning_rate", "warm_up", "clip_norm", "beta1", "beta2",
                        "sampling", "change_weight", "precision", "seed", "validate_every",
                        "validation_clips", "patience", "checkpoint_every"});
  read_int(json, "batch", config.batch);
  read_int(json, "steps", config.steps);
  read_number(json, "learning_rate", config.learning_rate);
  read_number(json, "warm_up", config.warm_up);
  read_number(json, "clip_norm", config.clip_norm);
  read_number(json, "beta1", config.beta1);
  read_number(json, "beta2", config.beta2);
  if (json.has("sampling"))
    config.sampling = json.at("sampling").string_of({name(Sampling::teacher), name(Sampling::reverse)}) ==
                              name(Sampling::teacher)
                          ? Sampling::teacher
                          : Sampling::reverse;
  read_number(json, "change_weight", config.change_weight);
  if (json.has("precision"))
    config.precision =
        json.at("precision").string_of({name(Precision::float32), name(Precision::bfloat16)}) ==
                name(Precision::float32)
            ? Precision::float32
            : Precision::bfloat16;
  if (json.has("seed")) config.seed = json.at("seed").natural();
  read_int(json, "validate_every", config.validate_every);
  read_int(json, "validation_clips", config.validation_clips);
  read_int(json, "patience", config.patience);
  read_int(json, "checkpoint_every", config.checkpoint_every);
  return config;
}

}  // namespace

const std::vector<Network>& networks() {
  static const std::vector<Network> all{Network::predrnn, Network::mask, Network::cnn,   Network::gan,
                                        Network::object,  Network::slot, Network::motion};
  return all;
}

const char* name(Network network) {
  switch (network) {
    case Network::predrnn:
      return "predrnn";
    case Network::mask:
      return "mask";
    case Network::cnn:
      return "cnn";
    case Network::gan:
      return "gan";
    case Network::object:
      return "object";
    case Network::slot:
      return "slot";
    case Network::motion:
      return "motion";
  }
  return "";
}

Network network_from_name(const std::string& text) {
  for (const Network network : networks())
    if (text == name(network)) return network;
  throw Error("network: found '" + text + "', allowed are predrnn, mask, cnn, gan, object, slot and motion");
}

bool scores_clips(Network network) { return network != Network::mask && network != Network::slot; }

std::optional<Network> mask_model_network(const ModelConfig& config) {
  if (config.network == Network::object && config.masks) return Network::slot;
  if (config.network == Network::cnn || config.network == Network::gan ||
      (config.network == Network::predrnn && config.masks))
    return Network::mask;
  return {};
}

LearningConfig learning_config(const std::string& size, Network network) {
  if (size != "small" && size != "reference")
    throw Error("--size: found '" + size + "', allowed are small and reference");
  const bool small = size == "small";
  LearningConfig config;
  config.model.network = network;
  TrainingConfig& training = config.training;
  if (network != Network::predrnn) {
    config.model.channels = network == Network::object || !small ? 64 : network == Network::slot ? 32 : 16;
    if (small && (network == Network::mask || network == Network::cnn)) config.model.code = 128;
    if (network == Network::gan) {  // [IntPhys §3.1.3], after Radford et al. 2016
      training.learning_rate = 8e-4;
      training.beta1 = 0.5;
    }
    if (network == Network::motion) {
      config.model.layers = small ? 1 : 2;
      config.model.channels = small ? 32 : 64;
    }
    training.beta2 = 0.999;
    if (!small) {
      training.batch = 64;
      training.steps = 50000;
      training.validate_every = 1000;
    }
    return config;
  }
  if (small) {
    config.model.residual = true;
    return config;
  }
  config.model.channels = 128;
  training.batch = 64;
  training.learning_rate = 3e-4;
  training.steps = 50000;
  training.validate_every = 1000;
  return config;
}

void validate(const ModelConfig& config, const std::string& source) {
  const Checker check{source};
  check.range(config.layers, 1, 16, "layers");
  check.range(config.code, 1, 65536, "code");
  check.range(config.slots, 1, 64, "slots");
  check.range(config.occluders_from, 2, 256, "occluders_from");
  if (config.network == Network::cnn || config.network == Network::gan) {
    check.range(config.span, 1, 999, "span");
    check.range(config.history, 1, 999, "history");
    check.require(
        config.span + config.history < config.clips.frames, "span",
        std::to_string(config.span) + " with history " + std::to_string(config.history),
        "are spans and histories that add to less than clips/frames, " + std::to_string(config.clips.frames));
  }
  if (config.network == Network::mask || config.network == Network::cnn)
    check.require(config.clips.pixels % 8 == 0, "clips/pixels", std::to_string(config.clips.pixels),
                  "are multiples of 8 for network " + std::string(name(config.network)));
  if (config.network == Network::gan)
    check.require(config.clips.pixels == 64, "clips/pixels", std::to_string(config.clips.pixels),
                  "is 64 for network gan");
  if (config.network == Network::slot)
    check.require(config.clips.pixels % 2 == 0, "clips/pixels", std::to_string(config.clips.pixels),
                  "are even numbers for network slot");
  check.range(config.channels, 1, 1024, "channels");
  check.range(config.kernel, 1, 15, "kernel");
  check.require(config.kernel % 2 == 1, "kernel", std::to_string(config.kernel), "are odd numbers");
  check.range(config.clips.frames, 3, 1000, "clips/frames");
  check.range(config.clips.pixels, 4, 1024, "clips/pixels");
  check.range(config.clips.stride, 1, 1000, "clips/stride");
  check.range(config.clips.lead, 0, config.clips.frames - 1, "clips/lead");
  check.positive(config.clips.view, "clips/view");
  if (config.network == Network::motion) {
    check.range(config.patch, 1, crop_pixels, "patch");
    check.require(crop_pixels % config.patch == 0, "patch", std::to_string(config.patch),
                  "are divisors of the width of a crop, " + std::to_string(crop_pixels));
  }
  if (config.network == Network::predrnn) {
    check.require(config.forget_bias >= -20 && config.forget_bias <= 20, "forget_bias",
                  number_text(config.forget_bias), "are numbers from -20 to 20");
    check.range(config.patch, 1, config.clips.pixels, "patch");
    check.require(config.clips.pixels % config.patch == 0, "patch", std::to_string(config.patch),
                  "are divisors of clips/pixels, " + std::to_string(config.clips.pixels));
  }
}

void validate(const LearningConfig& config, const std::string& source) {
  validate(config.model, source);
  const TrainingConfig& training = config.training;
  const Checker check{source};
  check.range(training.batch, 2, 65536, "training/batch");
  check.range(training.steps, 1, unlimited, "training/steps");
  check.positive(training.learning_rate, "training/learning_rate");
  check.share(training.warm_up, "training/warm_up");
  check.positive(training.clip_norm, "training/clip_norm");
  check.share(training.beta1, "training/beta1");
  check.share(training.beta2, "training/beta2");
  check.require(training.change_weight >= 0 && training.change_weight <= 1e6, "training/change_weight",
                number_text(training.change_weight), "are numbers from 0 to 1000000");
  check.require(training.change_weight == 0 || config.model.network == Network::predrnn,
                "training/change_weight", number_text(training.change_weight),
                "is 0 for network " + std::string(name(config.model.network)));
  check.range(training.validate_every, 1, unlimited, "training/validate_every");
  check.range(training.validation_clips, 2, unlimited, "training/validation_clips");
  check.range(training.patience, 0, unlimited, "training/patience");
  check.range(training.checkpoint_every, 1, unlimited, "training/checkpoint_every");
}

std::string model_config_to_json(const ModelConfig& config) {
  return "{\n" + model_members(config, "  ") + "\n}\n";
}

ModelConfig model_config_from_json(const std::string& text, const std::string& source) {
  const JsonNode root = parse_json(text, source);
  const ModelConfig config = model_from(JsonView(root, source), {});
  validate(config, source);
  return config;
}

std::string learning_config_to_json(const LearningConfig& config) {
  const TrainingConfig& t = config.training;
  std::string text = "{\n  \"model\": {\n" + model_members(config.model, "    ") +
                     "\n  },\n  \"training\": {\n";
  const auto line = [&](const char* key, const std::string& value, bool last = false) {
    text += "    \"" + std::string(key) + "\": " + value + (last ? "\n" : ",\n");
  };
  line("batch", std::to_string(t.batch));
  line("steps", std::to_string(t.steps));
  line("learning_rate", number_text(t.learning_rate));
  line("warm_up", number_text(t.warm_up));
  line("clip_norm", number_text(t.clip_norm));
  line("beta1", number_text(t.beta1));
  line("beta2", number_text(t.beta2));
  line("sampling", quoted(name(t.sampling)));
  if (t.change_weight != 0) line("change_weight", number_text(t.change_weight));
  line("precision", quoted(name(t.precision)));
  line("seed", std::to_string(t.seed));
  line("validate_every", std::to_string(t.validate_every));
  line("validation_clips", std::to_string(t.validation_clips));
  line("patience", std::to_string(t.patience));
  line("checkpoint_every", std::to_string(t.checkpoint_every), true);
  return text + "  }\n}\n";
}

LearningConfig learning_config_from_json(const std::string& text, const std::string& source,
                                         const LearningConfig& base) {
  const JsonNode root = parse_json(text, source);
  const JsonView json(root, source);
  json.expect_keys({}, {"model", "training"});
  LearningConfig config = base;
  if (json.has("model")) config.model = model_from(json.at("model"), base.model);
  if (json.has("training")) config.training = training_from(json.at("training"), base.training);
  validate(config, source);
  return config;
}

}  // namespace startle
