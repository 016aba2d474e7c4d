#include "app/reports/surprise/known_shots_report.hpp"
#include "tests/catch.hpp"

using namespace startle;

namespace {

/// Four rows, of which "all" tiers detects 0.3.
void add(KnownShotsTables& tables, const std::string& novelty, const std::string& detector, Known known,
         std::size_t count) {
  for (const std::optional<Tier> tier : {std::optional(Tier::easy), std::optional(Tier::medium),
                                         std::optional(Tier::hard), std::optional<Tier>()}) {
    KnownShotsRow row{.of = {.novelty = novelty, .tier = tier},
                      .model = "dynamics",
                      .detector = detector,
                      .known = known,
                      .count = count,
                      .levels = 6,
                      .twins = 25};
    row.detected = {.value = tier ? 0.4 : 0.3, .interval = IntervalEstimate{0.2, 0.5}};
    row.roc_auc = {.value = 0.7};
    if (known != Known::none) row.closed = {.value = 0.65};
    tables.rows.push_back(row);
  }
}

}  // namespace

TEST_CASE("[reports] known shots: a row for what is known, columns by tier, and a table by novelty") {
  KnownShotsTables tables;
  for (const char* novelty : {"T1", ""}) {
    add(tables, novelty, "p", Known::none, 0);
    add(tables, novelty, "centroids", Known::same, 20);
    add(tables, novelty, "centroids", Known::normal, 20);
  }
  const std::string html = known_shots_html(tables);
  CHECK_THAT(html, Catch::Contains("20, same novelty") && Catch::Contains("20, normal shots") &&
                       Catch::Contains("centroids: 20, same novelty") &&
                       !Catch::Contains("centroids: 20, normal") &&
                       Catch::Contains("0.300 (0.200 to 0.500)") && Catch::Contains("0.65"));
  CHECK_THAT(html, !Catch::Contains("spread evenly"));  // of no novelty
  tables.uniformity.push_back({"T1", {.observed = {0.5, 0.6}, .expected = {0.9, 1.1}}});
  CHECK_THAT(known_shots_html(tables), Catch::Contains("spread evenly") && Catch::Contains("<svg"));

  const auto json = known_shots_json(tables);
  REQUIRE(json.at("rows").size() == 24);
  CHECK(json.at("rows").at(0).at("novelty") == "T1");
  CHECK(json.at("rows").at(0).at("tier") == "easy");
  CHECK(json.at("rows").at(0).at("closed").at("value").is_null());
  CHECK(json.at("rows").at(19).at("novelty").is_null());
  CHECK(json.at("rows").at(19).at("known") == "same novelty");
  CHECK(json.at("rows").at(19).at("closed").at("value") == 0.65);
  CHECK(json.at("uniformity").at(0).at("novelty") == "T1");
}
