#include "app/reports/surprise/known_shots_report.hpp"

#include <algorithm>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/surprise/uniformity_plot.hpp"
#include "app/reports/table.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

std::string what_is_known(const KnownShotsRow& row) {
  return (row.count > 0 ? std::to_string(row.count) + ", " : "") + name(row.known);
}

/// One row a model, detector and what it knows, over all novelties; detection by tier.
Rows by_tier(const KnownShotsTables& tables) {
  Rows rows{{"p-values of", "detector", "known shots", "easy", "medium", "hard", "all", "ROC AUC",
             "of the way to the mechanism", "pairs"}};
  for (std::size_t i = 0; i < tables.rows.size(); i += known_shots_tiers) {
    const KnownShotsRow* tiers = &tables.rows[i];
    const KnownShotsRow& all = tiers[known_shots_tiers - 1];
    if (!all.of.novelty.empty()) continue;
    rows.push_back({all.model, all.detector, what_is_known(all)});
    for (std::size_t t = 0; t < known_shots_tiers; ++t)
      rows.back().push_back(with_interval(tiers[t].detected));
    rows.back().push_back(with_interval(all.roc_auc));
    rows.back().push_back(with_interval(all.closed, 2));
    rows.back().push_back(std::to_string(all.twins));
  }
  return rows;
}

/// One row a novelty, without tiers; a column for each detector that knows `count` shots of the novelty.
Rows by_novelty(const KnownShotsTables& tables, std::size_t count) {
  Rows rows{{"novelty", "p-values of"}};
  for (const KnownShotsRow& row : tables.rows) {
    const bool shown = row.known == Known::none || row.known == Known::all || row.known == Known::mechanism ||
                       (row.known == Known::same && row.count == count);
    if (row.of.tier || row.of.novelty.empty() || !shown) continue;
    const std::string column = row.detector + ": " + what_is_known(row);
    if (std::find(rows[0].begin(), rows[0].end(), column) == rows[0].end()) rows[0].push_back(column);
    if (rows.back()[0] != row.of.novelty || rows.back()[1] != row.model)
      rows.push_back({row.of.novelty, row.model});
    rows.back().push_back(with_interval(row.detected));
  }
  return rows;
}

Rows uniformity_rows(const KnownShotsTables& tables) {
  Rows rows{{"novelty", "shots", "largest distance of the distributions of r_k", "p"}};
  for (const auto& [novelty, test] : tables.uniformity)
    rows.push_back({novelty, std::to_string(test.observed.size()), fixed(test.difference.statistic, 3),
                    fixed(test.p, 3)});
  return rows;
}

}  // namespace

Json known_shots_json(const KnownShotsTables& tables) {
  Json json{
      {"false_alarms", known_shots_false_alarms}, {"rows", Json::array()}, {"uniformity", Json::array()}};
  for (const KnownShotsRow& row : tables.rows)
    json["rows"].push_back({{"novelty", row.of.novelty.empty() ? Json() : Json(row.of.novelty)},
                            {"tier", row.of.tier ? Json(name(*row.of.tier)) : Json()},
                            {"model", row.model},
                            {"detector", row.detector},
                            {"known", name(row.known)},
                            {"count", row.count},
                            {"levels", row.levels},
                            {"twins", row.twins},
                            {"detected", json_of(row.detected)},
                            {"roc_auc", json_of(row.roc_auc)},
                            {"closed", json_of(row.closed)}});
  for (const auto& [novelty, test] : tables.uniformity)
    json["uniformity"].push_back(
        {{"novelty", novelty}, {"ks_distance", test.difference.statistic}, {"p", test.p}});
  return json;
}

std::string known_shots_html(const KnownShotsTables& tables) {
  constexpr std::size_t shown_count = 20;
  std::string html =
      "<p>Known shots come from one half of a novelty's "
      "levels; shots of the other half are tested, both ways. A shot is detected when it scores above 95 % "
      "of "
      "the normal shots tested, so all rows have equal false alarms. <em>surprise_KNN</em>: surprise less "
      "the "
      "distance to the k-th nearest known shot; <em>centroids</em>: nearest shrunken centroids; "
      "<em>evidence</em>: "
      "p-values weighted by what the known shots make likely to have changed. Rows with <em>normal "
      "shots</em> "
      "and <em>random labels</em> are what the procedure gives where there is nothing to know; those with "
      "<em>mechanism</em> know which mechanism changed, and no shot. Means over draws of known shots, with "
      "95 % intervals over draws of known shots and of levels.</p>\n" +
      html_table(by_tier(tables)) + "<h3>By novelty</h3>\n" + html_table(by_novelty(tables, shown_count));
  if (tables.uniformity.empty()) return html;
  return html +
         "<h3>Are novel shots spread evenly?</h3>\n<p>r_k of the residuals of a novelty's shots among "
         "themselves against that of as many points uniform on the sphere, simulated; small p: not uniform. "
         "(Lin et al. test whether r_k itself is uniform, which it is not even for uniform points, and read "
         "a "
         "p above 0.05 as a rejection: the reverse of what it means.)</p>\n" +
         html_table(uniformity_rows(tables)) + "<p>" +
         uniformity_plot("shots", tables.uniformity.back().test) + "</p>\n";
}

}  // namespace startle
