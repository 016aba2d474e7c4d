#include "reports/played_levels.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/estimates.hpp"
#include "reports/shot_angle.hpp"

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

PlayedSummary summary(const std::string& novelty, const std::vector<const PlayedLevelResult*>& results) {
  PlayedSummary one{
      .novelty = novelty, .levels = results.size(), .p_level = {}, .false_alarms = {}, .reliability = {}};
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

}  // namespace

Estimate measured_p_level(const PlayedLevelResult& result) { return detected(result.novel); }

Rows played_rows(const std::vector<PlayedLevelResult>& results, const PlayOptions& options, int digits) {
  Rows rows{{"level", "novelty", "player", "birds", "plays", "p_level", "low", "high", "shots", "cleared",
             "false_alarms"}};
  for (const PlayedLevelResult& result : results) {
    const std::vector<LevelPlay>& plays = result.novel.empty() ? result.normal : result.novel;
    const Estimate p_level = detected(result.novel);
    const auto limit = [&](double IntervalEstimate::*end) {
      return p_level.interval ? std::optional((*p_level.interval).*end) : std::nullopt;
    };
    rows.push_back({result.level, result.novelty, name(options.player), std::to_string(result.birds),
                    std::to_string(plays.size()), cell(p_level.value, digits),
                    cell(limit(&IntervalEstimate::low), digits), cell(limit(&IntervalEstimate::high), digits),
                    cell(mean_shots(plays), digits), cell(share_cleared(plays), digits),
                    cell(detected(result.normal).value, digits)});
  }
  return rows;
}

nlohmann::ordered_json json_of(const std::vector<PlayedLevelResult>& results) {
  Json json = Json::array();
  for (const PlayedLevelResult& result : results) {
    Json one{{"level", result.level}, {"novelty", result.novelty}, {"birds", result.birds}};
    one["p_level"] = json_of(detected(result.novel));
    one["false_alarms"] = json_of(detected(result.normal));
    one["novel_plays"] = json_of(result.novel);
    one["normal_plays"] = json_of(result.normal);
    json.push_back(one);
  }
  return json;
}

std::vector<PlayedSummary> summaries(const std::vector<PlayedLevelResult>& results) {
  std::vector<std::string> novelties;
  std::vector<const PlayedLevelResult*> all;
  for (const PlayedLevelResult& result : results) {
    all.push_back(&result);
    if (std::find(novelties.begin(), novelties.end(), result.novelty) == novelties.end())
      novelties.push_back(result.novelty);
  }
  std::vector<PlayedSummary> found;
  for (const std::string& novelty : novelties) {
    std::vector<const PlayedLevelResult*> of;
    std::copy_if(all.begin(), all.end(), std::back_inserter(of),
                 [&](const PlayedLevelResult* result) { return result->novelty == novelty; });
    found.push_back(summary(novelty, of));
  }
  if (novelties.size() > 1) found.push_back(summary("all", all));
  return found;
}

std::string summary_text(const std::vector<PlayedSummary>& summaries, const PlayOptions& options) {
  std::string text;
  for (const PlayedSummary& one : summaries) {
    text += (one.novelty.empty() ? "" : one.novelty + ", ") + name(options.player) + ", " + "levels " +
            std::to_string(one.levels) + ", plays of each " + std::to_string(options.plays) + ": ";
    if (one.p_level.value)
      text += "mean p_level " + with_interval(one.p_level) + ", reliability of p_level " +
              number(one.reliability, 2) + "; ";
    text += "alarms in normal plays " + with_interval(one.false_alarms) + "\n";
  }
  return text;
}

nlohmann::ordered_json json_of(const std::vector<PlayedSummary>& summaries) {
  Json json = Json::array();
  for (const PlayedSummary& one : summaries)
    json.push_back({{"novelty", one.novelty},
                    {"levels", one.levels},
                    {"p_level", json_of(one.p_level)},
                    {"reliability", one.reliability ? Json(*one.reliability) : Json()},
                    {"false_alarms", json_of(one.false_alarms)}});
  return json;
}

}  // namespace startle
