#include "surprise/dynamics/context_ranks.hpp"

#include <algorithm>

#include "core/math.hpp"

namespace startle {
namespace {

constexpr std::size_t quantile_count = 19;
constexpr double quantile_step = 0.05;
constexpr std::size_t most_bins = 10;

template <typename Bin>
const Bin& bin_of(const std::vector<Bin>& bins, double context) {
  for (std::size_t i = 0; i + 1 < bins.size(); ++i)
    if (context <= bins[i].upto) return bins[i];
  return bins.back();
}

/// Chance of a score below this one, `or_tied`: or as this one.
double share_below(const ContextRanks::Bin& bin, double score, bool or_tied) {
  const std::vector<double>& q = bin.quantiles;
  const auto next = or_tied ? std::upper_bound(q.begin(), q.end(), score)
                            : std::lower_bound(q.begin(), q.end(), score);
  if (next == q.begin()) return quantile_step * math::exp(-(q.front() - score) / bin.low_excess);
  if (next == q.end()) return 1 - quantile_step * math::exp(-(score - q.back()) / bin.high_excess);
  const auto i = static_cast<std::size_t>(next - q.begin());
  return quantile_step * (static_cast<double>(i) + (score - q[i - 1]) / (q[i] - q[i - 1]));
}

/// `scores`: in ascending order.
ContextRanks::Bin bin_of_scores(const std::vector<double>& scores) {
  constexpr double least_excess = 1e-6;
  const auto at = [&](double share) {  // linear between order statistics
    const double place = share * static_cast<double>(scores.size() - 1);
    const auto i = static_cast<std::size_t>(place);
    return i + 1 < scores.size() ? scores[i] + (place - static_cast<double>(i)) * (scores[i + 1] - scores[i])
                                 : scores[i];
  };
  ContextRanks::Bin bin;
  for (std::size_t i = 1; i <= quantile_count; ++i)
    bin.quantiles.push_back(at(quantile_step * static_cast<double>(i)));
  double low = 0, high = 0;
  int below = 0, above = 0;
  for (const double score : scores) {
    if (score < bin.quantiles.front()) low += bin.quantiles.front() - score, ++below;
    if (score > bin.quantiles.back()) high += score - bin.quantiles.back(), ++above;
  }
  bin.low_excess = std::max(least_excess, below > 0 ? low / below : 0);
  bin.high_excess = std::max(least_excess, above > 0 ? high / above : 0);
  return bin;
}

}  // namespace

double ContextRanks::below(double context, double score) const {
  return bins.empty() ? 1 : std::clamp(share_below(bin_of(bins, context), score, true), least_p, 1.0);
}

double ContextRanks::above(double context, double score) const {
  return bins.empty() ? 1 : std::clamp(1 - share_below(bin_of(bins, context), score, false), least_p, 1.0);
}

double ContextRanks::either(double context, double score) const {
  return std::min(1.0, 2 * std::min(below(context, score), above(context, score)));
}

double ContextScores::above(double context, double score) const {
  if (bins.empty()) return 1;
  const std::vector<double>& scores = bin_of(bins, context).scores;
  const auto at_least = scores.end() - std::lower_bound(scores.begin(), scores.end(), score);
  return static_cast<double>(at_least + 1) / static_cast<double>(scores.size() + 1);
}

ContextScores scores_by_context(std::vector<ContextScore> normal) {
  ContextScores by_context;
  if (normal.size() < least_normal_shots) return by_context;
  std::stable_sort(normal.begin(), normal.end(),
                   [](const ContextScore& a, const ContextScore& b) { return a.context < b.context; });
  const std::size_t count = std::clamp<std::size_t>(normal.size() / shots_a_bin, 1, most_bins);
  for (std::size_t b = 0; b < count; ++b) {
    const std::size_t from = b * normal.size() / count, to = (b + 1) * normal.size() / count;
    ContextScores::Bin bin{.upto = normal[to - 1].context, .scores = {}};
    for (std::size_t i = from; i < to; ++i) bin.scores.push_back(normal[i].score);
    std::sort(bin.scores.begin(), bin.scores.end());
    by_context.bins.push_back(std::move(bin));
  }
  return by_context;
}

ContextRanks rank_contexts(std::vector<ContextScore> normal) {
  ContextRanks ranks;
  for (const ContextScores::Bin& bin : scores_by_context(std::move(normal)).bins) {
    ranks.bins.push_back(bin_of_scores(bin.scores));
    ranks.bins.back().upto = bin.upto;
  }
  return ranks;
}

}  // namespace startle
