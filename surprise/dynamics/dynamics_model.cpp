#include "surprise/dynamics/dynamics_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/math.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "statistics/sequential_evidence.hpp"
#include "surprise/dynamics/context_ranks_json.hpp"
#include "surprise/dynamics/dynamics_shots.hpp"
#include "surprise/dynamics/shipped_dynamics.hpp"
#include "surprise/dynamics/video_tracker.hpp"

namespace startle {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* dynamics_format = "startle-dynamics";
constexpr int dynamics_version = 5;
/// Of one mechanism, so that a long avalanche does not outweigh ten short shots.
constexpr std::size_t observations_per_shot = 60;
/// m/s: hardly anything ends by a slower blow.
constexpr double deadly_speed = 1;
/// Of `survival`: where nothing may end a body, and nothing does, one contact event in so many is learned
/// from, and counts as all of them.
constexpr float safe_events = 20;
/// World units, a thirtieth of a pixel of a video. Places that are given to this are as uncertain as places
/// read off one, and shots that need no reading are many.
constexpr double video_reading_error = 0.0006;
/// Of a plainly drawn level, for ranks: about as many as a level that is played has, so that both kinds count
/// alike.
constexpr std::size_t ranked_shots_a_level = 4;
/// In unit_information(): with less a mechanism has no finding.
constexpr double least_information = 0.1;
/// Derivative of a loss by an output.
constexpr float steepest = 20;

/// The information that counts as one in z = score/sqrt(information + unit): that of one clear observation. A
/// vanishing is rare, and informative.
double unit_information(Mechanism mechanism) { return mechanism == Mechanism::survival ? 0.02 : 1; }

std::size_t outputs_of(Mechanism mechanism) { return mechanism == Mechanism::survival ? 1 : 2; }

double standardised(const MechanismSum& sum, Mechanism mechanism) {
  return sum.score / std::sqrt(sum.information + unit_information(mechanism));
}

/// How much information the dynamics model has of a shot at all.
double total_information(const MechanismSums& sums) {
  double total = 0;
  for (const auto& material : sums)
    for (std::size_t l = 0; l < mechanism_count; ++l)
      total += math::log1p(material[l].information / unit_information(static_cast<Mechanism>(l)));
  return total;
}

double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return std::strtod(text, nullptr);
}

struct Examples {
  std::vector<MechanismObservation> observations;
  std::vector<float> weights;  ///< how many such observations each stands for
};

/// Whether a blow may end the body before the next frame.
bool may_end(const ContactEvent& e) { return e.meets && e.wait < 1 && e.closing > deadly_speed; }

Examples sampled_observations(Mechanism mechanism, const std::vector<DynamicsShot>& shots, Random& random) {
  Examples all;
  for (const DynamicsShot& shot : shots) {
    std::vector<MechanismObservation> mine;
    MechanismObservation observation;
    for (const ContactEvent& contact_event : shot.contact_events) {
      if (!observe_mechanism(mechanism, contact_event, observation)) continue;
      if (mechanism != Mechanism::survival) {
        mine.push_back(observation);
        continue;
      }
      const bool informative = observation.value > 0 || may_end(contact_event);
      if (!informative && !random.chance(1 / safe_events)) continue;
      all.observations.push_back(observation);
      all.weights.push_back(informative ? 1 : safe_events);
    }
    if (mine.size() > observations_per_shot) {
      random.shuffle(mine);
      mine.resize(observations_per_shot);
    }
    all.observations.insert(all.observations.end(), mine.begin(), mine.end());
    all.weights.resize(all.observations.size(), 1.f);
  }
  return all;
}

Perceptron learn(Mechanism mechanism, const std::vector<DynamicsShot>& shots,
                 const DynamicsTraining& training) {
  const std::uint64_t seed = stream_seed(training.seed, name(mechanism));
  Random random(seed);
  const Examples examples = sampled_observations(mechanism, shots, random);
  Perceptron network = Perceptron::untrained(mechanism_inputs, training.width, outputs_of(mechanism), seed);
  if (!examples.observations.empty())
    train(network,
          {.examples = examples.observations.size(),
           .inputs =
               [&](std::size_t i, float* in) {
                 const MechanismObservation& observation = examples.observations[i];
                 std::copy(observation.known.begin(), observation.known.end(), in);
               },
           .loss =
               [&](std::size_t i, const float* out, float* gradient) {
                 const double loss = mechanism_loss(mechanism, examples.observations[i], out, gradient);
                 for (std::size_t o = 0; o < outputs_of(mechanism); ++o)
                   gradient[o] = examples.weights[i] * std::clamp(gradient[o], -steepest, steepest);
                 return examples.weights[i] * loss;
               }},
          {.steps = training.steps, .seed = seed});
  for (float& weight : network.weights) weight = static_cast<float>(rounded(weight));
  return network;
}

void round_all(ContextRanks& ranks) {
  for (ContextRanks::Bin& bin : ranks.bins) {
    bin.upto = rounded(bin.upto), bin.low_excess = rounded(bin.low_excess),
    bin.high_excess = rounded(bin.high_excess);
    for (double& quantile : bin.quantiles) quantile = rounded(quantile);
  }
}

using ShotBodySums = std::array<std::array<BodySums, mechanism_count>, changeable_count>;

ShotBodySums body_sums(const DynamicsModel& model, const std::vector<ContactEvent>& contact_events) {
  ShotBodySums sums;
  MechanismObservation observation;
  for (const ContactEvent& contact_event : contact_events)
    for (std::size_t l = 0; l < mechanism_count; ++l) {
      const auto mechanism = static_cast<Mechanism>(l);
      if (!observe_mechanism(mechanism, contact_event, observation)) continue;
      float out[2] = {};
      model.mechanisms[l].evaluate(observation.known.data(), out);
      const Score score = score_of(mechanism, observation, out);
      // The error is of what was expected of this body, whichever material it tells of.
      const auto add = [&](MaterialClass material, double sign) {
        sums[static_cast<std::size_t>(material)][l][contact_event.body].add(sign * score.value,
                                                                            score.information);
      };
      if (observation.own) add(contact_event.self, 1);
      if (observation.others) add(contact_event.first, observation.others_sign);
    }
  return sums;
}

MechanismSums sums_of(const DynamicsModel& model, const ShotBodySums& bodies) {
  MechanismSums sums;
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t l = 0; l < mechanism_count; ++l)
      sums[m][l] = sum_of(bodies[m][l], model.body_correlations[l]);
  return sums;
}

void correlate_bodies(DynamicsModel& model, const std::vector<ShotBodySums>& shots) {
  for (std::size_t l = 0; l < mechanism_count; ++l) {
    std::vector<BodySum> all;
    for (const ShotBodySums& shot : shots)
      for (std::size_t m = 0; m < changeable_count; ++m)
        for (const auto& [id, body] : shot[m][l]) all.push_back(body);
    model.body_correlations[l] = rounded(body_correlation(all));
  }
}

struct NormalShot {
  std::size_t level = 0;
  MechanismSums sums;
};

void rank_mechanisms(DynamicsModel& model, const std::vector<const NormalShot*>& shots) {
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t l = 0; l < mechanism_count; ++l) {
      std::vector<ContextScore> normal;
      for (const NormalShot* shot : shots)
        if (const MechanismSum& sum = shot->sums[m][l];
            sum.information >= least_information * unit_information(static_cast<Mechanism>(l)))
          normal.push_back({sum.information, standardised(sum, static_cast<Mechanism>(l))});
      model.ranks[m][l] = rank_contexts(std::move(normal));
      round_all(model.ranks[m][l]);
    }
}

/// Whole shots are ranked by what the mechanisms' ranks of other levels say of them, half by half: by ranks
/// that it is part of a shot looks too normal.
void calibrate(DynamicsModel& model, const std::vector<DynamicsShot>& shots, int threads) {
  std::vector<ShotBodySums> bodies(shots.size());
  parallel_for(shots.size(), threads,
               [&](std::size_t i) { bodies[i] = body_sums(model, shots[i].contact_events); });
  correlate_bodies(model, bodies);
  std::vector<NormalShot> all;
  for (std::size_t i = 0; i < shots.size(); ++i) all.push_back({shots[i].level, sums_of(model, bodies[i])});
  std::array<std::vector<const NormalShot*>, 2> halves;
  for (const NormalShot& shot : all) halves[shot.level % 2].push_back(&shot);
  std::vector<ContextScore> normal;
  for (const std::size_t half : {0, 1}) {
    rank_mechanisms(model, halves[1 - half]);
    for (const NormalShot* shot : halves[half])
      normal.push_back({total_information(shot->sums), log_evidence(detect(model, shot->sums).p_values)});
  }
  model.combined = rank_contexts(std::move(normal));
  round_all(model.combined);
  std::vector<const NormalShot*> both = halves[0];
  both.insert(both.end(), halves[1].begin(), halves[1].end());
  rank_mechanisms(model, both);
}

DynamicsShots normal_shots(const DynamicsTraining& training, const std::string& purpose, std::size_t levels,
                           int threads) {
  return {.seed = stream_seed(training.seed, purpose),
          .levels = levels,
          .stride = training.stride,
          .pixel = training.pixel,
          .video = training.video,
          .threads = threads};
}

DynamicsModel shipped(const std::string& model) {
  return parse_dynamics_model(shipped_dynamics_texts().at(model),
                              "the program's mechanisms " + model + ".json");
}

}  // namespace

void require_valid(const DynamicsTraining& t) {
  const auto require = [](bool allowed, const std::string& what, std::size_t found,
                          const std::string& range) {
    if (!allowed)
      throw Error("mechanisms: " + what + ": found " + std::to_string(found) + ", allowed are " + range);
  };
  require(t.levels >= 1 && t.levels <= 1000000, "levels", t.levels, "1 to 1000000");
  require(t.calibration_levels >= 1 && t.calibration_levels <= 1000000, "calibration_levels",
          t.calibration_levels, "1 to 1000000");
  require(t.stride >= 1 && t.stride <= 50, "stride", static_cast<std::size_t>(std::max(t.stride, 0)),
          "1 to 50");
  if (!(t.pixel >= 0 && t.pixel <= 1))
    throw Error("mechanisms: pixel: found " + std::to_string(t.pixel) + ", allowed are 0 to 1 world units");
  if (t.video && t.pixel > 0)
    throw Error("mechanisms: pixel: found " + std::to_string(t.pixel) +
                " for dynamics from video, allowed is 0: what is read off a video is as good as it is");
  require(t.width >= 8 && t.width <= 512 && t.width % 8 == 0, "width", t.width,
          "multiples of 8 from 8 to 512");
  require(t.steps >= 1 && t.steps <= 10000000, "steps", static_cast<std::size_t>(std::max(t.steps, 0)),
          "1 to 10000000");
}

std::vector<std::string> dynamics_statistics() {
  std::vector<std::string> names;
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t l = 0; l < mechanism_count; ++l)
      for (const char* sign : {"less", "more"})
        names.push_back(std::string(name(static_cast<MaterialClass>(m))) + " " +
                        name(static_cast<Mechanism>(l)) + ", " + sign);
  return names;
}

MechanismSums mechanism_sums(const DynamicsModel& model, const std::vector<ContactEvent>& contact_events) {
  return sums_of(model, body_sums(model, contact_events));
}

DynamicsDetection detect(const DynamicsModel& model, const MechanismSums& sums) {
  DynamicsDetection shot_test;
  shot_test.p_values.resize(statistic_count);
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t l = 0; l < mechanism_count; ++l) {
      const auto mechanism = static_cast<Mechanism>(l);
      const MechanismSum& sum = sums[m][l];
      if (sum.information < least_information * unit_information(mechanism)) continue;
      const double z = standardised(sum, mechanism);
      for (const bool more : {false, true}) {
        const double p = more ? model.ranks[m][l].above(sum.information, z)
                              : model.ranks[m][l].below(sum.information, z);
        if (!model.ranks[m][l].bins.empty()) shot_test.p_values[(m * mechanism_count + l) * 2 + more] = p;
        shot_test.findings.push_back(
            {static_cast<MaterialClass>(m), mechanism, more, p, sum.score / std::sqrt(sum.information)});
      }
    }
  std::stable_sort(shot_test.findings.begin(), shot_test.findings.end(),
                   [](const Deviation& a, const Deviation& b) { return a.p < b.p; });
  shot_test.p = model.combined.above(total_information(sums), log_evidence(shot_test.p_values));
  return shot_test;
}

Trace seen_by(const DynamicsModel& model, const Scene& before, const Shot& shot, const Trace& happened) {
  return model.training.video ? track_video(before, shot, happened) : happened;
}

DynamicsDetection detect(const DynamicsModel& model, const Scene& before, const Trace& seen) {
  if (seen.record_every != model.training.stride)
    throw Error("mechanisms: trace: found one recorded every " + std::to_string(seen.record_every) +
                " steps, needed is every " + std::to_string(model.training.stride));
  const std::optional<Bounds> picture = model.training.video ? std::optional(video_camera(before).seen())
                                                             : std::nullopt;
  return detect(model, mechanism_sums(model, contact_events(before, seen, model.training.pixel, picture)));
}

DynamicsModel train_dynamics(const DynamicsTraining& training, int threads,
                             const std::function<void(const std::string&)>& progress) {
  require_valid(training);
  const auto say = [&](const std::string& what) {
    if (progress) progress(what);
  };
  DynamicsModel model{
      .training = training, .mechanisms = {}, .ranks = {}, .combined = {}, .normal_levels = {}};
  say("shots at " + std::to_string(training.levels) + " levels for learning");
  DynamicsShots learning = normal_shots(training, "learning", training.levels, threads);
  if (training.video) {
    learning.video = false;
    learning.pixel = video_reading_error;
  }
  const std::vector<DynamicsShot> shots = draw_dynamics_shots(learning, profile(training.profile));
  say("learning from " + std::to_string(shots.size()) + " shots");
  parallel_for(mechanism_count, threads, [&](std::size_t l) {
    model.mechanisms[l] = learn(static_cast<Mechanism>(l), shots, training);
  });
  rank_normal_shots(model, threads, progress);
  return model;
}

void rank_normal_shots(DynamicsModel& model, int threads,
                       const std::function<void(const std::string&)>& progress) {
  require_valid(model.training);
  if (progress)
    progress("shots at " + std::to_string(model.training.calibration_levels) +
             " levels of either kind for ranks");
  const auto constants = profile(model.training.profile);
  DynamicsShots settings = normal_shots(model.training, "calibration", model.training.calibration_levels,
                                        threads);
  settings.shots = ranked_shots_a_level;
  std::vector<DynamicsShot> shots = draw_dynamics_shots(settings, constants);
  settings.played = true;
  for (DynamicsShot& shot : draw_dynamics_shots(settings, constants)) shots.push_back(std::move(shot));
  calibrate(model, shots, threads);
}

std::string dynamics_model_json(const DynamicsModel& model) {
  const DynamicsTraining& t = model.training;
  Json json{{"format", dynamics_format},
            {"version", dynamics_version},
            {"training",
             {{"profile", t.profile},
              {"seed", t.seed},
              {"levels", t.levels},
              {"calibration_levels", t.calibration_levels},
              {"stride", t.stride},
              {"pixel", t.pixel},
              {"video", t.video},
              {"width", t.width},
              {"steps", t.steps}}}};
  for (std::size_t l = 0; l < mechanism_count; ++l) {
    std::vector<double> weights;
    for (const float weight : model.mechanisms[l].weights) weights.push_back(rounded(weight));
    json["mechanisms"][name(static_cast<Mechanism>(l))] = weights;
  }
  for (std::size_t l = 0; l < mechanism_count; ++l)
    json["body_correlations"][name(static_cast<Mechanism>(l))] = model.body_correlations[l];
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t l = 0; l < mechanism_count; ++l)
      json["ranks"][name(static_cast<MaterialClass>(m))][name(static_cast<Mechanism>(l))] = json_of(
          model.ranks[m][l]);
  json["combined"] = json_of(model.combined);
  for (const auto& [family, evidence] : model.normal_levels) json["normal_levels"][family] = evidence;
  return json.dump() + "\n";
}

DynamicsModel parse_dynamics_model(const std::string& text, const std::string& place) {
  try {
    const Json json = Json::parse(text);
    const Json format = json.is_object() ? json.value("format", Json()) : Json(),
               version = json.is_object() ? json.value("version", Json()) : Json();
    if (format != dynamics_format || version != dynamics_version)
      throw Error(
          "found format " + format.dump() + " of version " + version.dump() + ", needed is " +
          dynamics_format + ", version " + std::to_string(dynamics_version) +
          (format == "startle-laws" ? "; a model made before the words were renamed is trained again" : ""));
    const Json& t = json.at("training");
    DynamicsModel model{.training = {.profile = t.at("profile"),
                                     .seed = t.at("seed"),
                                     .levels = t.at("levels"),
                                     .calibration_levels = t.at("calibration_levels"),
                                     .stride = t.at("stride"),
                                     .pixel = t.at("pixel"),
                                     .video = t.value("video", false),
                                     .width = t.at("width"),
                                     .steps = t.at("steps")},
                        .mechanisms = {},
                        .ranks = {},
                        .combined = {},
                        .normal_levels = {}};
    require_valid(model.training);
    for (std::size_t l = 0; l < mechanism_count; ++l) {
      const auto mechanism = static_cast<Mechanism>(l);
      Perceptron& network = model.mechanisms[l];
      network = {.inputs = mechanism_inputs,
                 .width = model.training.width,
                 .outputs = outputs_of(mechanism),
                 .weights = json.at("mechanisms").at(name(mechanism)).get<std::vector<float>>()};
      const std::size_t needed = Perceptron::weight_count(network.inputs, network.width, network.outputs);
      if (network.weights.size() != needed)
        throw Error("mechanism " + std::string(name(mechanism)) + ": found " +
                    std::to_string(network.weights.size()) + " weights, needed are " +
                    std::to_string(needed));
      model.body_correlations[l] = json.at("body_correlations").at(name(mechanism));
      if (!(model.body_correlations[l] >= 0 && model.body_correlations[l] <= 1))
        throw Error("body_correlations: " + std::string(name(mechanism)) + ": found " +
                    std::to_string(model.body_correlations[l]) + ", allowed are 0 to 1");
      for (std::size_t m = 0; m < changeable_count; ++m)
        model.ranks[m][l] = ranks_of(
            json.at("ranks").at(name(static_cast<MaterialClass>(m))).at(name(mechanism)));
    }
    model.combined = ranks_of(json.at("combined"));
    model.normal_levels = json.value("normal_levels", model.normal_levels);
    for (const auto& [family, evidence] : model.normal_levels)
      if (evidence.empty() || !std::is_sorted(evidence.begin(), evidence.end()))
        throw Error("normal_levels: " + family + ": found " + std::to_string(evidence.size()) +
                    " numbers that do not rise, needed is at least one");
    return model;
  } catch (const nlohmann::json::exception& error) {
    throw Error(place + ": this is no dynamics model: " + error.what());
  } catch (const Error& error) {
    throw Error(place + ": " + error.what());
  }
}

DynamicsModel read_dynamics_model(const std::filesystem::path& path) {
  return parse_dynamics_model(read_file(path), path.string());
}

const DynamicsModel& shipped_dynamics(int stride) {
  static const DynamicsModel every_two = shipped("2"), every_five = shipped("5");
  if (stride == 2) return every_two;
  if (stride == 5) return every_five;
  throw Error("mechanisms: no model is shipped for frames every " + std::to_string(stride) +
              " steps, allowed are 2 and 5; startle dynamics train makes others");
}

const DynamicsModel& shipped_video_dynamics() {
  static const DynamicsModel model = shipped("video");
  return model;
}

}  // namespace startle
