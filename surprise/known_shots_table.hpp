#pragma once
/// \file  How much more is detected when some shots of the novel world are known: tables of an evaluation.
///
/// The levels of each novelty and tier are split into halves by turns. Known shots are drawn from one half,
/// and shots of the other are tested, both ways. A shot is detected when it scores above the normal shots of
/// the tested half, but for 5 % of them: all detectors have equal false alarms.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "statistics/uniformity.hpp"
#include "surprise/evaluation_metrics.hpp"

namespace startle {

/// What a detector was given.
enum class Known {
  none,       ///< nothing: the detector's own p-value
  same,       ///< shots of the novelty tested
  other,      ///< shots of the other novelties of the set
  normal,     ///< normal shots in place of novel ones: what the procedure gives where nothing has changed
  shuffled,   ///< shots of the novelty and normal ones, called novel or normal at random
  all,        ///< every shot of the novelty in the other half
  mechanism,  ///< which statistics of the dynamics model are about what changed, and no shot: what knowing
              ///< shots can lead to
  violation_model  ///< a model trained on novel clips: surprise_naive
};
const char* name(Known known);

/// Rows on end that differ by tier alone: easy, medium, hard, all.
inline constexpr std::size_t known_shots_tiers = 4;
/// Numbers of known shots in the tables.
inline constexpr std::array<std::size_t, 4> known_shot_counts{5, 10, 20, 50};
inline constexpr double known_shots_false_alarms = 0.05;

struct KnownShotsOptions {
  std::uint64_t seed = 1;  ///< of the draws
  int draws = 100;         ///< of known shots, at least 1; each with tested levels drawn anew, for intervals
  std::optional<std::size_t> violation_model = {};  ///< predictor trained on violations, for surprise_naive
  int threads = 0;
};

struct KnownShotsRow {
  Selection of;          ///< novelty or all, tier or all
  std::string model;     ///< whose p-values are used: "dynamics", "dynamics-video"; of surprise_naive "model"
  std::string detector;  ///< one of known_shots_detectors() (known_shots.hpp); `none`, `mechanism`: "p",
                         ///< "evidence"; of the model "surprise", "surprise_naive"
  Known known = Known::none;
  std::size_t count = 0;              ///< known shots; 0 where it is not a number of shots
  std::size_t levels = 0, twins = 0;  ///< tested
  /// Means over draws, and the 2.5th to 97.5th percentile over draws of known shots and of tested levels.
  /// Empty where a half has fewer shots than `count`, or no mechanism is known to be about the novelty.
  Estimate detected;  ///< share of novel shots, at equal false alarms
  Estimate roc_auc;   ///< among the novelty's normal shots, mean over novelties by their shots
  Estimate closed;  ///< share of the way in `detected` from `none` to `mechanism`; empty where there is none
};

/// Whether the residuals of all shots of a novelty are spread evenly over directions [Lin §5].
struct KnownShotsUniformity {
  std::string novelty;
  UniformityTest test;
};

struct KnownShotsTables {
  std::vector<KnownShotsRow> rows;               ///< model x novelty or all x what is known x tier or all
  std::vector<KnownShotsUniformity> uniformity;  ///< of "dynamics"; novelties with more than 50 shots in
                                                 ///< which something deviates
};

/// Statistics of the dynamics model (DynamicsDetection::p_values) that are about what the novelty changes in
/// the scene, in their order: of each parameter of a material that changes, its mechanism, and whether it is
/// more or less. Empty for a change of the world as a whole.
std::vector<std::size_t> changed_statistics(const Scene& normal, const Novelty& novelty);

/// Of all detectors that have p-values by material and mechanism. The result does not depend on the number of
/// threads. Throws Error for an evaluation without twins, and for fewer draws than 1.
KnownShotsTables known_shots_tables(const Evaluation& evaluation, std::shared_ptr<const Profile> profile,
                                    const KnownShotsOptions& options = {});

}  // namespace startle
