/// \file  startle agents report: scores of agents as a page, a table, or data.
#include "app/agents_report.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/command.hpp"
#include "app/html.hpp"
#include "render/plot_svg.hpp"
#include "sim/error.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;
using Table = std::vector<std::vector<std::string>>;

/// One figure of a score, for every form of output.
struct Measure {
  std::string id, title, meaning;
  int digits;
  std::function<ScoreEstimate(const AgentScore&)> of;
  bool single, shift;  ///< protocols it is for
};

ScoreEstimate estimate_of(const Rate& rate) {
  ScoreEstimate e{.count = rate.count, .value = rate.value(), .interval = {}};
  if (e.value) e.interval = rate.interval();
  return e;
}

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {"solved_normal", "solved, normal", "share of normal levels cleared", 3,
       [](const AgentScore& s) { return estimate_of(s.solved_normal); }, true, true},
      {"solved_novel", "solved, novel", "share of novel levels cleared", 3, [](const AgentScore& s) { return estimate_of(s.solved_novel); },
       true, true},
      {"score", "score", "of a level", 0, [](const AgentScore& s) { return s.score; }, true, true},
      {"attempts", "attempts", "shots taken in levels that were cleared", 2, [](const AgentScore& s) { return s.shots; }, true, true},
      {"detected", "detected", "share of trials in which the world was declared novel while it was", 3,
       [](const AgentScore& s) { return estimate_of(s.detected); }, true, true},
      {"shots_to_detection", "shots to detection / birds",
       "number of the shot that brought the declaration over the birds of the level, where it came", 3,
       [](const AgentScore& s) { return s.shots_to_detection; }, true, false},
      {"false_positive", "false positives", "share of trials in which the world was declared novel while it was normal", 3,
       [](const AgentScore& s) { return estimate_of(s.false_positive); }, true, true},
      {"cdt", "CDT", "correctly detected trials: declared where novel and not where normal", 3,
       [](const AgentScore& s) { return estimate_of(s.correct); }, true, true},
      {"delay", "delay", "levels from the change to the declaration, the first novel level being 1, in correctly detected trials", 2,
       [](const AgentScore& s) { return s.delay; }, false, true},
      {"auc", "AUC", "area under the ROC curve of the largest likelihood reported", 3, [](const AgentScore& s) { return s.auc; }, true,
       true},
  };
  return all;
}

std::vector<const Measure*> measures_for(const AgentsRun& run) {
  const bool shift = run.manifest.at("protocol") == "shift";
  std::vector<const Measure*> chosen;
  for (const Measure& m : measures())
    if (shift ? m.shift : m.single) chosen.push_back(&m);
  return chosen;
}

/// "0.620 (0.55 to 0.69) n=100".
std::string text_of(const ScoreEstimate& e, int digits) {
  if (!e.value) return "-";
  std::string text = fixed(*e.value, digits);
  if (e.interval) text += " (" + fixed(e.interval->low, digits) + " to " + fixed(e.interval->high, digits) + ")";
  return text + " n=" + std::to_string(e.count);
}

Table score_table(const AgentsRun& run, const std::vector<AgentScore>& scores, ScoreBy by) {
  Table rows{{"agent"}};
  if (by != ScoreBy::agent) rows[0].push_back("novelty");
  if (by == ScoreBy::tier) rows[0].push_back("tier");
  for (const char* column : {"trials", "failed"}) rows[0].push_back(column);
  for (const Measure* m : measures_for(run)) rows[0].push_back(m->title);
  for (const AgentScore& s : scores) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(s.agent);
    if (by != ScoreBy::agent) row.push_back(s.novelty);
    if (by == ScoreBy::tier) row.push_back(s.tier.empty() ? "none" : s.tier);
    row.push_back(std::to_string(s.trials));
    row.push_back(std::to_string(s.failed));
    for (const Measure* m : measures_for(run)) row.push_back(text_of(m->of(s), m->digits));
  }
  return rows;
}

/// Best first: by correctly detected trials, then by novel levels solved.
std::vector<AgentScore> leaderboard(const AgentsRun& run) {
  std::vector<AgentScore> scores = agent_scores(run.results, ScoreBy::agent);
  std::stable_sort(scores.begin(), scores.end(), [](const AgentScore& a, const AgentScore& b) {
    const auto rank = [](const AgentScore& s) { return std::pair{s.correct.value().value_or(0), s.solved_novel.value().value_or(0)}; };
    return rank(a) > rank(b);
  });
  return scores;
}

Table comparison_table(const std::vector<AgentComparison>& comparisons) {
  Table rows{{"agent A", "agent B", "trials", "question", "A alone", "B alone", "A - B", "McNemar p"}};
  for (const AgentComparison& c : comparisons)
    for (const auto& [question, paired] : {std::pair{"solved", &c.solved}, std::pair{"judged rightly", &c.judged}}) {
      const ScoreEstimate& d = paired->difference;
      std::string difference = d.value ? fixed(*d.value, 3) : "-";
      if (d.interval) difference += " (" + fixed(d.interval->low, 3) + " to " + fixed(d.interval->high, 3) + ")";
      rows.push_back({c.a, c.b, std::to_string(c.trials), question, std::to_string(paired->only_a), std::to_string(paired->only_b),
                      difference, paired->p < 0.0001 ? "< 0.0001" : fixed(paired->p, 4)});
    }
  return rows;
}

Table failure_table(const AgentsRun& run) {
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> counts;
  for (const TrialResult& r : run.results)
    if (r.status != Status::ok) ++counts[{r.agent, name(r.status), r.error}];
  Table rows{{"agent", "status", "trials", "what"}};
  for (const auto& [key, n] : counts) rows.push_back({std::get<0>(key), std::get<1>(key), std::to_string(n), std::get<2>(key)});
  return rows;
}

/// Computed from the published data of NovPhy: detectors that watch the score, on its own levels and novelties.
Table novphy_table() {
  return {{"published (NovPhy)", "CDT", "delay", "false positives"},
          {"Datalab, score over 10 tasks, 1.5 sigma", "0.448", "7.5", "0.552"},
          {"Eagle's Wing", "0.446", "8.4", "-"},
          {"random", "0.280", "15", "-"},
          {"Pig Shooter", "0.146", "6.1", "-"}};
}

constexpr const char* novphy_note =
    "Not measured here: baseline detectors of NovPhy that watch the score, from its published data. Other levels, other novelties, a "
    "change after 1 to 40 tasks; "
    "only the order of magnitude can be compared.";

Table manifest_table(const AgentsRun& run) {
  Table rows{{"what", "value"}};
  for (const auto& [key, value] : run.manifest) rows.push_back({key, value});
  for (const auto& [agent, fingerprint] : run.agents) rows.push_back({"agent " + agent, fingerprint});
  return rows;
}

std::string intervals_note(const AgentsRun& run) {
  return std::string("In brackets intervals at 95 %: of rates by Wilson, of the rest by bootstrap over ") +
         (run.manifest.at("protocol") == "shift" ? "trials" : "levels") +
         ". n counts what a figure is of. A world is declared novel by a likelihood of 0.5 or more.";
}

/// Everything the page and the Markdown file show, in order.
struct Section {
  std::string title, note;
  Table table;
};

std::vector<Section> sections(const AgentsRun& run) {
  std::vector<Section> all;
  std::string meanings = intervals_note(run);
  for (const Measure* m : measures_for(run)) meanings += " " + m->title + ": " + m->meaning + ".";
  all.push_back({"Leaderboard", meanings, score_table(run, leaderboard(run), ScoreBy::agent)});
  if (run.manifest.at("protocol") == "shift") all.push_back({"Published detectors", novphy_note, novphy_table()});
  all.push_back({"By novelty", "", score_table(run, agent_scores(run.results, ScoreBy::novelty), ScoreBy::novelty)});
  all.push_back({"By novelty and tier", "", score_table(run, agent_scores(run.results, ScoreBy::tier), ScoreBy::tier)});
  const std::vector<AgentComparison> comparisons = compare_agents(run.results);
  if (!comparisons.empty())
    all.push_back({"Agents against each other",
                   "On the trials that both played. A alone: trials that A got right and B did not. Solved: all levels of the trial "
                   "cleared; judged rightly: "
                   "declared novel where it was, and only there. p: exact McNemar test, two-sided; many pairs are many tests.",
                   comparison_table(comparisons)});
  if (const Table failures = failure_table(run); failures.size() > 1)
    all.push_back({"Failed trials", "They count with what was reported before they failed.", failures});
  all.push_back({"How this was made", "", manifest_table(run)});
  return all;
}

std::string markdown(const AgentsRun& run) {
  const auto cell = [](std::string text) {
    for (std::size_t at = 0; (at = text.find_first_of("|\n", at)) != std::string::npos; at += 2)
      text.replace(at, 1, text[at] == '|' ? "\\|" : "; ");
    return text;
  };
  std::string text = "# Agents\n";
  for (const Section& section : sections(run)) {
    text += "\n## " + section.title + "\n\n" + (section.note.empty() ? "" : section.note + "\n\n");
    for (std::size_t r = 0; r < section.table.size(); ++r) {
      for (const std::string& c : section.table[r]) text += "| " + cell(c) + " ";
      text += "|\n";
      if (r > 0) continue;
      for (std::size_t c = 0; c < section.table[r].size(); ++c) text += "|---";
      text += "|\n";
    }
  }
  return text;
}

constexpr std::array<std::pair<const char*, const char*>, 4> tier_colours{
    {{"easy", "#56B4E9"}, {"medium", "#E69F00"}, {"hard", "#7A1F5C"}, {"", "#888888"}}};

/// Figure 7 of the source for one agent: bars by novelty and tier, with intervals.
std::string tier_chart(const std::vector<AgentScore>& scores, const std::string& agent, const std::string& title, const Measure& measure) {
  BarChart chart{.frame = {.title = title, .x_label = "", .y_label = measure.title}, .categories = {}, .series = {}, .y_high = 1.15};
  for (const AgentScore& s : scores)
    if (s.agent == agent && std::find(chart.categories.begin(), chart.categories.end(), s.novelty) == chart.categories.end())
      chart.categories.push_back(s.novelty);
  for (const auto& [tier, colour] : tier_colours) {
    ValueSeries series{.name = *tier ? tier : "no tier", .colour = colour, .values = {}};
    bool any = false;
    for (const std::string& novelty : chart.categories) {
      const auto found = std::find_if(scores.begin(), scores.end(),
                                      [&](const AgentScore& s) { return s.agent == agent && s.novelty == novelty && s.tier == tier; });
      const ScoreEstimate e = found == scores.end() ? ScoreEstimate{} : measure.of(*found);
      any = any || found != scores.end();
      series.values.push_back(e.value.value_or(std::numeric_limits<double>::quiet_NaN()));
      series.ranges.push_back(e.interval ? ValueRange{e.interval->low, e.interval->high}
                                         : ValueRange{e.value.value_or(0), e.value.value_or(0)});
    }
    if (any) chart.series.push_back(std::move(series));
  }
  chart.frame.width = std::max(340.0, 70 + 110.0 * static_cast<double>(chart.categories.size()));
  return plot_svg(chart);
}

std::string charts(const AgentsRun& run) {
  const std::vector<AgentScore> scores = agent_scores(run.results, ScoreBy::tier);
  const bool shift = run.manifest.at("protocol") == "shift";
  std::string html =
      "<h2>Detection by novelty and tier</h2>\n<p>Figure 7 of Pinto et al. for each agent: (a) share of trials in which the novelty was "
      "detected, (b) " +
      std::string(shift ? "correctly detected trials" : "shots to detection over birds, where it was detected") +
      ". Their twenty human players detected T1 always in the easy and never in the hard category.</p>\n";
  for (const auto& [agent, fingerprint] : run.agents) {
    html += "<div class=\"wide\">\n";
    for (const Measure& m : measures()) {
      if (m.id == "detected") html += tier_chart(scores, agent, "(a) " + agent, m);
      if (m.id == (shift ? "cdt" : "shots_to_detection")) html += tier_chart(scores, agent, "(b) " + agent, m);
    }
    html += "</div>\n";
  }
  return html;
}

std::string html(const AgentsRun& run) {
  std::string body = "<h1>Agents</h1>\n";
  for (const Section& section : sections(run)) {
    if (section.title == "By novelty") body += charts(run);
    body += "<h2>" + section.title + "</h2>\n" + (section.note.empty() ? "" : "<p>" + xml_escaped(section.note) + "</p>\n") +
            html_table(section.table);
  }
  return html_page("Startle: agents", body);
}

/// One row an agent, an agent and novelty, and an agent, novelty and tier; each figure with its interval and count.
std::string csv(const AgentsRun& run) {
  Table rows{{"agent", "novelty", "tier", "trials", "failed"}};
  for (const Measure* m : measures_for(run))
    for (const char* end : {"", "_low", "_high", "_n"}) rows[0].push_back(m->id + end);
  for (const ScoreBy by : {ScoreBy::agent, ScoreBy::novelty, ScoreBy::tier})
    for (const AgentScore& s : agent_scores(run.results, by)) {
      std::vector<std::string>& row = rows.emplace_back();
      row = {s.agent, by == ScoreBy::agent ? "all" : s.novelty, by == ScoreBy::tier ? (s.tier.empty() ? "none" : s.tier) : "all",
             std::to_string(s.trials), std::to_string(s.failed)};
      for (const Measure* m : measures_for(run)) {
        const ScoreEstimate e = m->of(s);
        row.push_back(e.value ? shortest(*e.value) : "");
        row.push_back(e.interval ? shortest(e.interval->low) : "");
        row.push_back(e.interval ? shortest(e.interval->high) : "");
        row.push_back(std::to_string(e.count));
      }
    }
  return comma_separated(rows);
}

Json estimate_json(const ScoreEstimate& e) {
  Json json{{"value", e.value ? Json(*e.value) : Json()}, {"n", e.count}};
  if (e.interval) json["interval"] = {e.interval->low, e.interval->high};
  return json;
}

Json scores_json(const AgentsRun& run, ScoreBy by) {
  Json list = Json::array();
  for (const AgentScore& s : by == ScoreBy::agent ? leaderboard(run) : agent_scores(run.results, by)) {
    Json json{{"agent", s.agent}};
    if (by != ScoreBy::agent) json["novelty"] = s.novelty;
    if (by == ScoreBy::tier) json["tier"] = s.tier.empty() ? Json() : Json(s.tier);
    json["trials"] = s.trials;
    json["failed"] = s.failed;
    for (const Measure* m : measures_for(run)) json[m->id] = estimate_json(m->of(s));
    list.push_back(std::move(json));
  }
  return list;
}

Json trial_json(const TrialResult& r) {
  Json json{{"agent", r.agent},     {"unit", r.unit}, {"world", r.world}, {"trial", r.trial},
            {"novelty", r.novelty}, {"tier", r.tier}, {"shift", r.shift}, {"status", name(r.status)}};
  if (r.status != Status::ok) json["error"] = r.error;
  json["retries"] = r.retries;
  json["levels"] = Json::array();
  for (const PlayedLevel& level : r.levels) {
    Json shots = Json::array();
    for (const PlayedShot& s : level.shots)
      shots.push_back({{"angle", s.shot.angle},
                       {"stretch", s.shot.stretch},
                       {"tap_time", s.shot.tap_time},
                       {"novelty", s.novelty},
                       {"description", s.description}});
    json["levels"].push_back({{"level", level.level},
                              {"novel", level.novel},
                              {"birds", level.birds},
                              {"solved", level.solved},
                              {"score", level.score},
                              {"shots", std::move(shots)}});
  }
  return json;
}

std::string json_text(const AgentsRun& run) {
  Json json{{"format", "startle-agents-report"}, {"version", 1}, {"manifest", run.manifest}, {"agents", run.agents}};
  json["leaderboard"] = scores_json(run, ScoreBy::agent);
  json["by_novelty"] = scores_json(run, ScoreBy::novelty);
  json["by_tier"] = scores_json(run, ScoreBy::tier);
  json["comparisons"] = Json::array();
  for (const AgentComparison& c : compare_agents(run.results)) {
    const auto paired = [](const AgentComparison::Paired& p) {
      return Json{{"only_a", p.only_a}, {"only_b", p.only_b}, {"difference", estimate_json(p.difference)}, {"p", p.p}};
    };
    json["comparisons"].push_back(
        {{"a", c.a}, {"b", c.b}, {"trials", c.trials}, {"solved", paired(c.solved)}, {"judged", paired(c.judged)}});
  }
  json["trials"] = Json::array();
  for (const TrialResult& r : run.results) json["trials"].push_back(trial_json(r));
  return json.dump(1) + "\n";
}

}  // namespace

AgentsRun load_agents_run(const std::vector<std::string>& files) {
  AgentsRun run;
  std::map<TrialKey, TrialResult> by_key;
  for (const std::string& file : files) {
    const ResultsStore store(file);
    if (run.manifest.empty()) run.manifest = store.manifest();
    const Manifest theirs = store.manifest();
    for (const auto& [key, value] : run.manifest)
      if (const auto found = theirs.find(key); found == theirs.end() || found->second != value)
        throw Error(file + ": cannot be reported together with " + files.front() + ": " + key + " differs");
    for (const auto& [agent, fingerprint] : store.agents())
      if (const auto [known, fresh] = run.agents.emplace(agent, fingerprint); !fresh && known->second != fingerprint)
        throw Error(file + ": agent " + agent + " is another one than in the files before");
    for (TrialResult& result : store.results()) {
      const TrialKey key = key_of(result);
      const auto [known, fresh] = by_key.emplace(key, result);
      if (!fresh && !(known->second == result))
        throw Error(file + ": trial " + std::to_string(result.trial) + " of " + result.agent + " on " + result.unit +
                    " has another result in the files before");
    }
  }
  for (auto& [key, result] : by_key) run.results.push_back(std::move(result));
  if (run.results.empty()) throw Error(files.front() + ": holds no finished trial");
  return run;
}

std::string agents_report(const AgentsRun& run, const std::string& file_name) {
  const std::string extension = std::filesystem::path(file_name).extension().string();
  if (extension == ".html") return html(run);
  if (extension == ".md") return markdown(run);
  if (extension == ".csv") return csv(run);
  if (extension == ".json") return json_text(run);
  throw Error("--out: found '" + file_name + "', allowed are names that end in .html, .md, .csv or .json");
}

void add_agents_report(CLI::App& agents) {
  const auto files = std::make_shared<std::vector<std::string>>();
  const auto out = std::make_shared<std::string>();
  CLI::App* command = agents.add_subcommand("report", "Scores of agents: leaderboard, tables by novelty and tier, comparisons.");
  command->add_option("RESULTS", *files, "results files of the same manifest")->required()->type_name("");
  command->add_option("--out", *out, "file to write: .html and .md for people, .csv with one row a score, .json with every trial")
      ->required()
      ->type_name("FILE");
  command->footer("Example: startle agents report results.sqlite --out report.html");
  command->callback([files, out] { emit(agents_report(load_agents_run(*files), *out), *out); });
}

}  // namespace startle
