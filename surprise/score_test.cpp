#include "surprise/score_test.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/math.hpp"

namespace startle {
namespace {

constexpr double max_scales = 3;        // residuals are cut off there
constexpr double max_acceleration = 3;  // pixels a frame^2: what is predicted to change more has been hit
constexpr double min_displacement_scale = 0.05;  // pixels: scales of displacements are no smaller,
constexpr double min_area_scale = 0.5;           // nor those of areas
constexpr double min_area_change = 1;            // pixels: an area that changes by less says nothing
constexpr std::size_t min_observations = 30, observations_per_bin = 60, max_bins = 4;
constexpr std::size_t groups = 10;  // of levels

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double context_of(const ScoreSum& sum) { return math::log(sum.information); }
double standardised(const ScoreSum& sum) { return sum.score / std::sqrt(sum.information + 1); }

}  // namespace

const char* name(ScoreChannel channel) {
  static constexpr std::array<const char*, score_channel_count> names{"down", "along", "against", "area"};
  return names[static_cast<std::size_t>(channel)];
}

std::vector<ScoreObservation> score_observations(const Residuals& residuals) {
  std::vector<ScoreObservation> all;
  for (const MovingRegion& region : residuals.regions) {
    const Vec2 acceleration = region.motion - region.motion_before,
               direction = (1 / length(region.motion)) * region.motion;
    const double gained = dot(acceleration, direction), ahead = dot(region.residual, direction);
    const auto add = [&](ScoreChannel channel, double residual, double sensitivity) {
      if (sensitivity > 0)
        all.push_back(
            {channel, region.material, residual, std::min(sensitivity, max_acceleration), region.match});
    };
    add(ScoreChannel::down, region.residual.y, acceleration.y);
    add(ScoreChannel::along, ahead, gained);
    add(ScoreChannel::against, -ahead, -gained);
  }
  for (const ColourArea& area : residuals.areas)
    if (std::max(std::fabs(area.predicted - area.before), std::fabs(area.seen - area.before)) >
        min_area_change)
      all.push_back({ScoreChannel::area, area.material, area.seen - area.predicted, 1,
                     std::fabs(area.predicted - area.before)});
  return all;
}

std::vector<ScoreTest::Bin> ScoreTest::bins_of(std::vector<ScoreObservation> observations) {
  std::vector<Bin> bins;
  const std::size_t count = observations.size();
  if (count < min_observations) return bins;
  std::stable_sort(
      observations.begin(), observations.end(),
      [](const ScoreObservation& a, const ScoreObservation& b) { return a.sensitivity < b.sensitivity; });
  const double least = observations.front().channel == ScoreChannel::area ? min_area_scale
                                                                          : min_displacement_scale;
  const std::size_t parts = std::clamp<std::size_t>(count / observations_per_bin, 1, max_bins);
  for (std::size_t b = 0; b < parts; ++b) {
    const auto from = observations.begin() + static_cast<std::ptrdiff_t>(b * count / parts),
               to = observations.begin() + static_cast<std::ptrdiff_t>((b + 1) * count / parts);
    std::vector<double> contexts;
    std::array<std::vector<double>, 2> residuals;
    for (auto o = from; o != to; ++o) contexts.push_back(o->context);
    Bin bin{.upto = (to - 1)->sensitivity, .context = median(contexts), .scales = {}};
    for (auto o = from; o != to; ++o) residuals[o->context > bin.context].push_back(o->residual);
    if (residuals[1].empty()) residuals[1] = residuals[0];  // all contexts are equal
    for (std::size_t half = 0; half < 2; ++half) {
      const double centre = median(residuals[half]);
      std::vector<double> off;
      for (const double residual : residuals[half]) off.push_back(std::fabs(residual - centre));
      // 1.4826: the standard deviation of a normal distribution over its median absolute deviation
      bin.scales[half] = {centre, std::max(least, 1.4826 * median(off))};
    }
    bins.push_back(bin);
  }
  return bins;
}

ScoreTest::ScoreTest(const std::vector<const Residuals*>& normal) {
  ByStatistic<std::vector<ScoreObservation>> observations;
  for (const Residuals* clip : normal)
    for (const ScoreObservation& o : score_observations(*clip))
      observations[static_cast<std::size_t>(o.material)][static_cast<std::size_t>(o.channel)].push_back(o);
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t c = 0; c < score_channel_count; ++c)
      scales_[m][c] = bins_of(std::move(observations[m][c]));
  ByStatistic<std::vector<ContextScore>> scores, negative;
  for (const Residuals* clip : normal) {
    const ScoreSums of_clip = sums(*clip);
    for (std::size_t m = 0; m < changeable_count; ++m)
      for (std::size_t c = 0; c < score_channel_count; ++c) {
        const ScoreSum& sum = of_clip[m][c];
        if (sum.information == 0) continue;
        scores[m][c].push_back({context_of(sum), standardised(sum)});
        negative[m][c].push_back({context_of(sum), -standardised(sum)});
      }
  }
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t c = 0; c < score_channel_count; ++c) {
      scores_[m][c] = scores_by_context(std::move(scores[m][c]));
      negative_[m][c] = scores_by_context(std::move(negative[m][c]));
    }
}

ScoreSums ScoreTest::sums(const Residuals& clip) const {
  ScoreSums sums;
  for (const ScoreObservation& o : score_observations(clip)) {
    const std::vector<Bin>& bins =
        scales_[static_cast<std::size_t>(o.material)][static_cast<std::size_t>(o.channel)];
    if (bins.empty()) continue;
    const auto found = std::find_if(bins.begin(), bins.end() - 1,
                                    [&](const Bin& bin) { return o.sensitivity <= bin.upto; });
    const Scale& scale = found->scales[o.context > found->context];
    const double sensitivity = o.sensitivity / scale.scale;
    ScoreSum& sum = sums[static_cast<std::size_t>(o.material)][static_cast<std::size_t>(o.channel)];
    sum.score += std::clamp((o.residual - scale.centre) / scale.scale, -max_scales, max_scales) * sensitivity;
    sum.information += sensitivity * sensitivity;
  }
  return sums;
}

PValues ScoreTest::p_values(const ScoreSums& sums) const {
  PValues p_values(score_statistic_count);
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t c = 0; c < score_channel_count; ++c) {
      const ScoreSum& sum = sums[m][c];
      if (sum.information == 0 || scores_[m][c].bins.empty()) continue;
      const std::size_t less = 2 * (m * score_channel_count + c);
      p_values[less] = std::max(min_score_p, negative_[m][c].above(context_of(sum), -standardised(sum)));
      p_values[less + 1] = std::max(min_score_p, scores_[m][c].above(context_of(sum), standardised(sum)));
    }
  return p_values;
}

PValues ScoreTest::p_values(const Residuals& clip) const { return p_values(sums(clip)); }

Evaluation with_score_tests(Evaluation e) {
  for (std::size_t p = 0; p < e.predictors.size() && !e.twins.empty(); ++p) {
    if (e.twins.front().predictors[p].normal.residuals.areas.empty()) continue;  // it predicts no frames
    const std::size_t detector = e.detectors.size();
    e.detectors.push_back(e.predictors[p] + ", score test");
    for (EvaluatedTwin& twin : e.twins) twin.outputs.emplace_back();
    const auto of_others = [&](std::size_t group, const auto& take) {
      for (const EvaluatedTwin& twin : e.twins)
        if (twin.level % groups != group) take(twin);
    };
    for (std::size_t group = 0; group < groups; ++group) {
      std::vector<const Residuals*> normal;
      of_others(group,
                [&](const EvaluatedTwin& twin) { normal.push_back(&twin.predictors[p].normal.residuals); });
      const ScoreTest test(normal);
      for (EvaluatedTwin& twin : e.twins)
        if (twin.level % groups == group)
          twin.outputs[detector] = {{1, test.p_values(twin.predictors[p].normal.residuals)},
                                    {1, test.p_values(twin.predictors[p].novel.residuals)}};
    }
    // Of a whole clip: its evidence among that of normal clips with as many statistics that say something.
    const auto whole = [&](const DetectorOutput& output) {
      const auto said = std::count_if(output.p_values.begin(), output.p_values.end(),
                                      [](const std::optional<double>& value) { return value.has_value(); });
      return ContextScore{static_cast<double>(said), log_evidence(output.p_values)};
    };
    for (std::size_t group = 0; group < groups; ++group) {
      std::vector<ContextScore> normal;
      of_others(group,
                [&](const EvaluatedTwin& twin) { normal.push_back(whole(twin.outputs[detector].normal)); });
      const ContextScores ranks = scores_by_context(std::move(normal));
      for (EvaluatedTwin& twin : e.twins)
        if (twin.level % groups == group)
          for (DetectorOutput* output : {&twin.outputs[detector].normal, &twin.outputs[detector].novel}) {
            const ContextScore of_clip = whole(*output);
            output->p = ranks.above(of_clip.context, of_clip.score);
          }
    }
  }
  return e;
}

}  // namespace startle
