#include "app/reports/people/people_report.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/sections.hpp"
#include "app/reports/table.hpp"
#include "app/reports/tiers.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "render/plot_svg.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

std::string count_of(std::size_t n, const std::string& thing) {
  return std::to_string(n) + " " + thing + (n == 1 ? "" : "s");
}

/// What the levels are sorted by: tiers, thirds or, in a study of several novelties, both.
struct Sorting {
  std::string name, contrast_title, contrast, head, paper;
};
Sorting sorting_of(const PeopleStudy& study) {
  bool tiers = false, thirds = false;
  for (const PlayedItem& item : study.items)
    (third_from_name(item.tier) ? thirds : tiers) |= !item.tier.empty();
  if (thirds && !tiers)
    return {"third", "Low against high", "low novel items reported, less the share of high ones",
            "low less high", "They call the thirds easy, medium and hard."};
  if (!thirds)
    return {"tier", "Easy against hard", "easy novel items reported, less the share of hard ones",
            "easy less hard", "Their easy, medium and hard levels are thirds, not these tiers."};
  return {"tier or third", "Easy against hard, low against high",
          "easy or low novel items reported, less the share of hard or high ones", "easy less hard",
          "Their easy, medium and hard levels are thirds."};
}

std::string all_or(const std::string& name) { return name.empty() ? "all" : name; }

/// Who and what does not count, and why.
struct Exclusions {
  std::size_t took_part = 0, finished = 0, unfinished = 0, declined = 0, withdrawn = 0, only_practised = 0;
  std::size_t never_came = 0;  ///< invited, but never opened the study
  std::size_t items = 0, counted = 0, interrupted = 0, interrupted_reported = 0;
  std::size_t checks = 0, checks_failed = 0, failed = 0;  ///< attention checks; participants who failed one
};

Exclusions exclusions(const PeopleStudy& study) {
  Exclusions e;
  for (const PlayedSession& s : study.sessions) {
    e.checks += static_cast<std::size_t>(s.checks);
    e.checks_failed += static_cast<std::size_t>(s.failed);
    e.failed += s.failed > 0;
    if (s.withdrawn)
      ++e.withdrawn;
    else if (s.openings == 0)
      ++e.never_came;
    else if (s.stage == StudyStage::declined)
      ++e.declined;
    else if (s.items == 0)
      ++e.only_practised;
    else {
      ++e.took_part;
      ++(s.stage == StudyStage::finished ? e.finished : e.unfinished);
    }
  }
  for (const PlayedItem& item : study.items) {
    if (item.attention) continue;
    ++e.items;
    e.counted += item.counts();
    e.interrupted += item.interrupted && !item.reported();
    e.interrupted_reported += item.interrupted && item.reported();
  }
  return e;
}

std::string exclusions_note(const PeopleStudy& study) {
  const Exclusions e = exclusions(study);
  std::string text =
      count_of(study.sessions.size() - e.never_came, "person") +
      " opened the study: " + std::to_string(e.took_part) + " played items, of whom " +
      std::to_string(e.finished) + " came to the end and " + std::to_string(e.unfinished) +
      " did not; what they played counts. Left out: " + std::to_string(e.declined) + " who declined, " +
      std::to_string(e.only_practised) + " who never began an item, " + std::to_string(e.withdrawn) +
      " whose data were withdrawn" +
      (e.never_came == 0 ? "" : ", " + std::to_string(e.never_came) + " who were invited and never came") +
      ". " + count_of(e.items, "item") + " begun, " + std::to_string(e.counted) +
      " counted. Left out: " + count_of(e.interrupted, "item") +
      " that the end of the program interrupted before anything was reported. " +
      count_of(e.interrupted_reported, "item") + " interrupted after a report " +
      (e.interrupted_reported == 1 ? "counts" : "count") + ".";
  return text;
}

constexpr const char* meanings =
    "Detected: novel items in which the participant reported something, whatever the description says. Shots "
    "to detection / birds: shots before "
    "the first report over the birds of the level, where there was a report. False alarms: normal items with "
    "a report. AUC: area under the ROC "
    "curve of the highest confidence reported, 0 without a report, novel against normal items. In brackets "
    "intervals at 95 %: of shares by "
    "Wilson, which takes items for independent; of the rest, and in the column \"over participants\", by "
    "bootstrap over participants, each drawn "
    "with all of his or her items (none for a single participant). n counts items.";

std::string range_text(const std::optional<IntervalEstimate>& range) {
  return range ? fixed(range->low, 3) + " to " + fixed(range->high, 3) : "-";
}

Rows score_table(const std::vector<PeopleScore>& scores, const Sorting& sorting) {
  Rows rows{{"novelty", sorting.name, "participants", "detected", "over participants",
             "shots to detection / birds", "false alarms", "AUC"}};
  for (const PeopleScore& s : scores)
    rows.push_back({all_or(s.novelty), all_or(s.tier), std::to_string(s.participants),
                    with_count(s.detected.estimate(), 3), range_text(s.detected_over_participants),
                    with_count(s.shots_to_detection, 3), with_count(s.false_alarm.estimate(), 3),
                    with_count(s.auc, 3)});
  return rows;
}

std::string contrast_note(const Sorting& sorting) {
  return "Of each participant who played both: the share of " + sorting.contrast +
         ". The mean over participants, its interval by bootstrap over them, and p by giving each difference "
         "a random sign (two-sided): how often as large a mean comes about where there is no difference. "
         "startle study-people power says how many participants this test needs.";
}

Rows contrast_table(const std::vector<TierContrast>& contrasts, const Sorting& sorting) {
  Rows rows{{"novelty", sorting.head, "participants", "p"}};
  for (const TierContrast& c : contrasts)
    rows.push_back({all_or(c.novelty), with_interval(c.difference, 3), std::to_string(c.difference.count),
                    c.difference.value ? p_value(c.p) : "-"});
  return rows;
}

std::string attention_note(const Exclusions& e) {
  return std::to_string(e.checks_failed) + " of " + count_of(e.checks, "attention check") +
         " were answered otherwise than they ask, by " + count_of(e.failed, "participant") +
         ". The tables above have everybody; this one leaves out who failed a check.";
}

Rows correlation_table(const std::vector<PeopleCorrelation>& correlations) {
  Rows rows{{"levels of", "difficulty", "against", "levels", "items", "rho", "rho, 95 %"}};
  for (const PeopleCorrelation& c : correlations)
    rows.push_back({all_or(c.novelty), c.measure,
                    c.outcome == "detected" ? "share detected" : "shots to detection / birds",
                    std::to_string(c.levels), std::to_string(c.items),
                    c.levels < min_levels_for_rho ? "too few levels" : number(c.rho),
                    range_text(c.interval)});
  return rows;
}

constexpr const char* answers_note =
    "What participants said of themselves. Share as little of it as you can: several answers together may "
    "show who somebody is.";

std::string answers_of(const StudyQuestion& question, const QuestionSummary& summary) {
  if (question.kind == StudyQuestion::Kind::text) return count_of(summary.different, "different answer");
  if (question.kind == StudyQuestion::Kind::number)
    return summary.median ? "median " + shortest(*summary.median) + ", from " + shortest(*summary.min) +
                                " to " + shortest(*summary.max)
                          : "-";
  std::string text;
  for (const auto& [option, count] : summary.counts)
    text += (text.empty() ? "" : "; ") + option + ": " + std::to_string(count);
  return text;
}

Rows answer_table(const PeopleStudy& study) {
  const std::vector<StudyAnswers> given = given_answers(study);
  Rows rows{{"name", "question", "answered", "answers"}};
  for (const StudyQuestion& question : study.questions.all()) {
    const QuestionSummary summary = summarised(question, given);
    rows.push_back({question.name, question.text,
                    std::to_string(summary.answered) + " of " + std::to_string(given.size()),
                    answers_of(question, summary)});
  }
  return rows;
}

Rows participant_table(const PeopleStudy& study) {
  Rows rows{{"participant", "reached", "items", "novel reported", "normal reported", "interrupted",
             "checks failed", "practice shots", "openings", "minutes"}};
  for (const PlayedSession& s : study.sessions) {
    Rate novel, normal;
    int interrupted = 0;
    for (const PlayedItem& item : study.items) {
      if (item.participant != s.participant || item.attention) continue;
      interrupted += item.interrupted;
      if (!item.counts()) continue;
      Rate& rate = item.novel ? novel : normal;
      ++rate.count;
      rate.hits += item.reported();
    }
    const auto share = [](const Rate& rate) {
      return std::to_string(rate.hits) + " of " + std::to_string(rate.count);
    };
    rows.push_back({s.participant, s.withdrawn ? "-" : name(s.stage), std::to_string(s.items), share(novel),
                    share(normal), std::to_string(interrupted),
                    std::to_string(s.failed) + " of " + std::to_string(s.checks),
                    std::to_string(s.practice_shots), std::to_string(s.openings), fixed(s.seconds / 60, 1)});
  }
  return rows;
}

Rows description_table(const PeopleStudy& study, const Sorting& sorting) {
  Rows rows{{"participant", "item", "world", sorting.name, "after shot", "confidence", "description"}};
  for (const PlayedItem& item : study.items)
    if (item.reported() && !item.attention)
      rows.push_back({item.participant, std::to_string(item.position + 1),
                      item.novel ? item.novelty : "normal", item.tier,
                      std::to_string(item.reported_after) + " of " + std::to_string(item.birds),
                      fixed(item.confidence, 2), item.description});
  return rows;
}

Rows manifest_table(const PeopleStudy& study) {
  Rows rows{{"what", "value"}};
  for (const auto& [key, value] : study.manifest)
    if (key != "consent_text" && key != "texts_json" && key != "questions_json") rows.push_back({key, value});
  return rows;
}

constexpr const char* correlations_note =
    "Spearman's rho over levels: the difficulty that was computed for a level against what people did on it. "
    "Where the difficulty is right, the "
    "share detected falls (rho below 0) and the shots rise (rho above 0). Intervals by bootstrap over "
    "participants; they do not say how other "
    "levels would do. Fewer than 4 levels are too few for a rho.";
static_assert(min_levels_for_rho == 4);

constexpr const char* detection_title = "Detection by novelty and ";  // and what the levels are sorted by

std::vector<ReportSection> sections(const PeopleStudy& study) {
  const Sorting sorting = sorting_of(study);
  std::vector<ReportSection> all{
      {"Who and what counts", exclusions_note(study), {}},
      {detection_title + sorting.name, meanings, score_table(people_scores(study.items), sorting)},
      {sorting.contrast_title, contrast_note(sorting), contrast_table(tier_contrasts(study.items), sorting)},
      {"Difficulty against people", correlations_note, correlation_table(people_correlations(study.items))},
      {"Participants", "", participant_table(study)}};
  if (!study.questions.empty()) all.push_back({"Questions", answers_note, answer_table(study)});
  if (const Exclusions e = exclusions(study); e.checks > 0)
    all.push_back(
        {"Attention checks", attention_note(e), score_table(people_scores(attentive_items(study)), sorting)});
  if (Rows descriptions = description_table(study, sorting); descriptions.size() > 1)
    all.push_back({"What was reported", "In the participants' words.", std::move(descriptions)});
  all.push_back({"How this was made", "", manifest_table(study)});
  return all;
}

/// A bar for each novelty and tier. False alarms are of no tier: they stand in the table.
template <typename Value>
std::string score_chart(const std::vector<PeopleScore>& scores, const Value& value, const char* title,
                        const char* y_label) {
  std::vector<TierBar> bars;
  for (const PeopleScore& s : scores)
    if (!s.novelty.empty() && !s.tier.empty()) bars.push_back({s.novelty, s.tier, value(s)});
  return tier_chart(bars, title, y_label);
}

std::string detected_chart(const std::vector<PeopleScore>& scores, const char* title) {
  return score_chart(
      scores, [](const PeopleScore& s) { return s.detected.estimate(); }, title, "share detected");
}

/// Figure 7 of Pinto et al.
std::string charts(const std::vector<PeopleScore>& scores, const Sorting& sorting) {
  return "<p>By " + sorting.name +
         ", as figure 7 of Pinto et al.: (a) share of novel items that were detected, (b) shots to detection "
         "over birds. " +
         sorting.paper +
         " Their twenty players detected T1 always in easy and never in hard levels.</p>\n"
         "<div class=\"wide\">\n" +
         detected_chart(scores, "(a) detected") +
         score_chart(
             scores, [](const PeopleScore& s) { return s.shots_to_detection; }, "(b) shots to detection",
             "shots to detection / birds") +
         "</div>\n";
}

/// Value against share detected, a point a level.
std::string scatter(const PeopleStudy& study) {
  constexpr std::array<const char*, 6> colours{"#0072B2", "#D55E00", "#009E73",
                                               "#CC79A7", "#E69F00", "#56B4E9"};
  std::map<std::string, std::map<std::string, std::pair<double, Rate>>> by_novelty;  // of levels: value and
                                                                                     // rate
  for (const PlayedItem& item : study.items) {
    if (!item.novel || !item.counts()) continue;
    auto& [value, rate] = by_novelty[item.novelty][item.level];
    value = item.value;
    ++rate.count;
    rate.hits += item.reported();
  }
  ScatterPlot plot{
      .frame = {.title = "Levels", .x_label = "difficulty value", .y_label = "share detected", .width = 420},
      .x_low = 0,
      .x_high = 1,
      .y_low = -0.05,
      .y_high = 1.05};
  for (const auto& [novelty, levels] : by_novelty) {
    PointSeries series{.name = novelty, .colour = colours[plot.series.size() % colours.size()], .points = {}};
    for (const auto& [level, point] : levels) series.points.push_back({point.first, *point.second.value()});
    plot.series.push_back(std::move(series));
  }
  return plot.series.empty() ? "" : "<div class=\"wide\">\n" + plot_svg(plot) + "</div>\n";
}

std::string html(const PeopleStudy& study) {
  std::string body = html_head("Study with people", "");
  for (const ReportSection& section : sections(study)) {
    body += html_section(section);
    if (section.title.starts_with(detection_title))
      body += charts(people_scores(study.items), sorting_of(study));
    if (section.title == "Difficulty against people") body += scatter(study);
  }
  return html_page("Startle: study with people", body);
}

/// One row an item that was begun, counted or not.
Rows item_rows(const PeopleStudy& study) {
  Rows rows{{"participant",
             "item",
             "level",
             "novelty",
             "tier",
             "pid",
             "bid",
             "value",
             "world",
             "birds",
             "shots",
             "solved",
             "score",
             "seconds",
             "reported",
             "reported_after",
             "shots_over_birds",
             "confidence",
             "description",
             "interrupted",
             "counted",
             "passed"}};
  for (const PlayedItem& i : study.items)
    rows.push_back({i.participant,
                    std::to_string(i.position + 1),
                    i.level,
                    i.novelty,
                    i.tier,
                    shortest(i.pid),
                    shortest(i.bid),
                    shortest(i.value),
                    i.attention ? "attention"
                    : i.novel   ? "novel"
                                : "normal",
                    std::to_string(i.birds),
                    std::to_string(i.shots),
                    i.solved ? "1" : "0",
                    shortest(i.score),
                    fixed(i.seconds, 3),
                    i.reported() ? "1" : "0",
                    i.reported() ? std::to_string(i.reported_after) : "",
                    i.reported() ? shortest(static_cast<double>(i.reported_after) / i.birds) : "",
                    i.reported() ? shortest(i.confidence) : "",
                    i.description,
                    i.interrupted ? "1" : "0",
                    i.counts() ? "1" : "0",
                    i.attention ? (i.passed ? "1" : "0") : ""});
  return rows;
}

Json range_json(const std::optional<IntervalEstimate>& range) {
  return range ? Json{range->low, range->high} : Json();
}

Json scores_json(const std::vector<PlayedItem>& items) {
  Json all = Json::array();
  for (const PeopleScore& s : people_scores(items)) {
    Json one{{"novelty", s.novelty.empty() ? Json() : Json(s.novelty)},
             {"tier", s.tier.empty() ? Json() : Json(s.tier)},
             {"participants", s.participants},
             {"detected", json_with_count(s.detected.estimate())}};
    one["detected"]["interval_over_participants"] = range_json(s.detected_over_participants);
    one["shots_to_detection"] = json_with_count(s.shots_to_detection);
    one["false_alarm"] = json_with_count(s.false_alarm.estimate());
    one["auc"] = json_with_count(s.auc);
    all.push_back(std::move(one));
  }
  return all;
}

Json counts_json(const PeopleStudy& study, const Exclusions& e) {
  return {{"opened", study.sessions.size()},
          {"took_part", e.took_part},
          {"finished", e.finished},
          {"unfinished", e.unfinished},
          {"declined", e.declined},
          {"only_practised", e.only_practised},
          {"withdrawn", e.withdrawn},
          {"never_came", e.never_came},
          {"attention_checks", e.checks},
          {"attention_checks_failed", e.checks_failed},
          {"participants_failed", e.failed},
          {"items", e.items},
          {"items_counted", e.counted},
          {"items_interrupted", e.interrupted},
          {"items_interrupted_after_report", e.interrupted_reported}};
}

Json item_json(const PlayedItem& i) {
  Json json{{"participant", i.participant},
            {"item", i.position + 1},
            {"level", i.level},
            {"novelty", i.novelty},
            {"tier", i.tier},
            {"pid", i.pid},
            {"bid", i.bid},
            {"value", i.value},
            {"novel", i.novel},
            {"birds", i.birds},
            {"shots", i.shots},
            {"solved", i.solved},
            {"score", i.score},
            {"seconds", i.seconds},
            {"reported", i.reported()}};
  if (i.reported()) {
    json["reported_after"] = i.reported_after;
    json["confidence"] = i.confidence;
    json["description"] = i.description;
  }
  json["interrupted"] = i.interrupted;
  json["counted"] = i.counts();
  json["attention"] = i.attention;
  if (i.attention) json["passed"] = i.passed;
  return json;
}

Json questions_json(const PeopleStudy& study) {
  const std::vector<StudyAnswers> given = given_answers(study);
  Json all = Json::array();
  for (const StudyQuestion& question : study.questions.all()) {
    const QuestionSummary summary = summarised(question, given);
    Json& one = all.emplace_back(Json{{"name", question.name},
                                      {"text", question.text},
                                      {"kind", name(question.kind)},
                                      {"asked", given.size()},
                                      {"answered", summary.answered}});
    if (question.kind == StudyQuestion::Kind::choice) {
      one["counts"] = Json::array();
      for (const auto& [option, count] : summary.counts)
        one["counts"].push_back({{"option", option}, {"count", count}});
    } else if (question.kind == StudyQuestion::Kind::number) {
      const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(); };
      one["median"] = number(summary.median);
      one["min"] = number(summary.min);
      one["max"] = number(summary.max);
    } else {
      one["different"] = summary.different;
    }
  }
  return all;
}

Json participant_json(const PlayedSession& s, bool asked) {
  Json json{{"participant", s.participant},
            {"reached", s.withdrawn ? "withdrawn" : name(s.stage)},
            {"items", s.items},
            {"checks", s.checks},
            {"checks_failed", s.failed},
            {"practice_shots", s.practice_shots},
            {"openings", s.openings},
            {"seconds", s.seconds}};
  if (!asked) return json;
  json["answers"] = Json::parse(answers_json(s.answers.value_or(StudyAnswers{})));
  return json;
}

std::string json_text(const PeopleStudy& study) {
  Json json{{"format", "startle-people-report"}, {"version", 1}, {"manifest", study.manifest}};
  const Exclusions e = exclusions(study);
  json["counts"] = counts_json(study, e);
  json["scores"] = scores_json(study.items);
  if (e.checks > 0) json["scores_attentive"] = scores_json(attentive_items(study));
  json["contrasts"] = Json::array();
  for (const TierContrast& c : tier_contrasts(study.items))
    json["contrasts"].push_back({{"novelty", c.novelty.empty() ? Json() : Json(c.novelty)},
                                 {"easy_less_hard", json_with_count(c.difference)},
                                 {"p", c.difference.value ? Json(c.p) : Json()}});
  json["correlations"] = Json::array();
  for (const PeopleCorrelation& c : people_correlations(study.items))
    json["correlations"].push_back({{"novelty", c.novelty.empty() ? Json() : Json(c.novelty)},
                                    {"measure", c.measure},
                                    {"outcome", c.outcome},
                                    {"levels", c.levels},
                                    {"items", c.items},
                                    {"rho", c.rho ? Json(*c.rho) : Json()},
                                    {"interval", range_json(c.interval)}});
  if (!study.questions.empty()) json["questions"] = questions_json(study);
  json["participants"] = Json::array();
  for (const PlayedSession& s : study.sessions)
    json["participants"].push_back(participant_json(s, !study.questions.empty()));
  json["items"] = Json::array();
  for (const PlayedItem& i : study.items) json["items"].push_back(item_json(i));
  return json.dump(1) + "\n";
}

std::string svg(const PeopleStudy& study) {
  return detected_chart(people_scores(study.items), "Changes that participants detected");
}

std::string markdown(const PeopleStudy& study) {
  std::string text = "# Study with people\n";
  for (const ReportSection& section : sections(study)) text += markdown_section(section);
  return text;
}

}  // namespace

std::string people_report(const PeopleStudy& study, const std::string& format) {
  if (format == "html") return html(study);
  if (format == "md") return markdown(study);
  if (format == "tex") return latex_tables(sections(study));
  if (format == "svg") return svg(study);
  if (format == "csv") return comma_separated(item_rows(study));
  if (format == "json") return json_text(study);
  throw Error("format: found '" + format + "', allowed are html, md, tex, svg, csv and json");
}

}  // namespace startle
