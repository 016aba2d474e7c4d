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

/// The name, with a number where several are called so: tables and results.json say predictors by their
/// names.
std::string unique_name(const std::string& name, const std::vector<std::unique_ptr<ClipScorer>>& before) {
  std::string unique = name;
  const auto taken = [&](const std::unique_ptr<ClipScorer>& predictor) {
    return predictor->name() == unique;
  };
  for (int i = 2; std::any_of(before.begin(), before.end(), taken); ++i)
    unique = name + " (" + std::to_string(i) + ")";
  return unique;
}

/// "model" where it is the only one; else the name of its file, or of the folder of a model.safetensors, as
/// runs of training call theirs.
std::string model_name(const std::filesystem::path& path, std::size_t models) {
  if (models == 1) return "model";
  const std::string stem = path.stem().string();
  return stem == "model" ? std::filesystem::absolute(path).parent_path().filename().string() : stem;
}

}  // namespace

std::vector<ClipScorer*> ProbeScorers::pointers() const {
  std::vector<ClipScorer*> pointers;
  for (const auto& scorer : all) pointers.push_back(scorer.get());
  return pointers;
}

ProbeScorers load_probe_scorers(const std::vector<std::string>& predictions,
                                const std::vector<std::string>& models, const ClipFormat& clips,
                                const PredictionOptions& prediction, std::uint64_t seed, bool quiet) {
  ProbeScorers scorers{
      .all = {}, .models = predictions.size() + models.size(), .untrained = 0, .model_hashes = {}};
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
    if (!(of_model.clips == clips) && !quiet)
      report(path.string() + ": was trained on clips of other scenes than these tests");
    scorers.all.push_back(std::make_unique<NamedScorer>(
        unique_name(model_name(path, models.size()), scorers.all), load_scorer(path, prediction)));
    scorers.model_hashes.push_back(model_hash(path));
  }
  // As many as there are kinds of models: an untrained network of one kind says nothing of another.
  std::vector<std::string> kinds;
  for (const std::string& path : models) {
    const ModelConfig config = read_model_config(path);
    const std::string kind = std::string("untrained ") + name(config.network) +
                             (!config.masks                       ? ""
                              : config.network == Network::object ? ", found"
                                                                  : " on masks");
    if (std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) continue;
    kinds.push_back(kind);
    scorers.all.push_back(std::make_unique<NamedScorer>(models.size() == 1 ? "untrained" : kind,
                                                        load_untrained_scorer(path, seed, prediction)));
  }
  if (models.empty() && predictions.empty()) {
    ModelConfig config;
    config.clips = clips;
    scorers.all.push_back(make_untrained(config, seed, prediction));
  }
  scorers.untrained = scorers.all.size() - scorers.models;
  for (auto& control : make_controls()) scorers.all.push_back(std::move(control));
  return scorers;
}

}  // namespace startle
