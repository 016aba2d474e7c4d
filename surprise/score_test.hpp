#pragma once
/// \file  Score tests of predicted frames: in which direction each material was off, from pictures alone.
///
/// A sum of squared errors asks whether anything was off. By likelihood-ratio theory [Lin §3] the locally
/// best test of a small change of a parameter is its *score* [Rao 1948]: what was not predicted, projected on
/// how the frame would change with the parameter, relative to what is usual. A body whose gravity is a little
/// larger is lower than predicted, in proportion to how fast it was predicted to fall. So the score of a
/// channel and material is the sum over a clip of
///
///     residual / scale, cut off at 3 either way, times sensitivity / scale
///
/// with the residual's centre and scale learned from normal clips, in context. Its information is the sum of
/// (sensitivity/scale)^2. Score/sqrt(information + 1) is ranked both ways among normal clips with about as
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
enum class ScoreChannel {
  down,   ///< how far lower a region is than predicted, by how fast it was predicted to gain speed downwards
  along,  ///< how far ahead in its direction, by how fast it was predicted to gain speed
  against,  ///< how far behind, by how fast it was predicted to lose speed
  area      ///< how much more of the colour is seen than predicted, where it changes by a pixel or more
};
inline constexpr std::size_t score_channel_count = 4;
const char* name(ScoreChannel channel);

/// Index of a PValues: ((material * score_channel_count) + channel) * 2 + more. `more`: there is more of it
/// than predicted.
inline constexpr std::size_t score_statistic_count = 2 * changeable_count * score_channel_count;

/// One region, or one material's area in one frame, as a channel sees it.
struct ScoreObservation {
  ScoreChannel channel = ScoreChannel::down;
  MaterialClass material = MaterialClass::wood;
  double residual = 0;     ///< pixels; above 0: more
  double sensitivity = 0;  ///< pixels, over 0; of the area 1
  double context = 0;  ///< MovingRegion::match; of areas the pixels by which the area was predicted to change
};
std::vector<ScoreObservation> score_observations(const Residuals& residuals);

struct ScoreSum {
  double score = 0, information = 0;
};
using ScoreSums = std::array<std::array<ScoreSum, score_channel_count>, changeable_count>;

/// Scales and ranks learned from normal clips.
class ScoreTest {
 public:
  /// Channels and materials with fewer than least_normal_shots (surprise/dynamics/context_ranks.hpp) of these
  /// clips say nothing.
  explicit ScoreTest(const std::vector<const Residuals*>& normal);
  ScoreSums sums(const Residuals& clip) const;
  /// score_statistic_count of them, in [min_score_p, 1]; none where a statistic says nothing of the clip.
  PValues p_values(const Residuals& clip) const;

 private:
  /// Medians and median absolute deviations, in bins of sensitivity with about as many observations, and in
  /// each for the lower and the upper half of contexts.
  struct Scale {
    double centre = 0, scale = 1;
  };
  struct Bin {
    double upto = 0;     ///< largest sensitivity; that of the last bin means nothing
    double context = 0;  ///< median
    std::array<Scale, 2> scales;
  };
  static std::vector<Bin> bins_of(std::vector<ScoreObservation> observations);
  PValues p_values(const ScoreSums& sums) const;

  template <typename T>
  using ByStatistic = std::array<std::array<T, score_channel_count>, changeable_count>;
  ByStatistic<std::vector<Bin>> scales_;          ///< none: too few observations
  ByStatistic<ContextScores> scores_, negative_;  ///< of the clips' scores, and of them with the other sign
};

/// A single shot, which may hold a collision that nobody can predict, counts no more than this.
inline constexpr double min_score_p = 0.01;

/// An evaluation in which each predictor of frames stands once more among the detectors: "model, score test".
/// Of ten groups of levels, each is tested by the normal clips of the other nine. A clip's own p ranks the
/// evidence of its statistics. With too few normal clips p is 1 and says nothing, as for
/// with_calibrated_predictors() (surprise/detection.hpp), which comes first.
Evaluation with_score_tests(Evaluation evaluation);

}  // namespace startle
