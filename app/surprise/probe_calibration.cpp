#include "app/surprise/probe_calibration.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "app/command.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "surprise/event_calibration.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* calibration_format = "startle-probe-calibration";
constexpr int calibration_version = 1;
constexpr std::size_t scenes_at_once = 10;

class CalibratedScorer : public ClipScorer {
 public:
  CalibratedScorer(ClipScorer& scorer, EventCalibration calibration)
      : scorer_(scorer), calibration_(std::move(calibration)) {}
  std::string name() const override { return scorer_.name() + ", calibrated"; }
  std::vector<ClipSurprise> score(const std::vector<const Clip*>& clips) override {
    std::vector<ClipSurprise> result;
    for (const ClipSurprise& clip : scorer_.score(clips))
      result.push_back({{.error = {-math::log(calibration_.p(clip))}, .change = {0}}, {}, {}});
    return result;
  }

 private:
  ClipScorer& scorer_;
  EventCalibration calibration_;
};

/// The hash of a network's file, else the scorer's name.
std::string calibration_key(const ProbeScorers& scorers, std::size_t i) {
  return i >= scorers.predictions && i < scorers.models ? scorers.model_hashes[i] : scorers.all[i]->name();
}

struct ProbeCalibration {
  std::string suite;
  std::uint64_t seed = 1;                           ///< of the possible clips, and of the untrained networks
  std::map<std::string, EventCalibration> scorers;  ///< by calibration_key()
};

ProbeCalibration read_probe_calibration(const std::filesystem::path& path, const std::string& suite) {
  try {
    const Json json = Json::parse(read_file(path));
    if (json.value("format", "") != calibration_format || json.value("version", 0) != calibration_version)
      throw Error(path.string() + ": found another format, needed is " + calibration_format + ", version " +
                  std::to_string(calibration_version));
    ProbeCalibration calibration{.suite = json.at("suite"), .seed = json.at("seed"), .scorers = {}};
    if (calibration.suite != suite)
      throw Error(path.string() + ": suite: found " + calibration.suite + ", needed is " + suite);
    for (const auto& [key, scorer] : json.at("scorers").items())
      calibration.scorers.emplace(key, EventCalibration::parse(scorer.dump(), path.string() + ": " + key));
    return calibration;
  } catch (const Json::exception& error) {
    throw Error(path.string() + ": this is no calibration of probes: " + error.what());
  }
}

void add_calibrated(ProbeScorers& scorers, const ProbeCalibration& calibration) {
  const std::size_t count = scorers.all.size();
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = calibration.scorers.find(calibration_key(scorers, i));
    if (found == calibration.scorers.end()) continue;
    scorers.calibrated[scorers.all.size()] = i;
    scorers.all.push_back(std::make_unique<CalibratedScorer>(*scorers.all[i], found->second));
  }
}

}  // namespace

ProbeScorers load_calibrated_scorers(const ProbeCommandOptions& options, const ClipFormat& clips) {
  if (!options.calibration) return load_probe_scorers(options, clips, options.seed);
  const ProbeCalibration calibration = read_probe_calibration(*options.calibration, options.suite);
  ProbeScorers scorers = load_probe_scorers(options, clips, calibration.seed);
  add_calibrated(scorers, calibration);
  return scorers;
}

int calibrate_scorers(const ProbeCommandOptions& options, const ProbeScorers& scorers, std::size_t count,
                      const std::function<std::array<Clip, 2>(std::size_t)>& possible_clips) {
  catch_interrupt();
  std::vector<std::vector<PossibleClip>> possible(scorers.all.size());
  {
    Progress progress("scenes", count, options.quiet);
    for (std::size_t first = 0; first < count; first += scenes_at_once) {
      if (interrupted()) {
        report("interrupted: nothing was written");
        return exit_interrupted;
      }
      std::vector<std::array<Clip, 2>> pairs(std::min(scenes_at_once, count - first));
      parallel_for(pairs.size(), options.threads,
                   [&](std::size_t i) { pairs[i] = possible_clips(first + i); });
      std::vector<const Clip*> clips;
      for (const std::array<Clip, 2>& pair : pairs)
        for (const Clip& clip : pair) clips.push_back(&clip);
      for (std::size_t s = 0; s < scorers.all.size(); ++s) {
        std::vector<ClipSurprise> scored = scorers.all[s]->score(clips);
        for (std::size_t i = 0; i < scored.size(); ++i)
          possible[s].push_back({first + i / 2, std::move(scored[i])});
      }
      for (std::size_t i = 0; i < pairs.size(); ++i) progress.advance();
    }
  }
  Json all = Json::object();
  for (std::size_t s = 0; s < scorers.all.size(); ++s)
    all[calibration_key(scorers, s)] = Json::parse(EventCalibration(possible[s]).json());
  write_file(*options.calibrate, Json{{"format", calibration_format},
                                      {"version", calibration_version},
                                      {"program", "startle " STARTLE_VERSION},
                                      {"suite", options.suite},
                                      {"seed", options.seed},
                                      {"scenes", count},
                                      {"scorers", std::move(all)}}
                                         .dump() +
                                     "\n");
  return exit_done;
}

}  // namespace startle
