#pragma once
/// \file  The just-noticeable strength of a novelty: how detection grows with strength, by the reference
/// observer and by other detectors, and as reasoning predicts the observer's.
///
/// In each level the best target's shot, by reasoning in the normal world, is launched several times with aim
/// noise, each launch in the normal world and in the novel one at each strength. What is detected has a
/// p-value of at most `alpha`. Detection against strength is a psychometric curve from alpha (strength 0:
/// false alarms) up; its threshold is the strength detected with chance one half above false alarms, alpha +
/// (1 - alpha)/2.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "difficulty/difficulty.hpp"
#include "simulated/observer.hpp"
#include "statistics/intervals.hpp"

namespace startle {

struct ThresholdOptions {
  std::vector<double> strengths{0.25, 0.5, 1, 2, 4};  ///< ascending, each over 0 to greatest_strength
  int launches = 4;                                   ///< launches a level, 0 to 1000; 0: prediction alone
  double alpha = 0.05;       ///< p-value up to which a shot is detected, 1/(observer.simulations + 1) to 0.5
  ObserverOptions observer;  ///< its seed is of the launches, too
};
/// Throws Error naming the option, what was found and what is allowed.
void require_valid(const ThresholdOptions& options);

/// A detector that gives a p-value of a shot, beside the reference observer.
struct StrengthDetector {
  int record_every = 1;  ///< steps between the frames that it sees
  std::function<double(const Scene& before, const Trace& seen)> p;
};

/// What one level contributes, at strength 0 and then at each strength.
struct LevelDetection {
  bool novel = false;   ///< false: it holds nothing that the novelty changes; no more is said then
  bool target = false;  ///< false: it has no target to shoot at; nothing is launched or predicted then
  int shots = 0;
  std::vector<std::vector<int>> detected;  ///< of `shots`, by the observer and then by each other detector
  std::vector<double> predicted;           ///< chance that the observer detects that shot
};

/// `normal` at rest, no object novel; `name` is the level's, which its launches are drawn by.
LevelDetection detect_at_strengths(const Scene& normal, const std::string& name, const Novelty& novelty,
                                   const ThresholdOptions& options,
                                   const std::vector<StrengthDetector>& others = {});

struct StrengthPoint {
  double strength = 0;
  Rate detected;                             ///< of all shots
  std::optional<IntervalEstimate> interval;  ///< of that rate, 95 %, levels drawn; empty where most draws
                                             ///< hold no shot at that strength
  std::optional<double> predicted;           ///< mean chance predicted of the observer; empty of others
  std::optional<IntervalEstimate> predicted_interval;
};

/// The just-noticeable strength, with 95 % limits, levels drawn; empty: above the greatest strength.
struct StrengthThreshold {
  std::optional<double> strength, low, high;
};

struct DetectionCurve {
  std::size_t levels = 0;  ///< that count: with something novel and a target; of people: participants
  std::size_t without_novel = 0, without_target = 0;
  double false_alarms = 0;  ///< the chance that the threshold stands over: alpha; of people their share at
                            ///< strength 0
  std::vector<StrengthPoint> points;           ///< the first: strength 0
  std::optional<StrengthThreshold> threshold;  ///< empty: nothing was launched
  std::optional<StrengthThreshold> predicted;  ///< of the predicted curve; empty where there is none
};

/// What is drawn with replacement for intervals, a level or a participant: at strength 0 and then at each
/// strength how much was detected, and the chance predicted; empty where nothing is.
struct StrengthCounts {
  std::vector<Rate> detected;
  std::vector<double> predicted;
};
/// `alpha` empty: false alarms are the share detected at strength 0, 0 without shots at it. At least one
/// unit.
DetectionCurve detection_curve(const std::vector<StrengthCounts>& units, const std::vector<double>& strengths,
                               std::optional<double> alpha, std::uint64_t seed);

/// Of one detector: 0 is the observer, of which alone there is a prediction, then the others. Throws Error
/// when no level counts.
DetectionCurve detection_curve(const std::vector<LevelDetection>& levels, const ThresholdOptions& options,
                               std::size_t detector = 0);

/// The least strength at which the rates, made monotone (isotonic regression, equal weights) and joined by
/// straight lines from (0, alpha), reach alpha + (1 - alpha)/2; empty when they do not. One rate a strength.
std::optional<double> detection_threshold(const std::vector<double>& strengths,
                                          const std::vector<double>& rates, double alpha);

}  // namespace startle
