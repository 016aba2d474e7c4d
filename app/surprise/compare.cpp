/// \file  startle surprise compare: two models on the same shots.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "app/reports/table.hpp"
#include "app/surprise/commands.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "surprise/evaluation_metrics.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions {
  CommonOptions common;
  std::vector<std::string> results;
  std::string score = "sum";
  Output output;
};

/// What names a pair of clips in both files.
struct TwinKey {
  std::string novelty, tier, level;
  int bird = 0;
  double angle = 0, tap = -1;
  friend auto operator<=>(const TwinKey&, const TwinKey&) = default;
};

struct Results {
  std::string model;
  std::map<TwinKey, double> outcomes;
};

Results read_results(const std::string& path, ClipScore score) {
  Results results;
  try {
    const Json json = Json::parse(read_file(path));
    if (json.at("format") != "startle-evaluation")
      throw Error(path + ": format: found " + json.at("format").dump() +
                  ", needed is the results.json of startle surprise evaluate");
    if (json.at("version") != 1)
      throw Error(path + ": version: found " + json.at("version").dump() + ", allowed is 1");
    results.model = json.at("configuration").at("model").get<std::string>();
    const double tolerance = json.at("configuration").at("tie_tolerance").get<double>();
    const auto frames = json.at("configuration").at("frames").get<std::size_t>() - 1;
    const std::string predictor = json.at("predictors").at(0).get<std::string>();
    for (const Json& twin : json.at("twins")) {
      const TwinKey key{twin.at("novelty").get<std::string>(),
                        twin.at("tier").get<std::string>(),
                        twin.at("level").get<std::string>(),
                        twin.at("bird").get<int>(),
                        twin.at("angle_deg").get<double>(),
                        twin.at("tap_s").is_null() ? -1 : twin.at("tap_s").get<double>()};
      const Json& scores = twin.at("scores").at(predictor).at(name(score));
      results.outcomes[key] = paired_outcome(
          {.normal = scores.at(0).get<double>(), .novel = scores.at(1).get<double>()}, score, frames,
          tolerance);
    }
  } catch (const nlohmann::json::exception& error) {
    throw Error(path + ": is no results.json of startle surprise evaluate: " + error.what());
  }
  return results;
}

struct Comparison {
  std::string novelty, tier;
  std::size_t levels = 0, pairs = 0;
  double a = 0, b = 0;
  Estimate difference;
};

ClipScore parse_score(const std::string& text) {
  const auto score = std::find_if(clip_scores().begin(), clip_scores().end(),
                                  [&](ClipScore s) { return text == name(s); });
  if (score == clip_scores().end())
    throw Error("--score: found '" + text + "', allowed are sum, mean, maximum, log and relative");
  return *score;
}

/// By novelty and tier, either of which may be "all".
using Cells = std::map<std::pair<std::string, std::string>, std::vector<OutcomePair>>;

/// Of the pairs of clips that are in both.
Cells common_pairs(const Results& a, const Results& b) {
  std::map<std::string, std::size_t> levels;
  Cells cells;
  for (const auto& [key, outcome] : a.outcomes) {
    const auto found = b.outcomes.find(key);
    if (found == b.outcomes.end()) continue;
    const OutcomePair pair{levels.emplace(key.level, levels.size()).first->second, outcome, found->second};
    for (const std::string& novelty : {key.novelty, std::string("all")})
      for (const std::string& tier : {key.tier, std::string("all")}) cells[{novelty, tier}].push_back(pair);
  }
  return cells;
}

/// Tiers in their order, sums last.
std::vector<Comparison> comparisons(const Cells& cells) {
  std::vector<Comparison> rows;
  for (const auto& [cell, pairs] : cells) {
    Comparison row{.novelty = cell.first, .tier = cell.second, .pairs = pairs.size()};
    std::set<std::size_t> levels;
    for (const OutcomePair& pair : pairs) {
      levels.insert(pair.level);
      row.a += pair.a / static_cast<double>(pairs.size());
      row.b += pair.b / static_cast<double>(pairs.size());
    }
    row.levels = levels.size();
    row.difference = mean_difference(pairs, 1);
    rows.push_back(std::move(row));
  }
  const auto order = [](const Comparison& row) {
    static const std::vector<std::string> tiers{"easy", "medium", "hard", "all"};
    return std::tuple(row.novelty == "all", row.novelty, std::find(tiers.begin(), tiers.end(), row.tier));
  };
  std::sort(rows.begin(), rows.end(),
            [&](const Comparison& x, const Comparison& y) { return order(x) < order(y); });
  return rows;
}

Json json_of_comparison(const Comparison& row) {
  const auto& interval = row.difference.interval;
  return {{"novelty", row.novelty},
          {"tier", row.tier},
          {"levels", row.levels},
          {"pairs", row.pairs},
          {"a", row.a},
          {"b", row.b},
          {"difference", *row.difference.value},
          {"low", interval ? Json(interval->low) : Json()},
          {"high", interval ? Json(interval->high) : Json()}};
}

std::string comparison_table(const std::vector<Comparison>& comparisons) {
  Rows rows{{"novelty", "tier", "levels", "pairs", "a", "b", "a - b", "95 %"}};
  for (const Comparison& row : comparisons) {
    const auto& interval = row.difference.interval;
    rows.push_back({row.novelty, row.tier, std::to_string(row.levels), std::to_string(row.pairs),
                    fixed(row.a, 3), fixed(row.b, 3), fixed(*row.difference.value, 3),
                    interval ? fixed(interval->low, 3) + " to " + fixed(interval->high, 3) : "-"});
  }
  return aligned(rows);
}

void compare(const CompareOptions& options) {
  const ClipScore score = parse_score(options.score);
  const Results a = read_results(options.results.at(0), score),
                b = read_results(options.results.at(1), score);
  const Cells cells = common_pairs(a, b);
  if (cells.empty())
    throw Error(options.results[0] + " and " + options.results[1] + ": have no shot in common");
  const std::size_t common = cells.at({"all", "all"}).size();
  if (!options.common.quiet && (common < a.outcomes.size() || common < b.outcomes.size()))
    report("only " + std::to_string(common) + " pairs of clips are in both, of " +
           std::to_string(a.outcomes.size()) + " and " + std::to_string(b.outcomes.size()));
  const std::vector<Comparison> rows = comparisons(cells);
  if (options.output.is("json")) {
    Json json{
        {"program", "startle " STARTLE_VERSION}, {"a", a.model}, {"b", b.model}, {"score", options.score}};
    for (const Comparison& row : rows) json["rows"].push_back(json_of_comparison(row));
    emit(json.dump(2) + "\n", options.output.out);
  } else {
    emit("a: " + a.model + ", b: " + b.model + "; paired accuracy by the " + options.score +
             ", interval by bootstrap over levels\n\n" + comparison_table(rows),
         options.output.out);
  }
}

}  // namespace

void add_compare_command(CLI::App& app, int&) {
  const auto options = std::make_shared<CompareOptions>();
  CLI::App* command = app.add_subcommand("compare",
                                         "Compares two models on the shots that both were evaluated on.");
  command->add_option("EVALUATIONS", options->results, "two results.json of startle surprise evaluate")
      ->required()
      ->expected(2)
      ->type_name("");
  command->add_option("--score", options->score, "clip score: sum, mean, maximum, log or relative")
      ->check(some_values({"sum", "mean", "maximum", "log", "relative"}))
      ->type_name("S")
      ->capture_default_str();
  add_output_options(*command, options->output, {"text", "json"});
  add_common_options(*command, options->common);
  command->footer("Example: startle surprise compare small/results.json large/results.json");
  command->callback([options] { compare(*options); });
}

}  // namespace startle
