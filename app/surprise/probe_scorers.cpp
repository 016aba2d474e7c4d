#include "app/surprise/probe_scorers.hpp"

#include <algorithm>
#include <filesystem>

#include "app/command.hpp"
#include "app/surprise/named_scorer.hpp"
#include "app/surprise/surprise_detector.hpp"
#include "core/error.hpp"
#include "surprise/prediction_file.hpp"
#include "surprise/predictor.hpp"

namespace startle {
namespace {

/// "model" where it is the only one; else the name of its file, or of the folder of a model.safetensors, as
/// runs of training call theirs.
std::string model_name(const std::filesystem::path& path, std::size_t models) {
  if (models == 1) return "model";
  const std::string stem = path.stem().string();
  return stem == "model" ? std::filesystem::absolute(path).parent_path().filename().string() : stem;
}

/// An untrained network among the controls.
struct Untrained {
  std::string name;
  std::string like;  ///< model file of its kind; empty: a PredRNN
};

/// One of each kind of model: an untrained network of one kind says nothing of another. A PredRNN where there
/// is neither model nor predictions.
std::vector<Untrained> untrained_controls(const std::vector<std::string>& models, bool predictions) {
  if (models.size() == 1) return {{"untrained", models[0]}};
  std::vector<Untrained> untrained;
  for (const std::string& path : models) {
    const ModelConfig config = read_model_config(path);
    const std::string kind = std::string("untrained ") + name(config.network) +
                             (!config.masks                       ? ""
                              : config.network == Network::object ? ", found"
                                                                  : " on masks");
    if (std::none_of(untrained.begin(), untrained.end(), [&](const Untrained& u) { return u.name == kind; }))
      untrained.push_back({kind, path});
  }
  if (models.empty() && !predictions) untrained.push_back({"untrained", ""});
  return untrained;
}

std::vector<std::string> names_of_controls(const std::vector<Untrained>& untrained) {
  std::vector<std::string> controls;
  for (const Untrained& control : untrained) controls.push_back(control.name);
  for (const auto& control : make_controls()) controls.push_back(control->name());
  return controls;
}

}  // namespace

std::vector<ClipScorer*> ProbeScorers::pointers() const {
  std::vector<ClipScorer*> pointers;
  for (const auto& scorer : all) pointers.push_back(scorer.get());
  return pointers;
}

ProbeScorers load_probe_scorers(const ProbeCommandOptions& options, const ClipFormat& clips,
                                std::uint64_t seed) {
  const std::vector<std::string>&predictions = options.predictions, &models = options.models;
  const PredictionOptions prediction{.threads = options.threads};
  const std::vector<Untrained> untrained = untrained_controls(models, !predictions.empty());
  const std::vector<std::string> controls = names_of_controls(untrained);
  for (const std::string& path : predictions)
    require_other_name(path, std::filesystem::path(path).stem().string(), controls);
  for (const std::string& path : models) require_other_name(path, model_name(path, models.size()), controls);
  ProbeScorers scorers{.all = {},
                       .models = predictions.size() + models.size(),
                       .untrained = untrained.size(),
                       .predictions = predictions.size()};
  // Before all others: where a clip is missing the run ends early.
  for (const std::string& path : predictions) {
    auto scorer = load_predictions(path, clips);
    const std::string name = unique_name(scorer->name(), scorers.all);
    scorers.all.push_back(std::make_unique<NamedScorer>(name, std::move(scorer)));
    scorers.model_hashes.push_back(model_hash(path));
  }
  for (std::size_t i = 0; i < models.size(); ++i) {
    const std::filesystem::path path = models[i];
    const ModelConfig of_model = read_model_config(path);
    if (of_model.clips.frames != clips.frames || of_model.clips.pixels != clips.pixels)
      throw Error(path.string() + ": reads clips of " + std::to_string(of_model.clips.frames) +
                  " frames of " + std::to_string(of_model.clips.pixels) + " pixels, these tests have " +
                  std::to_string(clips.frames) + " of " + std::to_string(clips.pixels));
    if (!(of_model.clips == clips) && !options.quiet)
      report(path.string() + ": was trained on clips of other scenes than these tests");
    scorers.all.push_back(std::make_unique<NamedScorer>(
        unique_name(model_name(path, models.size()), scorers.all), load_scorer(path, prediction)));
    scorers.model_hashes.push_back(model_hash(path));
  }
  for (const Untrained& control : untrained) {
    ModelConfig config;
    config.clips = clips;
    scorers.all.push_back(std::make_unique<NamedScorer>(
        control.name, control.like.empty() ? make_untrained(config, seed, prediction)
                                           : load_untrained_scorer(control.like, seed, prediction)));
  }
  for (auto& control : make_controls()) scorers.all.push_back(std::move(control));
  return scorers;
}

std::string scorers_command(const ProbeCommandOptions& o) {
  std::string command = "startle probe --suite " + o.suite;
  for (std::size_t i = 0; i < o.predictions.size(); ++i) command += i == 0 ? " --predictions FILE" : " FILE";
  for (std::size_t i = 0; i < o.models.size(); ++i) command += i == 0 ? " --model FILE" : " FILE";
  return command;
}

}  // namespace startle
