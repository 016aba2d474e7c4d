#include "surprise/known_shots_table.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "sim/scene.hpp"
#include "statistics/k_nearest.hpp"
#include "statistics/percentile.hpp"
#include "statistics/roc.hpp"
#include "surprise/dynamics/dynamics_model.hpp"
#include "surprise/knn_surprise.hpp"
#include "surprise/known_shots.hpp"

namespace startle {
namespace {

constexpr std::array<std::optional<Tier>, known_shots_tiers> cell_tiers{Tier::easy, Tier::medium, Tier::hard,
                                                                        std::nullopt};

/// What is given to which detector.
struct Method {
  std::string detector;
  Known known = Known::none;
  std::size_t count = 0;
};

std::vector<Method> methods_of_dynamics() {
  std::vector<Method> methods{{"p", Known::none, 0}};
  for (const std::size_t count : known_shot_counts)
    for (const Known known : {Known::same, Known::other, Known::normal, Known::shuffled})
      for (const std::string& detector : known_shots_detectors()) methods.push_back({detector, known, count});
  methods.push_back({"centroids", Known::all, 0});
  methods.push_back({"evidence", Known::mechanism, 0});
  return methods;
}

/// Twins of one novelty in one half of its levels.
struct TestedHalf {
  std::string novelty;
  std::vector<std::size_t> twins;  // indices in Evaluation::twins
  std::vector<std::size_t> levels;
};

/// Both halves of each novelty, side by side, in order of their names.
std::vector<TestedHalf> halves_of(const Evaluation& e) {
  std::map<std::pair<std::string, Tier>, std::size_t> seen;
  std::map<std::string, std::array<TestedHalf, 2>> halves;
  std::vector<TestedHalf*> of_level;
  for (std::size_t i = 0; i < e.levels.size(); ++i) {
    const EvaluationLevel& level = e.levels[i];
    const std::size_t half = seen[{level.novelty->name, level.tier}]++ % 2;
    of_level.push_back(&halves[level.novelty->name][half]);
    of_level.back()->levels.push_back(i);
  }
  for (std::size_t i = 0; i < e.twins.size(); ++i) of_level[e.twins[i].level]->twins.push_back(i);
  std::vector<TestedHalf> all;
  for (auto& [novelty, both] : halves)
    for (TestedHalf& half : both) {
      half.novelty = novelty;
      all.push_back(std::move(half));
    }
  return all;
}

/// Sums over tested twins, by tier.
struct Figures {
  std::array<double, known_shots_tiers> hits{}, area{}, twins{};  // area: the AUC times the twins
  Figures& operator+=(const Figures& o) {
    for (std::size_t t = 0; t < known_shots_tiers; ++t)
      hits[t] += o.hits[t], area[t] += o.area[t], twins[t] += o.twins[t];
    return *this;
  }
};

struct ScoredTwin {
  Tier tier = Tier::easy;
  double normal = 0, novel = 0;
};

Figures figures_of(const std::vector<ScoredTwin>& twins, const std::vector<std::size_t>& chosen) {
  std::vector<double> normal;
  for (const std::size_t i : chosen) normal.push_back(twins[i].normal);
  std::sort(normal.begin(), normal.end(), std::greater<>());
  const auto allowed = static_cast<std::size_t>(known_shots_false_alarms *
                                                static_cast<double>(normal.size()));
  Figures figures;
  for (std::size_t t = 0; t < known_shots_tiers; ++t) {
    std::vector<double> novel;
    for (const std::size_t i : chosen)
      if (!cell_tiers[t] || twins[i].tier == *cell_tiers[t]) novel.push_back(twins[i].novel);
    if (novel.empty()) continue;
    figures.twins[t] = static_cast<double>(novel.size());
    figures.hits[t] = static_cast<double>(
        std::count_if(novel.begin(), novel.end(), [&](double score) { return score > normal[allowed]; }));
    figures.area[t] = *roc_auc(novel, normal) * figures.twins[t];
  }
  return figures;
}

/// Of one draw: of the tested twins, and of as many levels drawn with replacement.
struct DrawnFigures {
  Figures whole, resampled;
};

/// What the tables are made of, by half: nothing where a method cannot be used.
using FiguresOfHalf = std::vector<std::vector<DrawnFigures>>;  // by method; by draw

/// Twins of the levels drawn, each level as often as it was; indices in half.twins.
std::vector<std::size_t> resampled_twins(const Evaluation& e, const TestedHalf& half, Random& random) {
  std::map<std::size_t, std::vector<std::size_t>> of_level;
  for (std::size_t i = 0; i < half.twins.size(); ++i) of_level[e.twins[half.twins[i]].level].push_back(i);
  std::vector<const std::vector<std::size_t>*> levels;
  for (const auto& [level, twins] : of_level) levels.push_back(&twins);
  std::vector<std::size_t> drawn;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const std::vector<std::size_t>& twins = *random.choice(levels);
    drawn.insert(drawn.end(), twins.begin(), twins.end());
  }
  return drawn;
}

using TwinFunction = std::function<double(std::size_t twin, bool novel)>;

DrawnFigures drawn_figures(const Evaluation& e, const TestedHalf& half,
                           const std::vector<std::size_t>& resampled, const TwinFunction& score) {
  std::vector<ScoredTwin> scored;
  std::vector<std::size_t> all;
  for (const std::size_t twin : half.twins) {
    all.push_back(all.size());
    scored.push_back({e.levels[e.twins[twin].level].tier, score(twin, false), score(twin, true)});
  }
  return {figures_of(scored, all), figures_of(scored, resampled)};
}

/// Deviations of all twins by one detector.
using TwinDeviations = std::vector<TwinPair<ShotDeviations>>;

/// Shots that can be known, in the order in which a draw takes them.
struct KnownPool {
  KnownShots same, other, normal, mixed;

  const KnownShots& of(Known known) const {
    return known == Known::other      ? other
           : known == Known::normal   ? normal
           : known == Known::shuffled ? mixed
                                      : same;
  }
  /// The first `count` as known, and what is normal beside them.
  std::pair<KnownShots, KnownShots> split(Known known, std::size_t count) const {
    const KnownShots& from = of(known);
    const auto end = from.begin() + static_cast<std::ptrdiff_t>(count);
    const bool of_one_pool = known == Known::normal || known == Known::shuffled;
    return {{from.begin(), end}, of_one_pool ? KnownShots(end, from.end()) : normal};
  }
};

/// `known` is the number of the half that known shots are drawn from.
KnownPool pool_of(const std::vector<TestedHalf>& halves, std::size_t known,
                  const TwinDeviations& deviations) {
  KnownPool pool;
  for (std::size_t h = known % 2; h < halves.size(); h += 2)
    for (const std::size_t twin : halves[h].twins) {
      (h == known ? pool.same : pool.other).push_back(&deviations[twin].novel);
      if (h == known) pool.normal.push_back(&deviations[twin].normal);
    }
  pool.mixed = pool.same;
  pool.mixed.insert(pool.mixed.end(), pool.normal.begin(), pool.normal.end());
  return pool;
}

bool can_be_known(const Method& method, const KnownPool& pool, const std::vector<std::size_t>& changed) {
  if (method.known == Known::mechanism) return !changed.empty();
  if (method.known == Known::none) return true;
  const std::size_t spared = method.known == Known::normal || method.known == Known::shuffled ? 2 : 0;
  return !pool.same.empty() && pool.normal.size() >= 2 &&
         pool.of(method.known).size() >= std::max<std::size_t>(1, method.count) + spared;
}

TwinFunction score_of(const Method& method, const KnownPool& pool, const TwinDeviations& deviations,
                      const std::vector<std::size_t>& changed) {
  if (method.known == Known::none)
    return [&deviations](std::size_t twin, bool novel) { return deviations[twin].of(novel).surprise; };
  if (method.known == Known::mechanism)
    return [&deviations, &changed](std::size_t twin, bool novel) {
      double sum = 0;
      for (const std::size_t i : changed) sum += deviations[twin].of(novel).evidence[i];
      return sum;
    };
  const auto [known, normal] = pool.split(method.known,
                                          method.known == Known::all ? pool.same.size() : method.count);
  const std::shared_ptr<const KnownShotsDetector> detector = make_known_shots_detector(method.detector, known,
                                                                                       normal);
  return [&deviations, detector](std::size_t twin, bool novel) {
    return detector->score(deviations[twin].of(novel));
  };
}

FiguresOfHalf figures_of_half(const Evaluation& e, const std::vector<TestedHalf>& halves, std::size_t tested,
                              const TwinDeviations& deviations, const std::vector<Method>& methods,
                              const std::vector<std::size_t>& changed, const KnownShotsOptions& options) {
  const TestedHalf& half = halves[tested];
  FiguresOfHalf figures(methods.size());
  if (half.twins.empty()) return figures;
  KnownPool pool = pool_of(halves, tested ^ 1U, deviations);
  for (int draw = 0; draw < options.draws; ++draw) {
    Random random(stream_seed(options.seed, "known shots/" + half.novelty + (tested % 2 ? "/odd" : "/even"),
                              static_cast<std::uint64_t>(draw)));
    const std::vector<std::size_t> resampled = resampled_twins(e, half, random);
    for (KnownShots* shots : {&pool.same, &pool.other, &pool.normal, &pool.mixed}) random.shuffle(*shots);
    for (std::size_t m = 0; m < methods.size(); ++m)
      if (can_be_known(methods[m], pool, changed))
        figures[m].push_back(
            drawn_figures(e, half, resampled, score_of(methods[m], pool, deviations, changed)));
  }
  return figures;
}

/// Mean over draws of their wholes; percentiles of those whose levels were resampled.
Estimate estimate_of(const std::vector<DrawnFigures>& draws, std::size_t tier,
                     std::array<double, known_shots_tiers> Figures::*part) {
  Estimate estimate;
  std::vector<double> resampled;
  double sum = 0;
  for (const auto& [whole, again] : draws) {
    if (whole.twins[tier] == 0) return {};
    sum += (whole.*part)[tier] / whole.twins[tier];
    if (again.twins[tier] > 0) resampled.push_back((again.*part)[tier] / again.twins[tier]);
  }
  estimate.value = sum / static_cast<double>(draws.size());
  if (resampled.size() > 1) estimate.interval = {percentile(resampled, 2.5), percentile(resampled, 97.5)};
  return estimate;
}

double detected_share(const Figures& figures, std::size_t tier) {
  return figures.hits[tier] / figures.twins[tier];
}

/// How much of the way from none to the mechanism is closed.
Estimate closed_share(const std::vector<DrawnFigures>& draws, const std::vector<DrawnFigures>& none,
                      const std::vector<DrawnFigures>& mechanism, std::size_t tier) {
  if (draws.empty() || mechanism.empty()) return {};
  double gained = 0, way = 0;
  std::vector<double> resampled;
  for (std::size_t d = 0; d < draws.size(); ++d) {
    if (draws[d].whole.twins[tier] == 0) return {};
    const double start = detected_share(none[d].whole, tier);
    gained += detected_share(draws[d].whole, tier) - start;
    way += detected_share(mechanism[d].whole, tier) - start;
    if (draws[d].resampled.twins[tier] == 0) continue;
    const double again = detected_share(none[d].resampled, tier),
                 whole_way = detected_share(mechanism[d].resampled, tier) - again;
    if (whole_way > 0) resampled.push_back((detected_share(draws[d].resampled, tier) - again) / whole_way);
  }
  if (way <= 0) return {};
  Estimate estimate{.value = gained / way};
  if (2 * resampled.size() > draws.size())
    estimate.interval = {percentile(resampled, 2.5), percentile(resampled, 97.5)};
  return estimate;
}

/// The draws of one method over the halves of a novelty, or of all; none where some half has none.
std::vector<DrawnFigures> joined_draws(const std::vector<TestedHalf>& halves,
                                       const std::vector<FiguresOfHalf>& figures, const std::string& novelty,
                                       std::size_t method) {
  std::vector<DrawnFigures> joined;
  for (std::size_t h = 0; h < halves.size(); ++h) {
    if (!novelty.empty() && halves[h].novelty != novelty) continue;
    const std::vector<DrawnFigures>& draws = figures[h][method];
    if (draws.empty()) return {};
    joined.resize(draws.size());
    for (std::size_t d = 0; d < draws.size(); ++d) {
      joined[d].whole += draws[d].whole;
      joined[d].resampled += draws[d].resampled;
    }
  }
  return joined;
}

void add_rows(const Evaluation& e, const std::vector<TestedHalf>& halves, const std::string& model,
              const std::vector<Method>& methods, const std::vector<FiguresOfHalf>& figures,
              KnownShotsTables& tables) {
  std::vector<std::string> novelties;
  for (std::size_t h = 0; h < halves.size(); h += 2) novelties.push_back(halves[h].novelty);
  novelties.emplace_back();
  for (const std::string& novelty : novelties) {
    const std::vector<DrawnFigures> none = joined_draws(halves, figures, novelty, 0);
    std::vector<DrawnFigures> mechanism;
    if (methods.back().known == Known::mechanism)
      mechanism = joined_draws(halves, figures, novelty, methods.size() - 1);
    for (std::size_t m = 0; m < methods.size(); ++m) {
      const std::vector<DrawnFigures> draws = joined_draws(halves, figures, novelty, m);
      for (std::size_t t = 0; t < known_shots_tiers; ++t) {
        KnownShotsRow row{.of = {.novelty = novelty, .tier = cell_tiers[t]},
                          .model = model,
                          .detector = methods[m].detector,
                          .known = methods[m].known,
                          .count = methods[m].count};
        std::set<std::size_t> levels;
        for (const EvaluatedTwin& twin : e.twins)
          if (row.of.holds(e, twin)) levels.insert(twin.level), ++row.twins;
        row.levels = levels.size();
        if (!draws.empty()) {
          row.detected = estimate_of(draws, t, &Figures::hits);
          row.roc_auc = estimate_of(draws, t, &Figures::area);
          row.closed = closed_share(draws, none, mechanism, t);
        }
        tables.rows.push_back(row);
      }
    }
  }
}

/// The statistics that are about each novelty, by its name.
std::map<std::string, std::vector<std::size_t>> changed_by_novelty(const Evaluation& e,
                                                                   std::shared_ptr<const Profile> profile) {
  std::map<std::string, std::set<std::size_t>> found;
  for (const EvaluationLevel& level : e.levels)
    for (const std::size_t i : changed_statistics(make_scene(level.level, profile), *level.novelty))
      found[level.novelty->name].insert(i);
  std::map<std::string, std::vector<std::size_t>> changed;
  for (const auto& [novelty, statistics] : found) changed[novelty] = {statistics.begin(), statistics.end()};
  return changed;
}

void add_rows_of_detector(const Evaluation& e, const std::vector<TestedHalf>& halves, std::size_t detector,
                          const std::map<std::string, std::vector<std::size_t>>& changed,
                          const KnownShotsOptions& options, KnownShotsTables& tables) {
  TwinDeviations deviations;
  for (const EvaluatedTwin& twin : e.twins)
    deviations.push_back(
        {deviations_of(twin.outputs[detector].normal), deviations_of(twin.outputs[detector].novel)});
  const std::vector<Method> methods = methods_of_dynamics();
  std::vector<FiguresOfHalf> figures(halves.size());
  parallel_for(halves.size(), options.threads, [&](std::size_t h) {
    const auto of_novelty = changed.find(halves[h].novelty);
    figures[h] = figures_of_half(
        e, halves, h, deviations, methods,
        of_novelty == changed.end() ? std::vector<std::size_t>{} : of_novelty->second, options);
  });
  add_rows(e, halves, e.detectors[detector], methods, figures, tables);
}

/// Surprise of the first predictor, and less that of the model of violations.
void add_rows_of_naive(const Evaluation& e, const std::vector<TestedHalf>& halves, std::size_t violations,
                       const KnownShotsOptions& options, KnownShotsTables& tables) {
  const auto mean_of = [&e](std::size_t predictor, std::size_t twin, bool novel) {
    return mean_surprise(e.twins[twin].predictors[predictor].of(novel).errors, e.format.pixels);
  };
  const std::vector<Method> methods{{"surprise", Known::none, 0},
                                    {"surprise_naive", Known::violation_model, 0}};
  const std::vector<TwinFunction> scores{
      [&](std::size_t twin, bool novel) { return mean_of(0, twin, novel); },
      [&](std::size_t twin, bool novel) {
        return surprise_naive(mean_of(0, twin, novel), mean_of(violations, twin, novel));
      }};
  std::vector<FiguresOfHalf> figures(halves.size(), FiguresOfHalf(methods.size()));
  for (std::size_t h = 0; h < halves.size(); ++h)
    for (int draw = 0; draw < options.draws && !halves[h].twins.empty(); ++draw) {
      Random random(stream_seed(options.seed, "surprise_naive/" + halves[h].novelty,
                                static_cast<std::uint64_t>(2 * draw) + h % 2));
      const std::vector<std::size_t> resampled = resampled_twins(e, halves[h], random);
      for (std::size_t m = 0; m < methods.size(); ++m)
        figures[h][m].push_back(drawn_figures(e, halves[h], resampled, scores[m]));
    }
  add_rows(e, halves, e.predictors[0], methods, figures, tables);
}

void add_uniformity(const Evaluation& e, const std::vector<TestedHalf>& halves, std::size_t detector,
                    const KnownShotsOptions& options, KnownShotsTables& tables) {
  for (std::size_t h = 0; h < halves.size(); h += 2) {
    Points points;
    for (const TestedHalf* half : {&halves[h], &halves[h + 1]})
      for (const std::size_t twin : half->twins) {
        const std::vector<double> residuals = deviations_of(e.twins[twin].outputs[detector].novel).residuals;
        if (std::any_of(residuals.begin(), residuals.end(), [](double r) { return r != 0; }))
          points.add(unit_norm(residuals));
      }
    if (points.count() > static_cast<std::size_t>(UniformityOptions{}.k))
      tables.uniformity.push_back(
          {halves[h].novelty,
           test_uniform_on_sphere(points, {.seed = options.seed, .threads = options.threads})});
  }
}

/// The mechanism that a parameter shows in (surprise/dynamics/mechanism.hpp).
Mechanism mechanism_of(Parameter parameter) {
  switch (parameter) {
    case Parameter::gravity_scale:
      return Mechanism::gravity;
    case Parameter::linear_damping:
      return Mechanism::linear_damping;
    case Parameter::angular_damping:
      return Mechanism::angular_damping;
    case Parameter::restitution:
      return Mechanism::restitution;
    case Parameter::friction:
      return Mechanism::friction;
    case Parameter::density:
      return Mechanism::momentum_transfer;
    case Parameter::life:
    case Parameter::defence:
      break;
  }
  return Mechanism::survival;
}

}  // namespace

const char* name(Known known) {
  switch (known) {
    case Known::none:
      return "none";
    case Known::same:
      return "same novelty";
    case Known::other:
      return "other novelties";
    case Known::normal:
      return "normal shots";
    case Known::shuffled:
      return "random labels";
    case Known::all:
      return "all of the novelty";
    case Known::mechanism:
      return "mechanism";
    case Known::violation_model:
      return "model of violations";
  }
  return "";
}

std::vector<std::size_t> changed_statistics(const Scene& normal, const Novelty& novelty) {
  Scene novel = normal;
  apply(novelty, novel);
  std::set<std::size_t> found;
  for (std::size_t i = 0; i < normal.objects.size(); ++i) {
    const auto material = static_cast<std::size_t>(material_class_of(normal.objects[i]));
    if (!novel.objects[i].novel || material >= changeable_count) continue;
    for (const ParameterInfo& info : parameter_table) {
      const double before = value_of(normal.objects[i].parameters, info.parameter),
                   after = value_of(novel.objects[i].parameters, info.parameter);
      const auto mechanism = static_cast<std::size_t>(mechanism_of(info.parameter));
      if (before != after) found.insert((material * mechanism_count + mechanism) * 2 + (after > before));
    }
  }
  return {found.begin(), found.end()};
}

KnownShotsTables known_shots_tables(const Evaluation& e, std::shared_ptr<const Profile> profile,
                                    const KnownShotsOptions& options) {
  if (e.twins.empty()) throw Error("known shots: found no pair of shots, at least one is needed");
  if (options.draws < 1)
    throw Error("known shots: draws: found " + std::to_string(options.draws) + ", allowed are 1 or more");
  const std::vector<TestedHalf> halves = halves_of(e);
  const auto changed = changed_by_novelty(e, std::move(profile));
  KnownShotsTables tables;
  for (std::size_t d = 0; d < e.detectors.size(); ++d) {
    if (e.twins.front().outputs[d].normal.p_values.size() != statistic_count) continue;
    add_rows_of_detector(e, halves, d, changed, options, tables);
    if (e.detectors[d] == "dynamics") add_uniformity(e, halves, d, options, tables);
  }
  if (options.violation_model) add_rows_of_naive(e, halves, *options.violation_model, options, tables);
  return tables;
}

}  // namespace startle
