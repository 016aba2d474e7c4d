#include "reports/benchmark_report.hpp"

#include <algorithm>
#include <functional>

#include "core/text.hpp"
#include "render/svg.hpp"
#include "reports/estimates.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"
#include "reports/tiers.hpp"
#include "statistics/significance.hpp"
#include "statistics/trend.hpp"

namespace startle {
namespace {

constexpr std::uint64_t resampling_seed = 1;
/// Levels of a novelty and tier that a bar of its own stands for; of fewer an interval over levels says
/// nothing.
constexpr std::size_t least_charted = 6;

/// A figure of a level; empty where it has none, as of a shot that it has not.
using LevelMeasure = std::function<std::optional<double>(const BenchmarkLevel&)>;

std::optional<double> birds(const BenchmarkLevel& level) { return static_cast<double>(level.birds); }
std::optional<double> objects(const BenchmarkLevel& level) { return static_cast<double>(level.objects); }
LevelMeasure visible(Rate VisibleShots::*of) {
  return [of](const BenchmarkLevel& level) { return (level.visible.*of).value(); };
}
LevelMeasure detected(Rate DetectedShots::*of) {
  return [of](const BenchmarkLevel& level) { return (level.detected.*of).value(); };
}

/// Of the levels of a novelty and tier; empty: of all novelties, of all tiers.
std::vector<double> values(const std::vector<BenchmarkLevel>& levels, const std::string& novelty,
                           std::optional<Tier> tier, const LevelMeasure& of) {
  std::vector<double> found;
  for (const BenchmarkLevel& level : levels)
    if ((novelty.empty() || level.novelty == novelty) && (!tier || level.tier == *tier))
      if (const auto value = of(level)) found.push_back(*value);
  return found;
}

/// None where there is nothing that could have a trend.
std::optional<TrendTest> trend(const std::vector<BenchmarkLevel>& levels, const std::string& novelty,
                               const LevelMeasure& of) {
  std::vector<std::vector<double>> groups;
  for (const Tier tier : tiers) groups.push_back(values(levels, novelty, tier, of));
  return jonckheere_terpstra(groups);
}

std::vector<std::string> novelties_of(const std::vector<BenchmarkLevel>& levels) {
  std::vector<std::string> novelties;
  for (const BenchmarkLevel& level : levels)
    if (std::find(novelties.begin(), novelties.end(), level.novelty) == novelties.end())
      novelties.push_back(level.novelty);
  return novelties;
}

}  // namespace

Rows benchmark_table(const std::vector<BenchmarkLevel>& levels) {
  std::vector<std::string> novelties = novelties_of(levels);
  if (novelties.size() > 1) novelties.emplace_back();
  Rows rows{{"novelty", "tier", "levels", "birds", "objects", "best shots visible", "random", "solution",
             "without novelty: best", "without novelty: random", "detected", "false alarms"}};
  for (const std::string& novelty : novelties) {
    std::vector<std::optional<Tier>> parts(tiers.begin(), tiers.end());
    if (novelty.empty()) parts.emplace_back();
    for (const std::optional<Tier>& tier : parts) {
      const auto mean_of = [&](const LevelMeasure& of) {
        return mean_estimate(values(levels, novelty, tier, of), resampling_seed);
      };
      rows.push_back({novelty.empty() ? "all" : novelty, tier ? name(*tier) : "all",
                      std::to_string(mean_of(birds).count), number(mean_of(birds).value, 2),
                      number(mean_of(objects).value, 1)});
      for (const auto of : {&VisibleShots::best, &VisibleShots::random, &VisibleShots::solution})
        rows.back().push_back(with_interval(mean_of(visible(of))));
      for (const auto of : {&VisibleShots::best_without, &VisibleShots::random_without})
        rows.back().push_back(number(mean_of(visible(of)).value, 3));
      rows.back().push_back(with_interval(mean_of(detected(&DetectedShots::novel))));
      rows.back().push_back(with_interval(mean_of(detected(&DetectedShots::normal))));
    }
  }
  return rows;
}

Rows benchmark_trends(const std::vector<BenchmarkLevel>& levels) {
  std::vector<std::string> novelties = novelties_of(levels);
  struct Column {
    std::string name;
    LevelMeasure of;
    bool adjusted;  ///< for the number of novelties
  };
  const std::vector<Column> columns{{"best shots visible", visible(&VisibleShots::best), true},
                                    {"random", visible(&VisibleShots::random), true},
                                    {"solution", visible(&VisibleShots::solution), true},
                                    {"detected", detected(&DetectedShots::novel), true},
                                    {"birds", birds, false},
                                    {"objects", objects, false}};
  Rows rows{{"novelty"}};
  for (const std::string& novelty : novelties) rows.push_back({novelty});
  if (novelties.size() > 1) rows.push_back({"all"});
  for (const Column& column : columns) {
    rows.front().push_back(column.name);
    std::vector<double> p;
    for (const std::string& novelty : novelties) {
      const auto test = trend(levels, novelty, column.of);
      p.push_back(test ? test->p : 1);
    }
    if (column.adjusted) p = holm_adjusted(p);
    for (std::size_t row = 1; row < rows.size(); ++row) {
      const auto test = trend(levels, row <= novelties.size() ? novelties[row - 1] : "", column.of);
      const double of_row = row <= novelties.size() ? p[row - 1] : test ? test->p : 1;
      rows[row].push_back(!test ? "-"
                                : std::string(test->z < 0 ? "falls" : "rises") + ", p " + p_value(of_row));
    }
  }
  return rows;
}

std::string benchmark_finding(const std::vector<BenchmarkLevel>& levels) {
  const bool detections = std::any_of(levels.begin(), levels.end(), [](const BenchmarkLevel& level) {
    return level.detected.novel.count > 0;
  });
  const auto percent = [](const Estimate& estimate) {
    std::string text = fixed(100 * *estimate.value, 0) + " %";
    if (estimate.interval)
      text += " (" + fixed(100 * estimate.interval->low, 0) + " to " +
              fixed(100 * estimate.interval->high, 0) + ")";
    return text;
  };
  const LevelMeasure of = detections ? detected(&DetectedShots::novel) : visible(&VisibleShots::best);
  std::string text;
  for (const Tier tier : tiers) {
    const Estimate estimate = mean_estimate(values(levels, "", tier, of), resampling_seed);
    if (!estimate.value) continue;
    const std::string one = std::string(tier == Tier::easy ? "an " : "a ") + name(tier);
    text += text.empty() ? "With one shot, " + one + " change is " + (detections ? "detected" : "visible") +
                               " in " + percent(estimate) + " of all cases"
                         : ", " + one + " one in " + percent(estimate);
  }
  if (text.empty()) return "No level was simulated.";
  const Estimate alarms = mean_estimate(values(levels, "", {}, detected(&DetectedShots::normal)),
                                        resampling_seed);
  if (detections && alarms.value)
    text += "; where nothing has changed, one is detected all the same in " + percent(alarms);
  return text + ".";
}

std::string benchmark_report(const BenchmarkRun& run) {
  const bool detections = run.launches > 0;
  std::vector<TierBar> bars;
  std::vector<std::string> novelties = novelties_of(run.levels);
  std::size_t fewest = run.levels.size();  // of a novelty and tier
  for (const std::string& novelty : novelties)
    for (const Tier tier : tiers) fewest = std::min(fewest, values(run.levels, novelty, tier, birds).size());
  const bool sample = fewest < least_charted;
  if (sample) novelties.clear();
  if (novelties.size() != 1) novelties.insert(novelties.begin(), "");
  for (const std::string& novelty : novelties)
    for (const Tier tier : tiers)
      bars.push_back(
          {novelty.empty() ? "all" : novelty, name(tier),
           mean_estimate(values(run.levels, novelty, tier,
                                detections ? detected(&DetectedShots::novel) : visible(&VisibleShots::best)),
                         resampling_seed)});
  std::string body = html_head(
      "How often a change is detected",
      "<p><strong>" + xml_escaped(benchmark_finding(run.levels)) + "</strong></p>\n" +
          (sample ? "<p>A sample of " + std::to_string(run.levels.size()) + " levels, " +
                        std::to_string(fewest) +
                        " of a novelty and tier at the fewest: too few to distinguish novelties.</p>\n"
                  : ""),
      run.unfinished ? "levels" : "");
  body += "<div class=\"wide\">" +
          tier_chart(bars,
                     detections ? "Shots in which the reference observer detects the novelty"
                                : "Best shots that make the novelty visible",
                     "share of shots") +
          "</div>\n";
  body += html_section(
      {.title = "By novelty and tier",
       .note = "Means over levels, 95 % by bootstrap over levels. A shot makes the novelty visible when some "
               "body, "
               "an object or a bird, is visibly elsewhere, for 3 steps, than in the normal world after the "
               "same launch. "
               "Without novelty: objects by the same criterion, the normal world launched with two "
               "perturbations; "
               "so much differs without any novelty. "
               "The observer knows the normal world, but not the launch to the last digit; it detects what "
               "has a p-value of at most 0.05 there. Best shots are what it tests.",
       .table = benchmark_table(run.levels)});
  body += html_section(
      {.title = "From easy to hard",
       .note = "p of a trend over the tiers (Jonckheere and Terpstra), of visible and detected adjusted for "
               "the number of novelties (Holm). Birds and objects should have no trend.",
       .table = benchmark_trends(run.levels)});
  body += html_origin(run.command, run.version,
                      std::to_string(run.levels.size()) + " levels, profile " + xml_escaped(run.profile) +
                          ", launches perturbed by N(0, " + shortest(run.noise.sd) +
                          " rad): " + std::to_string(run.noise.launches) +
                          " shots of each kind a level, of the best ones " + std::to_string(run.launches) +
                          " detections.");
  return html_page("How often a change is detected", body);
}

Rows benchmark_level_rows(const std::vector<BenchmarkLevel>& levels) {
  const std::vector<std::pair<std::string, Rate VisibleShots::*>> shots{
      {"best", &VisibleShots::best},
      {"random", &VisibleShots::random},
      {"solution", &VisibleShots::solution},
      {"best_without", &VisibleShots::best_without},
      {"random_without", &VisibleShots::random_without},
      {"solution_without", &VisibleShots::solution_without}};
  Rows rows{{"level", "novelty", "tier", "value", "birds", "objects"}};
  for (const auto& [kind, of] : shots)
    rows.front().insert(rows.front().end(), {kind + "_shots", kind + "_visible"});
  rows.front().insert(rows.front().end(), {"tested_shots", "detected", "false_alarms"});
  for (const BenchmarkLevel& l : levels) {
    rows.push_back({l.name, l.novelty, name(l.tier), shortest(l.value), std::to_string(l.birds),
                    std::to_string(l.objects)});
    for (const auto& [kind, of] : shots)
      rows.back().insert(rows.back().end(),
                         {std::to_string((l.visible.*of).count), std::to_string((l.visible.*of).hits)});
    rows.back().insert(rows.back().end(),
                       {std::to_string(l.detected.novel.count), std::to_string(l.detected.novel.hits),
                        std::to_string(l.detected.normal.hits)});
  }
  return rows;
}

}  // namespace startle
