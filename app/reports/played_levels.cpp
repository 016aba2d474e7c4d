#include "app/reports/played_levels.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/sections.hpp"
#include "app/reports/shot_angle.hpp"
#include "app/reports/tiers.hpp"
#include "core/text.hpp"
#include "render/svg.hpp"
#include "statistics/rank_correlation.hpp"
#include "statistics/roc.hpp"
#include "statistics/significance.hpp"
#include "statistics/trend.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t interval_seed = 1;

Estimate detected(const std::vector<LevelPlay>& plays) {
  std::vector<double> values;
  for (const LevelPlay& play : plays) values.push_back(play.detected);
  return mean_estimate(values, interval_seed);
}

std::string cell(const std::optional<double>& value, int digits) {
  return digits < 0 ? text_of(value) : number(value, digits);
}

Json json_of(const std::vector<LevelPlay>& plays) {
  Json json = Json::array();
  for (const LevelPlay& play : plays) {
    json.push_back({{"detected", play.detected}, {"cleared", play.cleared}, {"shots", Json::array()}});
    for (const TestedShot& shot : play.shots) {
      Json one{{"angle_deg", angle_deg(shot.announced)}, {"rank", nullptr}, {"of", nullptr}};
      if (shot.rank) one["rank"] = shot.rank->rank, one["of"] = shot.rank->of;
      json.back()["shots"].push_back(one);
    }
  }
  return json;
}

/// Means of these; of one, `of` may have none.
std::optional<double> mean_of(const std::vector<const PlayedLevelResult*>& results,
                              const std::function<std::optional<double>(const PlayedLevelResult&)>& of) {
  double sum = 0;
  std::size_t count = 0;
  for (const PlayedLevelResult* result : results)
    if (const auto value = of(*result)) sum += *value, ++count;
  return count > 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
}

PlayedSummary summary(const std::string& novelty, const std::string& tier,
                      const std::vector<const PlayedLevelResult*>& results) {
  PlayedSummary one{.novelty = novelty, .tier = tier, .levels = results.size()};
  one.birds = mean_of(results, [](const auto& r) { return static_cast<double>(r.birds); });
  one.objects = mean_of(results, [](const auto& r) { return static_cast<double>(r.objects); });
  one.shots = mean_of(results, [](const auto& r) {
    return r.novel.empty() ? std::nullopt : std::optional(mean_shots(r.novel));
  });
  one.predicted = mean_of(results, [](const auto& r) { return r.predicted; });
  std::vector<double> novel, normal;
  std::vector<std::vector<LevelPlay>> plays;
  std::set<std::string> seen;
  for (const PlayedLevelResult* result : results) {
    if (!result->novel.empty()) {
      novel.push_back(mean_detected(result->novel));
      plays.push_back(result->novel);
    }
    if (!result->normal.empty() && seen.insert(result->level).second)
      normal.push_back(mean_detected(result->normal));
  }
  one.p_level = mean_estimate(novel, interval_seed);
  one.false_alarms = mean_estimate(normal, interval_seed);
  one.reliability = reliability(plays);
  return one;
}

std::vector<std::string> novelties_of(const std::vector<PlayedLevelResult>& results) {
  std::vector<std::string> novelties;
  for (const PlayedLevelResult& result : results)
    if (std::find(novelties.begin(), novelties.end(), result.novelty) == novelties.end())
      novelties.push_back(result.novelty);
  return novelties;
}

const std::string every = "all";
std::vector<const PlayedLevelResult*> selected(const std::vector<PlayedLevelResult>& results,
                                               const std::string& novelty, const std::string& tier) {
  std::vector<const PlayedLevelResult*> found;
  for (const PlayedLevelResult& result : results)
    if ((novelty == every || result.novelty == novelty) && (tier == every || result.tier == tier))
      found.push_back(&result);
  return found;
}

/// Tiers, then thirds, from easy to hard, then none.
std::vector<std::string> tier_names() {
  std::vector<std::string> names;
  for (const auto& known : tier_colours) names.emplace_back(known.first);
  return names;
}

/// Results that have a prediction and plays, by prediction.
std::vector<const PlayedLevelResult*> predicted_results(const std::vector<PlayedLevelResult>& results) {
  std::vector<const PlayedLevelResult*> found;
  for (const PlayedLevelResult& result : results)
    if (result.predicted && !result.novel.empty()) found.push_back(&result);
  std::stable_sort(found.begin(), found.end(),
                   [](const auto* a, const auto* b) { return *a->predicted < *b->predicted; });
  return found;
}

constexpr std::size_t tenth_count = 10;
using Part = std::vector<const PlayedLevelResult*>;
/// Tenths of them, as equal as they can be.
std::vector<Part> tenths(const Part& sorted) {
  std::vector<Part> found;
  for (std::size_t k = 0; k < tenth_count; ++k)
    found.emplace_back(sorted.begin() + static_cast<std::ptrdiff_t>(k * sorted.size() / tenth_count),
                       sorted.begin() + static_cast<std::ptrdiff_t>((k + 1) * sorted.size() / tenth_count));
  return found;
}
double mean_predicted(const Part& part) {
  return mean_of(part, [](const auto& r) { return r.predicted; }).value();
}
double mean_measured(const Part& part) {
  return mean_of(part, [](const auto& r) { return std::optional(mean_detected(r.novel)); }).value();
}

std::optional<double> rank_correlation(const Part& of) {
  std::vector<double> predicted, measured;
  for (const PlayedLevelResult* result : of) {
    predicted.push_back(*result->predicted);
    measured.push_back(mean_detected(result->novel));
  }
  return spearman(predicted, measured);
}

/// A play: a score that says whether it is detected, and the chance that it is.
struct ScoredPlay {
  double score, detected;
};
std::optional<double> area(std::vector<ScoredPlay> plays) {
  std::sort(plays.begin(), plays.end(), [](const auto& a, const auto& b) { return a.score < b.score; });
  constexpr double weight = 1000;  // a play is so many, of which a share is detected
  ScoreCounts counts;
  for (std::size_t i = 0; i < plays.size(); ++i) {
    if (i == 0 || plays[i].score != plays[i - 1].score)
      counts.positives.push_back(0), counts.negatives.push_back(0);
    const auto detected = static_cast<std::uint32_t>(std::lround(weight * plays[i].detected));
    counts.positives.back() += detected;
    counts.negatives.back() += static_cast<std::uint32_t>(weight) - detected;
  }
  return roc_auc(counts);
}

}  // namespace

Estimate measured_p_level(const PlayedLevelResult& result) { return detected(result.novel); }

Rows played_rows(const std::vector<PlayedLevelResult>& results, const PlayOptions& options, int digits) {
  Rows rows{{"level", "novelty", "tier", "player", "birds", "plays", "predicted", "imagined",
             "imagined_shots", "p_level", "low", "high", "shots", "cleared", "false_alarms"}};
  for (const PlayedLevelResult& result : results) {
    const std::vector<LevelPlay>& plays = result.novel.empty() ? result.normal : result.novel;
    const Estimate p_level = detected(result.novel);
    const auto limit = [&](double IntervalEstimate::*end) {
      return p_level.interval ? std::optional((*p_level.interval).*end) : std::nullopt;
    };
    rows.push_back({result.level, result.novelty, result.tier, name(options.player),
                    std::to_string(result.birds), std::to_string(plays.size()),
                    cell(result.predicted, digits), cell(result.imagined, digits),
                    cell(result.imagined_shots, digits), cell(p_level.value, digits),
                    cell(limit(&IntervalEstimate::low), digits), cell(limit(&IntervalEstimate::high), digits),
                    cell(mean_shots(plays), digits), cell(share_cleared(plays), digits),
                    cell(detected(result.normal).value, digits)});
  }
  return rows;
}

nlohmann::ordered_json json_of(const std::vector<PlayedLevelResult>& results) {
  Json json = Json::array();
  for (const PlayedLevelResult& result : results) {
    Json one{{"level", result.level},
             {"novelty", result.novelty},
             {"tier", result.tier.empty() ? Json() : Json(result.tier)},
             {"birds", result.birds},
             {"objects", result.objects},
             {"predicted", result.predicted ? Json(*result.predicted) : Json()},
             {"imagined", result.imagined ? Json(*result.imagined) : Json()},
             {"imagined_shots", result.imagined_shots ? Json(*result.imagined_shots) : Json()}};
    one["p_level"] = json_of(detected(result.novel));
    one["false_alarms"] = json_of(detected(result.normal));
    one["novel_plays"] = json_of(result.novel);
    one["normal_plays"] = json_of(result.normal);
    json.push_back(one);
  }
  return json;
}

std::vector<PlayedSummary> summaries(const std::vector<PlayedLevelResult>& results) {
  std::vector<std::string> novelties = novelties_of(results);
  if (novelties.size() > 1) novelties.push_back(every);
  std::vector<PlayedSummary> found;
  for (const std::string& novelty : novelties) {
    std::size_t of_tiers = 0;
    for (const std::string& tier : tier_names())
      if (const auto of = selected(results, novelty, tier); !of.empty()) {
        found.push_back(summary(novelty, tier, of));
        ++of_tiers;
      }
    if (of_tiers > 1) found.push_back(summary(novelty, every, selected(results, novelty, every)));
  }
  return found;
}

Rows summary_rows(const std::vector<PlayedSummary>& summaries) {
  Rows rows{{"novelty", "tier", "levels", "birds", "objects", "shots", "predicted", "p_level", "reliability",
             "false alarms"}};
  for (const PlayedSummary& one : summaries)
    rows.push_back({one.novelty.empty() ? "-" : one.novelty, one.tier.empty() ? "-" : one.tier,
                    std::to_string(one.levels), number(one.birds, 2), number(one.objects, 1),
                    number(one.shots, 2), number(one.predicted, 2), with_interval(one.p_level, 2),
                    number(one.reliability, 2), with_interval(one.false_alarms, 2)});
  return rows;
}

nlohmann::ordered_json json_of(const std::vector<PlayedSummary>& summaries) {
  const auto value = [](const std::optional<double>& of) { return of ? Json(*of) : Json(); };
  Json json = Json::array();
  for (const PlayedSummary& one : summaries)
    json.push_back({{"novelty", one.novelty},
                    {"tier", one.tier.empty() ? Json() : Json(one.tier)},
                    {"levels", one.levels},
                    {"birds", value(one.birds)},
                    {"objects", value(one.objects)},
                    {"shots", value(one.shots)},
                    {"predicted", value(one.predicted)},
                    {"p_level", json_of(one.p_level)},
                    {"reliability", value(one.reliability)},
                    {"false_alarms", json_of(one.false_alarms)}});
  return json;
}

std::optional<PredictionCheck> check_prediction(const std::vector<PlayedLevelResult>& results) {
  const Part sorted = predicted_results(results);
  if (sorted.size() < tenth_count) return std::nullopt;
  PredictionCheck check{.levels = sorted.size(), .rho = rank_correlation(sorted)};
  double sum = 0;
  std::size_t count = 0;
  for (const std::string& novelty : novelties_of(results)) {
    Part of;
    std::copy_if(sorted.begin(), sorted.end(), std::back_inserter(of),
                 [&](const auto* result) { return result->novelty == novelty; });
    if (const auto rho = of.size() > 2 ? rank_correlation(of) : std::nullopt) sum += *rho, ++count;
  }
  if (count > 0) check.within = sum / static_cast<double>(count);
  double error = 0;
  for (const Part& part : tenths(sorted))
    error += static_cast<double>(part.size()) * std::fabs(mean_predicted(part) - mean_measured(part));
  check.error = error / static_cast<double>(sorted.size());
  std::vector<ScoredPlay> by_prediction, by_others;
  for (const PlayedLevelResult* result : sorted) {
    const auto plays = static_cast<double>(result->novel.size());
    const double detected = plays * mean_detected(result->novel);
    for (const LevelPlay& play : result->novel) {
      by_prediction.push_back({*result->predicted, play.detected});
      if (plays > 1) by_others.push_back({(detected - play.detected) / (plays - 1), play.detected});
    }
  }
  check.auc = area(by_prediction);
  check.ceiling = area(by_others);
  return check;
}

Rows tenths_rows(const std::vector<PlayedLevelResult>& results) {
  Rows rows{{"from", "to", "levels", "predicted", "measured"}};
  const Part sorted = predicted_results(results);
  if (sorted.size() < tenth_count) return {};
  for (const Part& part : tenths(sorted)) {
    std::vector<double> measured;
    for (const PlayedLevelResult* result : part) measured.push_back(mean_detected(result->novel));
    rows.push_back({number(part.front()->predicted, 2), number(part.back()->predicted, 2),
                    std::to_string(part.size()), number(mean_predicted(part), 2),
                    with_interval(mean_estimate(measured, interval_seed), 2)});
  }
  return rows;
}

Rows trend_rows(const std::vector<PlayedLevelResult>& results) {
  using Measure = std::function<double(const PlayedLevelResult&)>;
  const auto trend = [&](const std::string& novelty, const Measure& of) {
    std::vector<std::vector<double>> groups;
    for (const std::string& tier : tier_names()) {
      if (tier.empty()) continue;
      groups.emplace_back();
      for (const PlayedLevelResult* result : selected(results, novelty, tier))
        if (!result->novel.empty()) groups.back().push_back(of(*result));
    }
    return jonckheere_terpstra(groups);
  };
  const Measure measured = [](const auto&r) { return mean_detected(r.novel); },
                shots = [](const auto&r) { return mean_shots(r.novel); },
                birds = [](const auto&r) { return static_cast<double>(r.birds); },
                objects = [](const auto&r) { return static_cast<double>(r.objects); };
  std::vector<std::string> novelties = novelties_of(results);
  std::vector<double> p;
  for (const std::string& novelty : novelties) {
    const auto test = trend(novelty, measured);
    p.push_back(test ? test->p : 1);
  }
  p = holm_adjusted(p);
  if (novelties.size() > 1) novelties.push_back(every);
  Rows rows{{"novelty", "p_level", "shots", "birds", "objects"}};
  bool any = false;
  for (std::size_t n = 0; n < novelties.size(); ++n) {
    rows.push_back({novelties[n]});
    for (const Measure& of : {measured, shots, birds, objects}) {
      const auto test = trend(novelties[n], of);
      any = any || test;
      const bool adjusted = rows.back().size() == 1 && n < p.size();
      rows.back().push_back(!test ? "-"
                                  : std::string(test->z < 0 ? "falls" : "rises") + ", p " +
                                        p_value(adjusted ? p[n] : test->p));
    }
  }
  return any ? rows : Rows{};
}

std::string played_finding(const std::vector<PlayedSummary>& summaries) {
  if (summaries.empty()) return "No level was played.";
  DetectionFinding finding{.name = {}, .detected = {}, .false_alarms = summaries.back().false_alarms};
  // Of several novelties those of "all" come last.
  for (const PlayedSummary& one : summaries)
    if (one.novelty == summaries.back().novelty && one.tier != every && one.p_level.value)
      finding.detected.emplace_back(one.tier, one.p_level);
  return detection_words(finding, "One play of a level", "changes");
}

namespace {

/// Levels of a novelty and tier that a bar of its own stands for; of fewer an interval over levels says
/// nothing.
constexpr std::size_t min_charted = 6;

std::string check_text(const PredictionCheck& check) {
  return "Spearman's rho of predicted and measured p_level over " + std::to_string(check.levels) +
         " levels: " + number(check.rho, 2) + "; within novelties " + number(check.within, 2) +
         ". Mean distance over tenths: " + number(check.error, 3) +
         ". Whether a play detects the change is told by the prediction with an AUC of " +
         number(check.auc, 2) + ", by the other plays of the level with " + number(check.ceiling, 2) + ".";
}

}  // namespace

std::string played_text(const std::vector<PlayedLevelResult>& results) {
  const std::vector<PlayedSummary> of = summaries(results);
  std::string text = aligned(summary_rows(of)) + "\n" + played_finding(of) + "\n";
  if (const auto check = check_prediction(results)) text += check_text(*check) + "\n";
  return text;
}

namespace {

/// Too few levels to distinguish novelties.
bool is_sample(const std::vector<PlayedSummary>& of) {
  return std::any_of(of.begin(), of.end(), [](const auto& s) { return s.levels < min_charted; });
}

std::string chart_of(const std::vector<PlayedSummary>& of) {
  const bool few = is_sample(of);
  std::vector<TierBar> bars;
  for (const PlayedSummary& one : of) {
    const bool of_last = one.novelty == of.back().novelty;
    if (one.tier != every && one.p_level.value && (of_last || !few))
      bars.push_back({one.novelty, one.tier, one.p_level});
  }
  std::stable_partition(bars.begin(), bars.end(), [](const TierBar& bar) { return bar.novelty == every; });
  return tier_chart(bars, "Plays that detect the change", "share of plays");
}

}  // namespace

std::string played_chart(const std::vector<PlayedLevelResult>& results) {
  return chart_of(summaries(results));
}

std::string played_report(const PlayedRun& run) {
  const std::vector<PlayedSummary> of = summaries(run.results);
  std::string body = html_head(
      "How often a play detects the change",
      is_sample(of) ? "<p>A sample: of some novelties and tiers there are fewer than " +
                          std::to_string(min_charted) + " levels, too few to distinguish novelties.</p>\n"
                    : "");
  body += html_finding(played_finding(of), chart_of(of));
  body += html_section(
      {.title = "By novelty and tier",
       .note =
           std::string("p_level is the chance that one play of the level, with all its birds, detects "
                       "the change: the player shoots (") +
           name(run.options.player) +
           "), and the reference observer adds up what it sees. Means over levels, 95 % by bootstrap over "
           "levels. Predicted: by reasoning, before anything is played. Reliability: how well two halves "
           "of the plays agree about the levels. False alarms: plays in the normal world.",
       .table = summary_rows(of)});
  if (const Rows trends = trend_rows(run.results); !trends.empty())
    body += html_section(
        {.title = "From easy to hard",
         .note =
             "p of a trend over the tiers (Jonckheere and Terpstra), of p_level adjusted "
             "for the number of novelties (Holm). Birds and objects should have no trend. Shots have one: "
             "a level that is cleared at once shows little.",
         .table = trends});
  if (const auto check = check_prediction(run.results))
    body += html_section(
        {.title = "Predicted and measured", .note = check_text(*check), .table = tenths_rows(run.results)});
  body += html_origin(run.command, run.version,
                      std::to_string(run.results.size()) + " levels, profile " + xml_escaped(run.profile) +
                          ", plays of each " + std::to_string(run.options.plays) +
                          ", launches perturbed by N(0, " + shortest(run.options.observer.aim_noise) +
                          " rad).");
  return html_page("How often a play detects the change", body);
}

}  // namespace startle
