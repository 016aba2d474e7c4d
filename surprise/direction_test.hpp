#pragma once
/// \file  Tests of predicted frames by direction: which way each material was off, from pictures alone.
///
/// A sum of squared errors asks whether anything was off. By likelihood-ratio theory [Lin §3] one asks for
/// what a change would do: a body whose gravity is larger is lower than predicted, in proportion to how much
/// speed it was predicted to gain. A residual is taken in scales: x is the residual less the median of normal
/// clips in context, over a scale, which is 1.4826 times their median absolute deviation, and at least 0.05
/// pixels (areas: 0.5). The sensitivity s is the predicted change of speed, at most 3 pixels a frame^2, over
/// the same scale; of areas it is 1 over it.
///
/// - *down*: how much speed a body gains downwards is known but for a factor. So a change by half is tested
///   by its likelihood ratio, with residuals that follow a Cauchy distribution: the sum over a clip of
///   log(1 + x^2) - log(1 + (x - s/2)^2), x not below 0, and the same of -x for less. One in ten normal
///   residuals is of a hit that could not be predicted; it counts little, as it is no more like the change
///   than like the normal world.
/// - What the others show, above all contacts, may change by anything. So theirs is the *score* [Rao 1948],
///   the best test of small changes: the sum of x s, x cut off at 3 either way, over sqrt(information + 1).
///
/// The information is the sum of s^2. Both ways of a statistic are ranked among normal clips with about as
/// much information. So a normal clip has uniform p-values whatever moves in it and however good the
/// predictor is, and evidence of one statistic adds up over shots (statistics/sequential_evidence.hpp).
#include <array>
#include <cstddef>
#include <vector>

#include "statistics/sequential_evidence.hpp"
#include "surprise/displacement.hpp"
#include "surprise/dynamics/contact_event.hpp"
#include "surprise/dynamics/context_ranks.hpp"
#include "surprise/evaluation.hpp"

namespace startle {

/// What is looked at.
enum class DirectionChannel {
  down,   ///< how far lower a region is than predicted, by how fast it was predicted to gain speed downwards
  along,  ///< how far ahead in its direction, by how fast it was predicted to gain speed
  against,  ///< how far behind, by how fast it was predicted to lose speed
  area      ///< how much more of the colour is seen than predicted, in frames that change it by over a pixel
};
inline constexpr std::size_t direction_channel_count = 4;
const char* name(DirectionChannel channel);

/// Index of a PValues: ((material * direction_channel_count) + channel) * 2 + more. `more`: there is more of
/// it than predicted.
inline constexpr std::size_t direction_statistic_count = 2 * changeable_count * direction_channel_count;
struct DirectionStatistic {
  MaterialClass material = MaterialClass::wood;
  DirectionChannel channel = DirectionChannel::down;
  bool more = false;
};
/// index < direction_statistic_count.
DirectionStatistic direction_statistic(std::size_t index);
/// Names of all by index: "stone down, less".
std::vector<std::string> direction_statistics();

/// One region, or one material's area in one frame, as a channel sees it.
struct DirectionObservation {
  int frame = 0;  ///< t, 1 ... T - 1
  DirectionChannel channel = DirectionChannel::down;
  MaterialClass material = MaterialClass::wood;
  double residual = 0;     ///< pixels; above 0: more
  double sensitivity = 0;  ///< pixels a frame^2, (0, 3]; of areas 1
  double context = 0;  ///< MovingRegion::match; of areas the pixels by which the area was predicted to change
};
std::vector<DirectionObservation> direction_observations(const Residuals& residuals);

/// Statistics of a clip for more and for less than predicted, without unit: the larger, the more they speak
/// for it. `information` is 0 where the clip says nothing.
struct DirectionSum {
  double more = 0, less = 0, information = 0;
};
using DirectionSums = std::array<std::array<DirectionSum, direction_channel_count>, changeable_count>;

/// Scales and ranks learned from normal clips.
class DirectionTest {
 public:
  /// Channels and materials with fewer than least_normal_shots (surprise/dynamics/context_ranks.hpp) of these
  /// clips say nothing.
  explicit DirectionTest(const std::vector<const Residuals*>& normal);
  DirectionSums sums(const Residuals& clip) const;
  /// direction_statistic_count of them, in [min_direction_p, 1]; none where a statistic says nothing of the
  /// clip.
  PValues p_values(const Residuals& clip) const;

 private:
  /// Medians, and scales from median absolute deviations, in bins of sensitivity with about as many
  /// observations, and in each for the lower and the upper half of contexts.
  struct Scale {
    double centre = 0, scale = 1;
  };
  struct Bin {
    double upto = 0;     ///< largest sensitivity; that of the last bin means nothing
    double context = 0;  ///< median
    std::array<Scale, 2> scales;
  };
  static std::vector<Bin> bins_of(std::vector<DirectionObservation> observations);
  PValues p_values(const DirectionSums& sums) const;

  template <typename T>
  using ByStatistic = std::array<std::array<T, direction_channel_count>, changeable_count>;
  ByStatistic<std::vector<Bin>> scales_;    ///< none: too few observations
  ByStatistic<ContextScores> more_, less_;  ///< of the normal clips' sums
};

/// No p is smaller: a single shot may hold a collision that nobody can predict.
inline constexpr double min_direction_p = 0.01;

/// An evaluation in which each predictor of frames stands once more among the detectors: "model, direction
/// test". Of ten groups of levels, each is tested by the normal clips of the other nine. A clip's own p ranks
/// the evidence of its statistics. With too few normal clips p is 1 and says nothing, as for
/// with_calibrated_predictors() (surprise/detection.hpp), which comes first.
Evaluation with_direction_tests(Evaluation evaluation);

}  // namespace startle
