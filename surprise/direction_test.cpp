#include "surprise/direction_test.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/math.hpp"

namespace startle {
namespace {

constexpr double gravity_change = 0.5;  // share of the predicted gain of speed downwards
constexpr double max_scales = 3;        // residuals of the other channels are cut off there
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

double context_of(const DirectionSum& sum) { return math::log(sum.information); }

/// Logarithm of the Cauchy density at x, up to a constant. Most residuals of normal clips are small, and one
/// in ten is of a hit that could not be predicted: a density with thin tails would take that for any change.
double log_cauchy(double x) { return -math::log(1 + x * x); }

}  // namespace

const char* name(DirectionChannel channel) {
  static constexpr std::array<const char*, direction_channel_count> names{"down", "along", "against", "area"};
  return names[static_cast<std::size_t>(channel)];
}

DirectionStatistic direction_statistic(std::size_t index) {
  return {static_cast<MaterialClass>(index / 2 / direction_channel_count),
          static_cast<DirectionChannel>(index / 2 % direction_channel_count), index % 2 == 1};
}

std::vector<std::string> direction_statistics() {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < direction_statistic_count; ++i) {
    const DirectionStatistic s = direction_statistic(i);
    names.push_back(std::string(name(s.material)) + " " + name(s.channel) + (s.more ? ", more" : ", less"));
  }
  return names;
}

std::vector<DirectionObservation> direction_observations(const Residuals& residuals) {
  std::vector<DirectionObservation> all;
  for (const MovingRegion& region : residuals.regions) {
    const Vec2 acceleration = region.motion - region.motion_before,
               direction = (1 / length(region.motion)) * region.motion;
    const double gained = dot(acceleration, direction), ahead = dot(region.residual, direction);
    const auto add = [&](DirectionChannel channel, double residual, double sensitivity) {
      if (sensitivity > 0)
        all.push_back({region.frame, channel, region.material, residual,
                       std::min(sensitivity, max_acceleration), region.match});
    };
    add(DirectionChannel::down, region.residual.y, acceleration.y);
    add(DirectionChannel::along, ahead, gained);
    add(DirectionChannel::against, -ahead, -gained);
  }
  for (const ColourArea& area : residuals.areas)
    if (std::max(std::fabs(area.predicted - area.before), std::fabs(area.seen - area.before)) >
        min_area_change)
      all.push_back({area.frame, DirectionChannel::area, area.material, area.seen - area.predicted, 1,
                     std::fabs(area.predicted - area.before)});
  return all;
}

std::vector<DirectionTest::Bin> DirectionTest::bins_of(std::vector<DirectionObservation> observations) {
  std::vector<Bin> bins;
  const std::size_t count = observations.size();
  if (count < min_observations) return bins;
  std::stable_sort(observations.begin(), observations.end(),
                   [](const DirectionObservation& a, const DirectionObservation& b) {
                     return a.sensitivity < b.sensitivity;
                   });
  const double least = observations.front().channel == DirectionChannel::area ? min_area_scale
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

DirectionTest::DirectionTest(const std::vector<const Residuals*>& normal) {
  ByStatistic<std::vector<DirectionObservation>> observations;
  for (const Residuals* clip : normal)
    for (const DirectionObservation& o : direction_observations(*clip))
      observations[static_cast<std::size_t>(o.material)][static_cast<std::size_t>(o.channel)].push_back(o);
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t c = 0; c < direction_channel_count; ++c)
      scales_[m][c] = bins_of(std::move(observations[m][c]));
  ByStatistic<std::vector<ContextScore>> more, less;
  for (const Residuals* clip : normal) {
    const DirectionSums of_clip = sums(*clip);
    for (std::size_t m = 0; m < changeable_count; ++m)
      for (std::size_t c = 0; c < direction_channel_count; ++c) {
        const DirectionSum& sum = of_clip[m][c];
        if (sum.information == 0) continue;
        more[m][c].push_back({context_of(sum), sum.more});
        less[m][c].push_back({context_of(sum), sum.less});
      }
  }
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t c = 0; c < direction_channel_count; ++c) {
      more_[m][c] = scores_by_context(std::move(more[m][c]));
      less_[m][c] = scores_by_context(std::move(less[m][c]));
    }
}

DirectionSums DirectionTest::sums(const Residuals& clip) const {
  DirectionSums sums;
  for (const DirectionObservation& o : direction_observations(clip)) {
    const std::vector<Bin>& bins =
        scales_[static_cast<std::size_t>(o.material)][static_cast<std::size_t>(o.channel)];
    if (bins.empty()) continue;
    const auto found = std::find_if(bins.begin(), bins.end() - 1,
                                    [&](const Bin& bin) { return o.sensitivity <= bin.upto; });
    const Scale& scale = found->scales[o.context > found->context];
    const double off = (o.residual - scale.centre) / scale.scale, sensitivity = o.sensitivity / scale.scale;
    DirectionSum& sum = sums[static_cast<std::size_t>(o.material)][static_cast<std::size_t>(o.channel)];
    if (o.channel == DirectionChannel::down) {
      // What is off the other way counts as what is not off at all.
      const double change = gravity_change * sensitivity, lower = std::max(off, 0.0),
                   higher = std::max(-off, 0.0);
      sum.more += log_cauchy(lower - change) - log_cauchy(lower);
      sum.less += log_cauchy(higher - change) - log_cauchy(higher);
    } else {
      sum.more += std::clamp(off, -max_scales, max_scales) * sensitivity;
    }
    sum.information += sensitivity * sensitivity;
  }
  for (auto& of_material : sums)
    for (std::size_t c = 0; c < direction_channel_count; ++c) {
      if (c == static_cast<std::size_t>(DirectionChannel::down)) continue;
      DirectionSum& sum = of_material[c];
      sum.more /= std::sqrt(sum.information + 1);
      sum.less = -sum.more;
    }
  return sums;
}

PValues DirectionTest::p_values(const DirectionSums& sums) const {
  PValues p_values(direction_statistic_count);
  for (std::size_t m = 0; m < changeable_count; ++m)
    for (std::size_t c = 0; c < direction_channel_count; ++c) {
      const DirectionSum& sum = sums[m][c];
      if (sum.information == 0 || more_[m][c].bins.empty()) continue;
      const std::size_t less = 2 * (m * direction_channel_count + c);
      p_values[less] = std::max(min_direction_p, less_[m][c].above(context_of(sum), sum.less));
      p_values[less + 1] = std::max(min_direction_p, more_[m][c].above(context_of(sum), sum.more));
    }
  return p_values;
}

PValues DirectionTest::p_values(const Residuals& clip) const { return p_values(sums(clip)); }

Evaluation with_direction_tests(Evaluation e) {
  for (std::size_t p = 0; p < e.predictors.size() && !e.twins.empty(); ++p) {
    if (e.twins.front().predictors[p].normal.residuals.areas.empty()) continue;  // it predicts no frames
    const std::size_t detector = e.detectors.size();
    e.detectors.push_back(e.predictors[p] + ", direction test");
    e.statistics[e.detectors.back()] = direction_statistics();
    for (EvaluatedTwin& twin : e.twins) twin.outputs.emplace_back();
    const auto of_others = [&](std::size_t group, const auto& take) {
      for (const EvaluatedTwin& twin : e.twins)
        if (twin.level % groups != group) take(twin);
    };
    for (std::size_t group = 0; group < groups; ++group) {
      std::vector<const Residuals*> normal;
      of_others(group,
                [&](const EvaluatedTwin& twin) { normal.push_back(&twin.predictors[p].normal.residuals); });
      const DirectionTest test(normal);
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
