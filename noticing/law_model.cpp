#include "noticing/law_model.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "levels/files.hpp"
#include "noticing/evidence.hpp"
#include "noticing/film_reader.hpp"
#include "noticing/law_examples.hpp"
#include "noticing/shipped_laws.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"
#include "sim/random.hpp"

namespace startle {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* laws_format = "startle-laws";
constexpr int laws_version = 2;
constexpr std::size_t readings_a_shot =
    60;  // of one law, so that a long avalanche does not outweigh ten short shots; `last` takes all
constexpr double least_information = 0.1;  // in unit_information: with less a law says nothing
constexpr float steepest = 20;             // derivative of a loss by an output

/// The information that counts as one in z = score/sqrt(information + unit): that of one clear reading. A vanishing is rare, and tells much.
double unit_information(Law law) { return law == Law::last ? 0.02 : 1; }

std::size_t outputs_of(Law law) { return law == Law::last ? 1 : 2; }

double standardised(const LawSum& sum, Law law) {
  return sum.score / std::sqrt(sum.information + unit_information(law));
}

/// How much the laws can tell of a shot at all.
double total_information(const LawSums& sums) {
  double total = 0;
  for (const auto& material : sums)
    for (std::size_t l = 0; l < law_count; ++l)
      total += std::log1p(material[l].information / unit_information(static_cast<Law>(l)));
  return total;
}

double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return std::strtod(text, nullptr);
}

std::vector<Reading> readings_of(Law law, const std::vector<LawShot>& shots, Random& random) {
  std::vector<Reading> all;
  for (const LawShot& shot : shots) {
    std::vector<Reading> mine;
    Reading reading;
    for (const Encounter& encounter : shot.encounters)
      if (read_law(law, encounter, reading)) mine.push_back(reading);
    if (law != Law::last && mine.size() > readings_a_shot) {
      random.shuffle(mine);
      mine.resize(readings_a_shot);
    }
    all.insert(all.end(), mine.begin(), mine.end());
  }
  return all;
}

Perceptron learn(Law law, const std::vector<LawShot>& shots, const LawTraining& training) {
  const std::uint64_t seed = stream_seed(training.seed, name(law));
  Random random(seed);
  const std::vector<Reading> readings = readings_of(law, shots, random);
  Perceptron network = Perceptron::untrained(law_inputs, training.width, outputs_of(law), seed);
  if (!readings.empty())
    train(network,
          {.examples = readings.size(),
           .inputs = [&](std::size_t i,
                         float* in) { std::copy(readings[i].known.begin(), readings[i].known.end(), in); },
           .loss =
               [&](std::size_t i, const float* out, float* gradient) {
                 const double loss = law_loss(law, readings[i], out, gradient);
                 for (std::size_t o = 0; o < outputs_of(law); ++o)
                   gradient[o] = std::clamp(gradient[o], -steepest, steepest);
                 return loss;
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

/// Ranks of single laws from the shots at every second level, those of the whole from the others: on its own shots a rank is too good.
void calibrate(LawModel& model, const std::vector<LawShot>& shots, int threads) {
  std::vector<LawSums> sums(shots.size());
  parallel_for(shots.size(), threads, [&](std::size_t i) { sums[i] = law_sums(model, shots[i].encounters); });
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t l = 0; l < law_count; ++l) {
      std::vector<ContextScore> normal;
      for (std::size_t i = 0; i < sums.size(); ++i)
        if (const LawSum& sum = sums[i][m][l];
            shots[i].level % 2 == 0 &&
            sum.information >= least_information * unit_information(static_cast<Law>(l)))
          normal.push_back({sum.information, standardised(sum, static_cast<Law>(l))});
      model.ranks[m][l] = rank_contexts(std::move(normal));
      round_all(model.ranks[m][l]);
    }
  std::vector<ContextScore> normal;
  for (std::size_t i = 0; i < sums.size(); ++i)
    if (shots[i].level % 2 == 1)
      normal.push_back({total_information(sums[i]), log_evidence(judge(model, sums[i]).streams)});
  model.combined = rank_contexts(std::move(normal));
  round_all(model.combined);
}

Json json_of(const ContextRanks& ranks) {
  Json bins = Json::array();
  for (const ContextRanks::Bin& bin : ranks.bins)
    bins.push_back({{"upto", bin.upto},
                    {"quantiles", bin.quantiles},
                    {"low_excess", bin.low_excess},
                    {"high_excess", bin.high_excess}});
  return bins;
}

ContextRanks ranks_of(const Json& json) {
  ContextRanks ranks;
  for (const Json& bin : json) {
    ranks.bins.push_back({bin.at("upto").get<double>(), bin.at("quantiles").get<std::vector<double>>(),
                          bin.at("low_excess").get<double>(), bin.at("high_excess").get<double>()});
    const ContextRanks::Bin& read = ranks.bins.back();
    if (read.quantiles.size() != 19 || !std::is_sorted(read.quantiles.begin(), read.quantiles.end()) ||
        !(read.low_excess > 0) || !(read.high_excess > 0))
      throw Error("found ranks that are none, needed are 19 rising quantiles and excesses above 0");
  }
  return ranks;
}

LawModel shipped(const std::string& model) {
  return parse_law_model(shipped_law_texts().at(model), "the program's laws " + model + ".json");
}

}  // namespace

void require_valid(const LawTraining& t) {
  const auto require = [](bool allowed, const std::string& what, std::size_t found,
                          const std::string& range) {
    if (!allowed)
      throw Error("laws: " + what + ": found " + std::to_string(found) + ", allowed are " + range);
  };
  require(t.levels >= 1 && t.levels <= 1000000, "levels", t.levels, "1 to 1000000");
  require(t.calibration_levels >= 1 && t.calibration_levels <= 1000000, "calibration_levels",
          t.calibration_levels, "1 to 1000000");
  require(t.steps_a_look >= 1 && t.steps_a_look <= 50, "steps_a_look",
          static_cast<std::size_t>(std::max(t.steps_a_look, 0)), "1 to 50");
  if (!(t.pixel >= 0 && t.pixel <= 1))
    throw Error("laws: pixel: found " + std::to_string(t.pixel) + ", allowed are 0 to 1 world units");
  if (t.film && t.pixel > 0)
    throw Error("laws: pixel: found " + std::to_string(t.pixel) +
                " for laws of films, allowed is 0: what is read off a film is as good as it is");
  require(t.width >= 8 && t.width <= 512 && t.width % 8 == 0, "width", t.width,
          "multiples of 8 from 8 to 512");
  require(t.steps >= 1 && t.steps <= 10000000, "steps", static_cast<std::size_t>(std::max(t.steps, 0)),
          "1 to 10000000");
}

LawSums law_sums(const LawModel& model, const std::vector<Encounter>& encounters) {
  LawSums sums{};
  Reading reading;
  for (const Encounter& encounter : encounters)
    for (std::size_t l = 0; l < law_count; ++l) {
      const auto law = static_cast<Law>(l);
      if (!read_law(law, encounter, reading)) continue;
      float out[2] = {};
      model.laws[l].evaluate(reading.known.data(), out);
      const Score score = score_of(law, reading, out);
      const auto add = [&](Stuff material, double sign) {
        LawSum& sum = sums[static_cast<std::size_t>(material)][l];
        sum.score += sign * score.value;
        sum.information += score.information;
      };
      if (reading.own) add(encounter.self, 1);
      if (reading.others) add(encounter.first, reading.others_sign);
    }
  return sums;
}

LawJudgement judge(const LawModel& model, const LawSums& sums) {
  LawJudgement judgement;
  judgement.streams.assign(law_stream_count, 1);
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t l = 0; l < law_count; ++l) {
      const auto law = static_cast<Law>(l);
      const LawSum& sum = sums[m][l];
      if (sum.information < least_information * unit_information(law)) continue;
      const double z = standardised(sum, law);
      for (const bool more : {false, true}) {
        const double p = more ? model.ranks[m][l].above(sum.information, z)
                              : model.ranks[m][l].below(sum.information, z);
        judgement.streams[(m * law_count + l) * 2 + more] = p;
        judgement.findings.push_back(
            {static_cast<Stuff>(m), law, more, p, sum.score / std::sqrt(sum.information)});
      }
    }
  std::stable_sort(judgement.findings.begin(), judgement.findings.end(),
                   [](const LawFinding& a, const LawFinding& b) { return a.p < b.p; });
  judgement.p = model.combined.above(total_information(sums), log_evidence(judgement.streams));
  return judgement;
}

Trace seen_by(const LawModel& model, const Scene& before, const Shot& shot, const Trace& happened) {
  return model.training.film ? read_film(before, shot, happened) : happened;
}

LawJudgement judge(const LawModel& model, const Scene& before, const Trace& seen) {
  if (seen.record_every != model.training.steps_a_look)
    throw Error("laws: trace: found one recorded every " + std::to_string(seen.record_every) +
                " steps, needed is every " + std::to_string(model.training.steps_a_look));
  const std::optional<Bounds> picture = model.training.film ? std::optional(film_camera(before).seen())
                                                            : std::nullopt;
  return judge(model, law_sums(model, encounters(before, seen, model.training.pixel, picture)));
}

LawModel train_laws(const LawTraining& training, int threads,
                    const std::function<void(const std::string&)>& progress) {
  require_valid(training);
  const auto say = [&](const std::string& what) {
    if (progress) progress(what);
  };
  const auto constants = profile(training.profile);
  LawModel model{.training = training, .laws = {}, .ranks = {}, .combined = {}};
  const auto shots_of = [&](const std::string& what, std::size_t levels) {
    say("shots at " + std::to_string(levels) + " levels for " + what);
    return draw_law_shots({.seed = stream_seed(training.seed, what),
                           .levels = levels,
                           .steps_a_look = training.steps_a_look,
                           .pixel = training.pixel,
                           .film = training.film,
                           .threads = threads},
                          constants);
  };
  {
    const std::vector<LawShot> shots = shots_of("learning", training.levels);
    say("learning from " + std::to_string(shots.size()) + " shots");
    parallel_for(law_count, threads,
                 [&](std::size_t l) { model.laws[l] = learn(static_cast<Law>(l), shots, training); });
  }
  calibrate(model, shots_of("calibration", training.calibration_levels), threads);
  return model;
}

std::string law_model_json(const LawModel& model) {
  const LawTraining& t = model.training;
  Json json{{"format", laws_format},
            {"version", laws_version},
            {"training",
             {{"profile", t.profile},
              {"seed", t.seed},
              {"levels", t.levels},
              {"calibration_levels", t.calibration_levels},
              {"steps_a_look", t.steps_a_look},
              {"pixel", t.pixel},
              {"film", t.film},
              {"width", t.width},
              {"steps", t.steps}}}};
  for (std::size_t l = 0; l < law_count; ++l) {
    std::vector<double> weights;
    for (const float weight : model.laws[l].weights) weights.push_back(rounded(weight));
    json["laws"][name(static_cast<Law>(l))] = weights;
  }
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t l = 0; l < law_count; ++l)
      json["ranks"][name(static_cast<Stuff>(m))][name(static_cast<Law>(l))] = json_of(model.ranks[m][l]);
  json["combined"] = json_of(model.combined);
  return json.dump() + "\n";
}

LawModel parse_law_model(const std::string& text, const std::string& place) {
  try {
    const Json json = Json::parse(text);
    const Json format = json.is_object() ? json.value("format", Json()) : Json(),
               version = json.is_object() ? json.value("version", Json()) : Json();
    if (format != laws_format || version != laws_version)
      throw Error("found format " + format.dump() + " of version " + version.dump() + ", needed is " +
                  laws_format + ", version " + std::to_string(laws_version));
    const Json& t = json.at("training");
    LawModel model{.training = {.profile = t.at("profile"),
                                .seed = t.at("seed"),
                                .levels = t.at("levels"),
                                .calibration_levels = t.at("calibration_levels"),
                                .steps_a_look = t.at("steps_a_look"),
                                .pixel = t.at("pixel"),
                                .film = t.value("film", false),
                                .width = t.at("width"),
                                .steps = t.at("steps")},
                   .laws = {},
                   .ranks = {},
                   .combined = {}};
    require_valid(model.training);
    for (std::size_t l = 0; l < law_count; ++l) {
      const auto law = static_cast<Law>(l);
      Perceptron& network = model.laws[l];
      network = {.inputs = law_inputs,
                 .width = model.training.width,
                 .outputs = outputs_of(law),
                 .weights = json.at("laws").at(name(law)).get<std::vector<float>>()};
      const std::size_t needed = Perceptron::weight_count(network.inputs, network.width, network.outputs);
      if (network.weights.size() != needed)
        throw Error("law " + std::string(name(law)) + ": found " + std::to_string(network.weights.size()) +
                    " weights, needed are " + std::to_string(needed));
      for (std::size_t m = 0; m < changeable_count; ++m)
        model.ranks[m][l] = ranks_of(json.at("ranks").at(name(static_cast<Stuff>(m))).at(name(law)));
    }
    model.combined = ranks_of(json.at("combined"));
    return model;
  } catch (const nlohmann::json::exception& error) {
    throw Error(place + ": this is no model of laws: " + error.what());
  } catch (const Error& error) {
    throw Error(place + ": " + error.what());
  }
}

LawModel read_law_model(const std::filesystem::path& path) {
  return parse_law_model(read_file(path), path.string());
}

const LawModel& shipped_laws(int steps_a_look) {
  static const LawModel every_two = shipped("2"), every_five = shipped("5");
  if (steps_a_look == 2) return every_two;
  if (steps_a_look == 5) return every_five;
  throw Error("laws: no model comes along for looks every " + std::to_string(steps_a_look) +
              " steps, allowed are 2 and 5; startle laws train makes others");
}

const LawModel& shipped_film_laws() {
  static const LawModel model = shipped("film");
  return model;
}

}  // namespace startle
