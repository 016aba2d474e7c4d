#include "simulated/threshold.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/random.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

/// Stands for a threshold above the greatest strength where samples of thresholds are ordered.
constexpr double beyond = 1e6;

void refuse(const std::string& option, const std::string& found, const std::string& allowed) {
  throw Error("threshold: " + option + ": found " + found + ", allowed " + allowed);
}

std::optional<Shot> best_shot(const Interaction& first) {
  if (!first.best) return std::nullopt;
  return first.targets[*first.best].shot();
}

}  // namespace

void require_valid(const ThresholdOptions& options) {
  if (options.strengths.empty()) refuse("strengths", "none", "are one or more");
  double last = 0;
  for (const double strength : options.strengths) {
    if (!(strength > last && strength <= greatest_strength))
      refuse("strengths", std::to_string(strength) + (last > 0 ? " after " + std::to_string(last) : ""),
             "are ascending numbers over 0 to " + std::to_string(static_cast<int>(greatest_strength)));
    last = strength;
  }
  if (options.launches < 0 || options.launches > 1000)
    refuse("launches", std::to_string(options.launches), "are 0 to 1000");
  require_valid(options.observer);
  if (!(options.alpha * (options.observer.simulations + 1) > 1 - 1e-9 && options.alpha <= 0.5))
    refuse("alpha", std::to_string(options.alpha), "is 1/(simulations + 1) to 0.5");
}

LevelDetection detect_at_strengths(const Scene& normal, const std::string& name, const Novelty& novelty,
                                   const ThresholdOptions& options,
                                   const std::vector<StrengthDetector>& others) {
  require_valid(options);
  LevelDetection detection;
  std::vector<Scene> worlds{normal};
  for (const double strength : options.strengths)
    worlds.push_back(novel_twin(normal, at_strength(novelty, strength)));
  detection.novel = std::any_of(worlds.begin(), worlds.end(), anything_novel);
  if (!detection.novel) return detection;

  if (normal.birds_left() == 0) return detection;
  // Of the normal world: the same at all strengths.
  const std::optional<Shot> shot = best_shot(compute_difficulty(normal, novelty).interactions.front());
  detection.target = shot.has_value();
  if (!shot) return detection;

  const OrderedScene ordered(normal);
  detection.predicted.push_back(false_alarm_chance);
  for (const double strength : options.strengths)
    detection.predicted.push_back(detection_chance(ordered, at_strength(novelty, strength), *shot));

  detection.shots = options.launches;
  detection.detected.assign(1 + others.size(), std::vector<int>(worlds.size(), 0));
  if (options.launches == 0) return detection;
  Observer observer(normal, *shot, {}, options.observer);
  for (int launch = 0; launch < options.launches; ++launch) {
    Shot perturbed = *shot;
    perturbed.angle += aim_perturbation(options.observer.aim_noise, stream_seed(options.observer.seed, name),
                                        static_cast<std::uint64_t>(launch));
    const auto seen = [&](const Scene& world, int record_every) {
      return run_shot(world, perturbed, {.record_every = record_every}).trace;
    };
    for (std::size_t k = 0; k < worlds.size(); ++k) {
      detection.detected[0][k] += observer.detects(seen(worlds[k], observer.record_every()), options.alpha);
      for (std::size_t j = 0; j < others.size(); ++j)
        detection.detected[1 + j][k] += others[j].p(normal, seen(worlds[k], others[j].record_every)) <=
                                        options.alpha + 1e-12;
    }
  }
  return detection;
}

std::optional<double> detection_threshold(const std::vector<double>& strengths,
                                          const std::vector<double>& rates, double alpha) {
  // Pool adjacent violators: blocks of (mean, length).
  std::vector<std::pair<double, std::size_t>> blocks;
  for (const double rate : rates) {
    blocks.emplace_back(rate, 1);
    while (blocks.size() > 1 && blocks[blocks.size() - 2].first > blocks.back().first) {
      const auto [mean, length] = blocks.back();
      blocks.pop_back();
      auto& [before, before_length] = blocks.back();
      before = (before * static_cast<double>(before_length) + mean * static_cast<double>(length)) /
               static_cast<double>(before_length + length);
      before_length += length;
    }
  }
  std::vector<double> monotone;
  for (const auto& [mean, length] : blocks) monotone.insert(monotone.end(), length, mean);

  const double wanted = alpha + (1 - alpha) / 2;
  double strength = 0, rate = alpha;
  for (std::size_t i = 0; i < monotone.size(); ++i) {
    if (monotone[i] >= wanted)
      return strength + (strengths[i] - strength) * (wanted - rate) / (monotone[i] - rate);
    strength = strengths[i];
    rate = std::max(alpha, monotone[i]);
  }
  return std::nullopt;
}

DetectionCurve detection_curve(const std::vector<StrengthCounts>& units, const std::vector<double>& strengths,
                               std::optional<double> alpha, std::uint64_t seed) {
  using Sample = std::vector<std::size_t>;
  const auto detected = [&](const Sample& sample, std::size_t k) {
    Rate rate;
    for (const std::size_t i : sample) {
      rate.hits += units[i].detected[k].hits;
      rate.count += units[i].detected[k].count;
    }
    return rate;
  };
  const bool with_prediction = !units.front().predicted.empty();
  const auto predicted = [&](const Sample& sample, std::size_t k) -> std::optional<double> {
    if (!with_prediction) return std::nullopt;
    double sum = 0;
    for (const std::size_t i : sample) sum += units[i].predicted[k];
    return sum / static_cast<double>(sample.size());
  };
  const auto false_alarms = [&](const Sample& sample) {
    return alpha ? *alpha : detected(sample, 0).value().value_or(0);
  };
  const auto crossed = [&](const Sample& sample, const auto& share) {
    std::vector<double> visible, rates;  // a sample may hold no shot at a strength
    for (std::size_t k = 0; k < strengths.size(); ++k)
      if (const std::optional<double> rate = share(sample, k + 1)) {
        visible.push_back(strengths[k]);
        rates.push_back(*rate);
      }
    return detection_threshold(visible, rates, false_alarms(sample));
  };
  Sample all(units.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto threshold_of = [&](const auto& share) {
    const IntervalEstimate interval = *bootstrap_interval(
        all.size(), [&](const Sample& s) { return std::optional(crossed(s, share).value_or(beyond)); }, seed);
    const auto within = [&](double strength) {
      return strength <= strengths.back() ? std::optional(strength) : std::nullopt;
    };
    return StrengthThreshold{crossed(all, share), within(interval.low), within(interval.high)};
  };
  const auto measured = [&](const Sample& sample, std::size_t k) { return detected(sample, k).value(); };

  DetectionCurve curve{.levels = units.size()};
  curve.false_alarms = false_alarms(all);
  bool launched = false;
  for (std::size_t k = 0; k <= strengths.size(); ++k) {
    const auto interval_of = [&](const auto& share) {
      return bootstrap_interval(
          all.size(), [&](const Sample& s) { return share(s, k); }, seed);
    };
    curve.points.push_back({.strength = k == 0 ? 0 : strengths[k - 1],
                            .detected = detected(all, k),
                            .interval = interval_of(measured),
                            .predicted = predicted(all, k),
                            .predicted_interval = interval_of(predicted)});
    launched = launched || curve.points.back().detected.count > 0;
  }
  if (launched) curve.threshold = threshold_of(measured);
  if (with_prediction) curve.predicted = threshold_of(predicted);
  return curve;
}

DetectionCurve detection_curve(const std::vector<LevelDetection>& levels, const ThresholdOptions& options,
                               std::size_t detector) {
  require_valid(options);
  std::size_t without_novel = 0, without_target = 0;
  std::vector<StrengthCounts> counted;
  for (const LevelDetection& level : levels) {
    without_novel += !level.novel;
    without_target += level.novel && !level.target;
    if (!level.novel || !level.target) continue;
    StrengthCounts& counts = counted.emplace_back();
    for (const int hits : level.detected[detector])
      counts.detected.push_back({static_cast<std::size_t>(hits), static_cast<std::size_t>(level.shots)});
    if (detector == 0) counts.predicted = level.predicted;
  }
  if (counted.empty())
    throw Error("threshold: of " + std::to_string(levels.size()) + " levels, " +
                std::to_string(without_novel) + " hold nothing that the novelty changes and " +
                std::to_string(without_target) + " have no target: none is left");
  DetectionCurve curve = detection_curve(counted, options.strengths, options.alpha, options.observer.seed);
  curve.without_novel = without_novel;
  curve.without_target = without_target;
  return curve;
}

}  // namespace startle
