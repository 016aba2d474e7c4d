#include "reports/benchmark_report.hpp"

#include <algorithm>
#include <functional>

#include "reports/estimates.hpp"
#include "reports/tiers.hpp"
#include "sim/text.hpp"
#include "statistics/significance.hpp"
#include "statistics/trend.hpp"

namespace startle {
namespace {

constexpr std::uint64_t resampling_seed = 1;

using Levels = std::vector<const BenchmarkLevel*>;
using LevelMeasure = std::function<double(const BenchmarkLevel&)>;

double share(const ShownShare& shown) { return shown.targets == 0 ? 0 : static_cast<double>(shown.shown) / static_cast<double>(shown.targets); }
double visible(const BenchmarkLevel& level) { return share(level.truth.with_novelty); }
double visible_without(const BenchmarkLevel& level) { return share(level.truth.without_novelty); }
double birds(const BenchmarkLevel& level) { return static_cast<double>(level.birds); }
double objects(const BenchmarkLevel& level) { return static_cast<double>(level.objects); }
double grounded_value(const BenchmarkLevel& level) { return level.truth.value; }

Estimate mean(const Levels& levels, const LevelMeasure& of) {
  Estimate estimate{.count = levels.size()};
  if (levels.empty()) return estimate;
  const auto mean_of = [&](const std::vector<std::size_t>& which) -> std::optional<double> {
    double sum = 0;
    for (const std::size_t i : which) sum += of(*levels[i]);
    return sum / static_cast<double>(which.size());
  };
  std::vector<std::size_t> all(levels.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  estimate.value = mean_of(all);
  if (levels.size() > 1) estimate.interval = bootstrap_interval(levels.size(), mean_of, resampling_seed);
  return estimate;
}

Levels chosen(const std::vector<BenchmarkLevel>& levels, const std::string& novelty, std::optional<Tier> tier) {
  Levels some;
  for (const BenchmarkLevel& level : levels)
    if ((novelty.empty() || level.novelty == novelty) && (!tier || level.tier == *tier)) some.push_back(&level);
  return some;
}

/// p of a trend over the tiers; 1 where there is nothing that could have one.
double trend_p(const std::vector<BenchmarkLevel>& levels, const std::string& novelty, const LevelMeasure& of) {
  std::vector<std::vector<double>> groups;
  for (const Tier tier : tiers) {
    groups.emplace_back();
    for (const BenchmarkLevel* level : chosen(levels, novelty, tier)) groups.back().push_back(of(*level));
  }
  const auto test = jonckheere_terpstra(groups);
  return test ? test->p : 1;
}

std::string p_text(double p) { return p < 0.0001 ? "< 0.0001" : fixed(p, 4); }

}  // namespace

Rows benchmark_table(const std::vector<BenchmarkLevel>& levels) {
  std::vector<std::string> novelties;
  for (const BenchmarkLevel& level : levels)
    if (std::find(novelties.begin(), novelties.end(), level.novelty) == novelties.end()) novelties.push_back(level.novelty);
  std::vector<double> of_visible;
  for (const std::string& novelty : novelties) of_visible.push_back(trend_p(levels, novelty, visible));
  std::vector<double> adjusted = holm_adjusted(of_visible);
  if (novelties.size() > 1) {
    novelties.emplace_back();
    adjusted.push_back(trend_p(levels, "", visible));
  }
  Rows rows{{"novelty", "tier", "levels", "birds", "objects", "visible share of targets", "without novelty", "value, simulation", "trend p, visible", "birds", "objects"}};
  for (std::size_t n = 0; n < novelties.size(); ++n) {
    for (const Tier tier : tiers) {
      const Levels some = chosen(levels, novelties[n], tier);
      rows.push_back({novelties[n].empty() ? "all" : novelties[n], name(tier), std::to_string(some.size()), number(mean(some, birds).value, 2), number(mean(some, objects).value, 1),
                      with_interval(mean(some, visible)), with_interval(mean(some, visible_without)), number(mean(some, grounded_value).value), "", "", ""});
    }
    rows.back()[8] = p_text(adjusted[n]);
    rows.back()[9] = p_text(trend_p(levels, novelties[n], birds));
    rows.back()[10] = p_text(trend_p(levels, novelties[n], objects));
  }
  return rows;
}

Rows benchmark_level_rows(const std::vector<BenchmarkLevel>& levels) {
  Rows rows{{"level", "novelty", "tier", "value", "birds", "objects", "visible_share", "visible_share_without_novelty", "targets", "pid_simulation", "bid_simulation", "value_simulation"}};
  for (const BenchmarkLevel& l : levels)
    rows.push_back({l.name, l.novelty, name(l.tier), shortest(l.value), std::to_string(l.birds), std::to_string(l.objects), shortest(visible(l)), shortest(visible_without(l)),
                    std::to_string(l.truth.with_novelty.targets), shortest(l.truth.pid), shortest(l.truth.bid), shortest(l.truth.value)});
  return rows;
}

}  // namespace startle
