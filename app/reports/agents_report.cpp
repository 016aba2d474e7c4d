#include "app/reports/agents_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "agents/built_in.hpp"
#include "agents/trials/scores.hpp"
#include "agents/trials/trial_table.hpp"
#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/sections.hpp"
#include "app/reports/table.hpp"
#include "app/reports/tiers.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "render/plot_svg.hpp"
#include "statistics/significance.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

/// One figure of a score, for every form of output.
struct Measure {
  std::string id, title, meaning;
  int digits;
  std::function<Estimate(const AgentScore&)> of;
  bool single, shift;  ///< protocols it is for
  bool play = false;   ///< of how the agent plays, not of what it detects
};

const std::vector<Measure>& measures() {
  static const std::vector<Measure> all{
      {"solved_normal", "solved, normal", "share of normal levels cleared", 3,
       [](const AgentScore& s) { return s.solved_normal.estimate(); }, true, true, true},
      {"solved_novel", "solved, novel", "share of novel levels cleared", 3,
       [](const AgentScore& s) { return s.solved_novel.estimate(); }, true, true, true},
      {"score", "score", "of a level", 0, [](const AgentScore& s) { return s.score; }, true, true, true},
      {"attempts", "attempts", "shots taken in levels that were cleared", 2,
       [](const AgentScore& s) { return s.shots; }, true, true, true},
      {"auccess", "AUCCESS", "mean over levels of 1 - ln(shots)/ln(birds + 1) where cleared, 0 where not", 3,
       [](const AgentScore& s) { return s.auccess; }, true, true, true},
      {"detected", "detected", "share of trials in which an alarm was raised while the world was novel", 3,
       [](const AgentScore& s) { return s.detected.estimate(); }, true, true},
      {"shots_to_detection", "shots to detection / birds",
       "number of the shot that brought the alarm over the birds of the level, where it came", 3,
       [](const AgentScore& s) { return s.shots_to_detection; }, true, false},
      {"false_positive", "false alarms", "share of trials in which an alarm was raised while it was normal",
       3, [](const AgentScore& s) { return s.false_positive.estimate(); }, true, true},
      {"cdt", "CDT", "correctly detected trials: an alarm where novel and not where normal", 3,
       [](const AgentScore& s) { return s.correct.estimate(); }, true, true},
      {"delay", "delay",
       "levels from the change to the alarm, the first novel level being 1, in correctly detected "
       "trials",
       2, [](const AgentScore& s) { return s.delay; }, false, true},
      {"auc", "AUC", "area under the ROC curve of the largest likelihood reported", 3,
       [](const AgentScore& s) { return s.auc; }, true, true},
      {"detected_at_false_alarms", "detected at 5 %",
       "share of novel levels whose largest likelihood is above what at most 5 % of the normal ones reach", 3,
       [](const AgentScore& s) { return s.detected_at_false_alarms; }, true, true},
  };
  return all;
}

bool is_shift(const AgentResults& run) { return run.manifest.at("protocol") == "shift"; }
/// Of free play: normal levels, and nobody was asked for a report.
bool is_free(const AgentResults& run) { return run.manifest.contains("order"); }
/// Whether the protocol has the figure.
bool has(const AgentResults& run, const Measure& m) {
  return is_free(run) ? m.play && m.id != "solved_novel" : is_shift(run) ? m.shift : m.single;
}

std::vector<const Measure*> measures_for(const AgentResults& run) {
  std::vector<const Measure*> chosen;
  for (const Measure& m : measures())
    if (has(run, m)) chosen.push_back(&m);
  return chosen;
}

/// In lines, as a page shows them, or in one.
enum class Layout { lines, line };

std::string estimate_cell(const Estimate& e, int digits, Layout layout) {
  return layout == Layout::lines ? in_lines(e, digits) : with_count(e, digits);
}

Rows score_table(const AgentResults& run, const std::vector<AgentScore>& scores, ScoreBy by, bool play,
                 Layout layout) {
  Rows rows{{}};
  if (by != ScoreBy::agent) rows[0].push_back("novelty");
  if (by == ScoreBy::tier) rows[0].push_back("tier");
  for (const char* column : {"agent", "trials", "failed"}) rows[0].push_back(column);
  for (const Measure* m : measures_for(run))
    if (m->play == play) rows[0].push_back(m->title);
  for (const AgentScore& s : scores) {
    std::vector<std::string>& row = rows.emplace_back();
    if (by != ScoreBy::agent) row.push_back(s.novelty);
    if (by == ScoreBy::tier) row.push_back(s.tier.empty() ? "none" : s.tier);
    row.push_back(s.agent);
    row.push_back(std::to_string(s.trials));
    row.push_back(std::to_string(s.failed));
    for (const Measure* m : measures_for(run))
      if (m->play == play) row.push_back(estimate_cell(m->of(s), m->digits, layout));
  }
  return rows;
}

/// Best first: by AUC, which no threshold and no false alarm changes, then by levels solved.
std::vector<AgentScore> leaderboard(std::vector<AgentScore> scores) {
  std::stable_sort(scores.begin(), scores.end(), [](const AgentScore& a, const AgentScore& b) {
    const auto rank = [](const AgentScore& s) {
      return std::tuple{s.auc.value.value_or(-1), s.solved_novel.value().value_or(0),
                        s.solved_normal.value().value_or(0)};
    };
    return rank(a) > rank(b);
  });
  return scores;
}

/// The scores of a run, each computed once, in the order of agent_scores(); and the leaderboard.
struct Scores {
  explicit Scores(const AgentResults& run)
      : agents(agent_scores(run.trials, ScoreBy::agent)),
        agent_tiers(agent_scores(run.trials, ScoreBy::agent_tier)),
        novelties(agent_scores(run.trials, ScoreBy::novelty)),
        tiers(agent_scores(run.trials, ScoreBy::tier)),
        leaders(leaderboard(agents)) {}
  std::vector<AgentScore> agents, agent_tiers, novelties, tiers, leaders;
};

/// A run and its scores.
struct ScoredRun {
  const AgentResults& results;
  Scores scores;
};

std::vector<ScoredRun> scored(const std::vector<AgentResults>& runs) {
  std::vector<ScoredRun> all;
  for (const AgentResults& run : runs) all.push_back({run, Scores(run)});
  return all;
}

/// Agents side by side: by novelty and tier, in each in the order of the leaderboard.
std::vector<AgentScore> buckets(const std::vector<AgentScore>& of, const std::vector<AgentScore>& leaders) {
  std::map<std::string, std::map<std::string, std::map<std::string, AgentScore>>> scores;  // by novelty,
                                                                                           // tier, agent
  for (const AgentScore& s : of) scores[s.novelty][s.tier].emplace(s.agent, s);
  std::vector<AgentScore> sorted;
  for (const auto& [novelty, tiers] : scores)
    for (const auto& [tier, colour] : tier_colours)
      if (const auto of_tier = tiers.find(tier); of_tier != tiers.end())
        for (const AgentScore& leader : leaders)
          if (const auto s = of_tier->second.find(leader.agent); s != of_tier->second.end())
            sorted.push_back(s->second);
  return sorted;
}

/// What an agent detects by tier, over all novelties.
DetectionFinding finding_of(const Scores& scores, const AgentScore& leader) {
  DetectionFinding finding{
      .name = leader.agent, .detected = {}, .false_alarms = leader.false_positive.estimate()};
  for (const AgentScore& s : scores.agent_tiers)
    if (s.agent == leader.agent) finding.detected.push_back({s.tier, s.detected.estimate()});
  return finding;
}

bool is_program(const AgentResults& run, const std::string& agent) {
  const auto known = run.agents.find(agent);
  return known != run.agents.end() && known->second != "built in";
}

/// Whether the agent is told the truth, or does not look at shots: others are compared with it.
bool is_anchor(const std::string& agent) {
  if (agent == oracle_name) return true;
  const std::string detector = agent.substr(agent.rfind('+') + 1);  // a shooter alone reports nothing
  const std::vector<DetectorInfo>& known = detectors();
  return std::none_of(known.begin(), known.end(),
                      [&](const DetectorInfo& d) { return d.name == detector && d.looks; });
}

/// How many trials the plan has, as far as the results say.
std::size_t planned_trials(const ScoredRun& run) {
  std::size_t most = 0;
  for (const AgentScore& s : run.scores.leaders) most = std::max(most, s.trials);
  const Manifest& manifest = run.results.manifest;
  const auto levels = manifest.find("levels"), trials = manifest.find("trials");
  if (is_shift(run.results) || is_free(run.results) || levels == manifest.end() || trials == manifest.end())
    return most;
  const auto number = [](const std::string& text) {
    return parse_number<std::size_t>(text.substr(0, text.find(' '))).value_or(0);
  };
  return std::max(most, 2 * number(levels->second) * number(trials->second));
}

/// " AUC 0.64 (0.55 to 0.72), above chance, which has 0.5."
std::string area_words(const Estimate& auc) {
  if (!auc.value || !auc.interval) return "";
  const char* is = auc.interval->low > 0.5    ? ", above chance"
                   : auc.interval->high < 0.5 ? ", below chance"
                                              : ", not to be told from chance";
  return " AUC " + with_interval(auc, 2) + is + ", which has 0.5.";
}

/// What a program detects, and why its figures may be less than they seem.
std::string program_words(const ScoredRun& run, const AgentScore& s) {
  if (s.failed == s.trials)
    return "All " + std::to_string(s.trials) + " trials of " + s.agent + " failed (Failed trials, below).";
  std::string text = detection_words(finding_of(run.scores, s), s.agent, "trials") + area_words(s.auc);
  if (const std::size_t planned = planned_trials(run); s.trials < planned)
    text += " It has played " + std::to_string(s.trials) + " of " + std::to_string(planned) + " trials.";
  if (s.failed > 0)
    text += " " + std::to_string(s.failed) + " of its " + std::to_string(s.trials) +
            " trials failed (Failed trials, below).";
  return text;
}

std::string free_play_finding(const std::vector<AgentScore>& leaders) {
  const AgentScore& leader = leaders.front();
  const Estimate solved = leader.solved_normal.estimate();
  if (!solved.value) return "";
  return leader.agent +
         (leaders.size() > 1 ? ", the first of " + std::to_string(leaders.size()) + " agents," : "") +
         " clears " + fixed(100 * *solved.value, 0) + " % of its attempts (95 % interval " +
         fixed(100 * solved.interval->low, 0) + " to " + fixed(100 * solved.interval->high, 0) + ").";
}

/// The finding: what each program detects, three at most, and the best agent that comes with Startle.
std::vector<std::string> findings_of(const ScoredRun& run) {
  const std::vector<AgentScore>& leaders = run.scores.leaders;
  if (leaders.empty()) return {};
  if (is_free(run.results)) return {free_play_finding(leaders)};
  std::vector<std::string> sentences;
  std::vector<AgentScore> others;
  std::size_t left_out = 0;
  for (const AgentScore& leader : leaders)
    if (!is_program(run.results, leader.agent)) {
      if (!is_anchor(leader.agent)) others.push_back(leader);
    } else if (sentences.size() < 3) {
      sentences.push_back(program_words(run, leader));
    } else {
      ++left_out;
    }
  if (left_out > 0)
    sentences.push_back("The table has " + std::to_string(left_out) + " more program" +
                        (left_out == 1 ? "." : "s."));
  if (others.empty() && sentences.empty()) others = {leaders.front()};
  if (others.empty()) return sentences;
  const AgentScore& best = others.front();
  std::string who = best.agent;
  if (others.size() > 1)
    who = sentences.empty() ? who + ", the best of " + std::to_string(others.size()) + " agents,"
                            : "The best of the built-in agents, " + who + ",";
  sentences.push_back(detection_words(finding_of(run.scores, best), who, "trials"));
  return sentences;
}

std::string finding_chart(const ScoredRun& run) {
  if (is_free(run.results) || run.scores.leaders.empty()) return "";
  std::vector<DetectionFinding> findings;
  for (const AgentScore& leader : run.scores.leaders) findings.push_back(finding_of(run.scores, leader));
  return detection_chart(findings, "Trials in which the novelty was detected, by agent and tier",
                         "share of trials");
}

/// The table of the finding, with a row for each agent. `text` writes an estimate.
ReportSection agent_section(const ScoredRun& run, const std::function<std::string(const Estimate&)>& text) {
  std::vector<std::string> columns;  // tiers that some trial has, easy first
  for (const auto& known : tier_colours)
    if (std::any_of(run.scores.agent_tiers.begin(), run.scores.agent_tiers.end(),
                    [&](const AgentScore& s) { return s.tier == known.first; }))
      columns.emplace_back(known.first);
  Rows rows{{"agent"}};
  for (const std::string& tier : columns) rows[0].push_back(tier.empty() ? "detected" : tier);
  const bool shift = is_shift(run.results);
  rows[0].push_back("false alarms");
  if (shift) rows[0].push_back("CDT");
  for (const char* column : {"AUC", "trials", "failed"}) rows[0].push_back(column);
  for (const AgentScore& leader : run.scores.leaders) {
    std::vector<std::string>& row = rows.emplace_back(std::vector{leader.agent});
    for (const std::string& tier : columns) {
      const auto of = std::find_if(
          run.scores.agent_tiers.begin(), run.scores.agent_tiers.end(),
          [&](const AgentScore& s) { return s.agent == leader.agent && s.tier == tier; });
      row.push_back(of == run.scores.agent_tiers.end() ? "-" : text(of->detected.estimate()));
    }
    row.push_back(text(leader.false_positive.estimate()));
    if (shift) row.push_back(text(leader.correct.estimate()));
    row.push_back(text(leader.auc));
    row.push_back(std::to_string(leader.trials));
    row.push_back(std::to_string(leader.failed));
  }
  std::string note =
      "Share of trials in which the novelty was detected, by tier, with intervals at 95 %. An alarm is a "
      "likelihood of 0.5 or more; false alarms are those in the normal world. Agents are ordered by AUC, the "
      "area under the ROC curve of the largest likelihood of a trial; guessing has 0.5, and as many "
      "detections as false alarms. Easy, medium and hard are bands of the chance that one play of the level "
      "by a "
      "reference player shows the change to a reference observer.";
  const auto has_part = [&](const std::string& part) {
    return std::any_of(run.scores.leaders.begin(), run.scores.leaders.end(), [&](const AgentScore& s) {
      return !is_program(run.results, s.agent) && s.agent.ends_with(part);
    });
  };
  if (shift) note += " CDT: trials correctly detected, with an alarm after the change and none before.";
  if (has_part("simulation")) note += " simulation compares shots with exact ones of the normal world.";
  if (has_part("chance")) note += " chance reports at random.";
  if (has_part(oracle_name)) note += " oracle is given the truth.";
  return {"Detected by tier", note, rows, true};
}

/// Agents by tier over all novelties, and over all tiers, with what depends on no threshold.
ReportSection agent_tier_section(const ScoredRun& run, Layout layout) {
  std::vector<const Measure*> chosen;
  for (const Measure& m : measures())
    if (has(run.results, m) &&
        (m.id == "detected" || m.id == "false_positive" || m.id == "auc" || m.id == "delay"))
      chosen.push_back(&m);
  Rows rows{{"agent", "tier", "trials"}};
  for (const Measure* m : chosen) rows[0].push_back(m->title);
  const auto add = [&](const AgentScore& s, const std::string& tier) {
    std::vector<std::string>& row = rows.emplace_back(std::vector{s.agent, tier, std::to_string(s.trials)});
    for (const Measure* m : chosen) row.push_back(estimate_cell(m->of(s), m->digits, layout));
  };
  for (const AgentScore& leader : run.scores.leaders) {
    for (const AgentScore& s : run.scores.agent_tiers)
      if (s.agent == leader.agent) add(s, s.tier.empty() ? "none" : s.tier);
    add(leader, "all");
  }
  return {"By agent and tier: detecting novelty",
          "Over all novelties, agents in the order of the leaderboard.", rows, true};
}

Rows comparison_table(const std::vector<AgentComparison>& comparisons) {
  Rows rows{{"agent A", "agent B", "trials", "question", "A alone", "B alone", "A - B", "McNemar p", "Holm"}};
  std::vector<double> p;
  for (const AgentComparison& c : comparisons) p.insert(p.end(), {c.solved.p, c.detection.p});
  const std::vector<double> adjusted = holm_adjusted(p);
  for (const AgentComparison& c : comparisons)
    for (const auto& [question, paired] :
         {std::pair{"solved", &c.solved}, std::pair{"detected rightly", &c.detection}}) {
      const Estimate& d = paired->difference;
      rows.push_back({c.a, c.b, std::to_string(c.trials), question, std::to_string(paired->only_a),
                      std::to_string(paired->only_b), with_interval(d), p_value(paired->p),
                      p_value(adjusted[rows.size() - 1])});
    }
  return rows;
}

/// How the trials of each agent ended, in the order of the leaderboard.
Rows status_table(const AgentResults& run, const std::vector<AgentScore>& leaders) {
  constexpr std::array statuses{Status::ok, Status::timeout, Status::crash, Status::protocol_error,
                                Status::invalid_action};
  Rows rows{{"agent", "trials", "failed"}};
  for (const Status status : statuses) rows[0].push_back(name(status));
  std::map<std::pair<std::string, Status>, std::size_t> counts;
  for (const TrialResult& r : run.trials) ++counts[{r.agent, r.status}];
  for (const AgentScore& score : leaders) {
    std::vector<std::string>& row = rows.emplace_back(
        std::vector{score.agent, std::to_string(score.trials), std::to_string(score.failed)});
    for (const Status status : statuses) row.push_back(std::to_string(counts[{score.agent, status}]));
  }
  return rows;
}

Rows failure_table(const AgentResults& run) {
  std::map<std::tuple<std::string, std::string, std::string>, std::size_t> counts;
  for (const TrialResult& r : run.trials)
    if (r.status != Status::ok) {
      std::string what = r.error;
      std::replace(what.begin(), what.end(), '\n', ' ');  // a cell is a line
      ++counts[{r.agent, name(r.status), what}];
    }
  Rows rows{{"agent", "status", "trials", "what"}};
  for (const auto& [key, n] : counts)
    rows.push_back({std::get<0>(key), std::get<1>(key), std::to_string(n), std::get<2>(key)});
  return rows;
}

/// The runs' own detectors, and those of NovPhy as computed from its published data.
Rows published_table(const std::vector<ScoredRun>& runs, Layout layout) {
  Rows rows{{"detector", "whose figures", "CDT", "delay", "false alarms"}};
  const std::string published = "published: NovPhy, its own levels, 1600 trials";
  rows.push_back({"Datalab, score over 10 tasks, 1.5 sigma", published, "0.448", "7.5", "0.552"});
  rows.push_back({"Eagle's Wing, score", published, "0.446", "8.4", "not at hand"});
  rows.push_back({"random, score", published, "0.280", "15", "not at hand"});
  rows.push_back({"Pig Shooter, score", published, "0.146", "6.1", "not at hand"});
  for (const ScoredRun& run : runs)
    for (const AgentScore& s : run.scores.leaders)
      rows.push_back({s.agent, "here: protocol " + run.results.manifest.at("protocol"),
                      estimate_cell(s.correct.estimate(), 3, layout),
                      is_shift(run.results) ? estimate_cell(s.delay, 2, layout) : "none",
                      estimate_cell(s.false_positive.estimate(), 3, layout)});
  return rows;
}

std::string published_note(const std::vector<ScoredRun>& runs) {
  std::string note =
      "The rows marked as published were not measured here, and on another data set: baseline detectors of "
      "NovPhy that watch the score, computed from the "
      "rows that it publishes. Its levels and novelties are others, 40 trials of each, and the world changes "
      "after 1 to 40 tasks; only the order of "
      "magnitude can be compared.";
  for (const ScoredRun& run : runs)
    if (!is_shift(run.results))
      note +=
          " With protocol single less than that: its CDT is a pair of levels, one normal and one novel, "
          "NovPhy's a row of tasks. --protocol shift plays rows.";
  return note;
}

Rows manifest_table(const AgentResults& run) {
  Rows rows{{"what", "value"}};
  for (const auto& [key, value] : run.manifest) rows.push_back({key, value});
  for (const auto& [agent, fingerprint] : run.agents) rows.push_back({"agent " + agent, fingerprint});
  return rows;
}

/// Which agents are trusted to keep trials apart.
std::string promises_note(const AgentResults& run) {
  std::string note;
  for (const auto& [process, text] :
       {std::pair("reset", "Played by one process that promises to forget each trial"),
        std::pair("shared", "Said to play each trial in a fork, and not seen to")}) {
    std::set<std::string> agents;
    for (const TrialResult& trial : run.trials)
      if (trial.process == process) agents.insert(trial.agent);
    if (!agents.empty())
      note += std::string(" ") + text + ": " + listed({agents.begin(), agents.end()}) + ".";
  }
  return note;
}

std::string intervals_note(const AgentResults& run) {
  return std::string("Intervals are at 95 %: of rates by Wilson, of the rest by bootstrap over ") +
         (is_shift(run) ? "trials" : "levels") +
         ". n counts what a figure is of. An alarm is a likelihood of 0.5 or more.";
}

/// Which levels the figures are of: where the novelty cannot be detected no agent is expected to detect it.
ReportSection levels_section(const AgentResults& run) {
  std::map<std::string, std::map<std::string, std::set<std::string>>> levels;  // by novelty and tier
  for (const TrialResult& trial : run.trials)
    for (const PlayedLevel& level : trial.levels) levels[trial.novelty][trial.tier].insert(level.level);
  if (is_free(run))
    return {
        "Levels",
        "Normal levels in the order in which the agent chose them; every attempt in which a bird flew is a "
        "trial. No reports of novelty were asked for.",
        {{"levels", "attempts"}, {std::to_string(levels[""][""].size()), std::to_string(run.trials.size())}}};
  // The columns that some level needs; easy first.
  std::vector<std::string> columns;
  for (const auto& known : tier_colours)
    if (std::any_of(levels.begin(), levels.end(),
                    [&](const auto& of) { return of.second.contains(known.first); }))
      columns.emplace_back(known.first);
  ReportSection section{.title = "Levels", .note = {}, .table = {{"novelty", "levels"}}};
  for (const std::string& column : columns)
    section.table[0].push_back(column.empty() ? "without tier" : column);
  for (auto& [novelty, by_tier] : levels) {
    std::size_t all = 0;
    for (const auto& [tier, of] : by_tier) all += of.size();
    std::vector<std::string>& row = section.table.emplace_back(std::vector{novelty, std::to_string(all)});
    for (const std::string& column : columns) row.push_back(std::to_string(by_tier[column].size()));
  }
  if (const auto measured = run.manifest.find("measured"); measured != run.manifest.end())
    section.note += "Tiers are of p_level as it was measured (" + measured->second + "). ";
  for (const auto& [key, value] : run.manifest)
    if (key.starts_with("undetectable "))
      section.note += key.substr(std::string("undetectable ").size()) + " cannot be detected: " + value +
                      ". By reasoning no shot makes it visible there, and the figures over all levels hold "
                      "these levels. ";
  if (const auto left_out = run.manifest.find("left_out"); left_out != run.manifest.end())
    section.note += "Left out: " + left_out->second + ". ";
  for (const auto& [key, value] : run.manifest)
    for (const auto& [prefix, what] : {std::pair<std::string, std::string>{"thirds ", "Thirds of "},
                                       {"tiers ", "Tiers of levels that store none, of "}})
      if (key.starts_with(prefix)) section.note += what + key.substr(prefix.size()) + ": " + value + ". ";
  return section;
}

/// What the page and the Markdown file show of one run, in order.
std::vector<ReportSection> sections(const ScoredRun& scored_run, Layout layout) {
  const AgentResults& run = scored_run.results;
  const Scores& scores_of_run = scored_run.scores;
  const std::vector<AgentScore>& leaders = scores_of_run.leaders;
  std::vector<ReportSection> all;
  if (!is_free(run))
    all.push_back(agent_section(scored_run, [&](const Estimate& e) { return estimate_cell(e, 2, layout); }));
  const auto add = [&](const std::string& title, std::string note, const std::vector<AgentScore>& scores,
                       ScoreBy by) {
    for (const bool play : {false, true}) {
      if (is_free(run) && !play) continue;
      std::string meanings;
      if (by == ScoreBy::agent)
        for (const Measure* m : measures_for(run))
          if (m->play == play) meanings += (meanings.empty() ? "" : ". ") + m->title + ": " + m->meaning;
      if (!meanings.empty()) meanings += ".";
      all.push_back({title + (play ? ": play" : ": detecting novelty"), play ? meanings : note + meanings,
                     score_table(run, scores, by, play, layout), true});
    }
  };
  all.push_back(levels_section(run));
  all.push_back({"How the trials ended",
                 "A trial that failed counts with what was reported before, and its levels as not solved. An "
                 "agent of which all trials failed has no AUC." +
                     promises_note(run),
                 status_table(run, leaders)});
  add("Leaderboard", intervals_note(run) + " ", leaders, ScoreBy::agent);
  if (!is_free(run)) all.push_back(agent_tier_section(scored_run, layout));
  if (!is_free(run)) {
    add("By novelty", "", buckets(scores_of_run.novelties, leaders), ScoreBy::novelty);
    add("By novelty and tier", "", buckets(scores_of_run.tiers, leaders), ScoreBy::tier);
  }
  const std::vector<AgentComparison> comparisons = is_free(run) ? std::vector<AgentComparison>{}
                                                                : compare_agents(run.trials);
  if (!comparisons.empty())
    all.push_back(
        {"Agents against each other",
         "On the trials that both played. A alone: trials that A got right and B did not. Solved: "
         "all levels of the trial "
         "cleared; detected rightly: "
         "an alarm where the world was novel, and only there. McNemar p: exact, two-sided; Holm: the "
         "same, adjusted for the number of rows.",
         comparison_table(comparisons)});
  all.push_back({"How this was made", "", manifest_table(run)});
  // The first table of figures stays open.
  const auto first = std::find_if(all.begin(), all.end(), [](const ReportSection& s) { return s.figures; });
  for (auto section = all.begin(); section != all.end(); ++section) section->folded = section != first;
  if (const Rows failures = failure_table(run); failures.size() > 1)
    all.insert(all.begin() + 1, {"Failed trials", "What went wrong.", failures});
  return all;
}

/// Empty where nobody was asked for novelty.
std::vector<ReportSection> published(const std::vector<ScoredRun>& runs, Layout layout) {
  if (std::all_of(runs.begin(), runs.end(), [](const ScoredRun& run) { return is_free(run.results); }))
    return {};
  return {{.title = "Beside published detectors",
           .note = published_note(runs),
           .table = published_table(runs, layout),
           .figures = true,
           .folded = true}};
}

std::string protocol_title(const AgentResults& run) {
  if (is_free(run)) return "Free play of normal levels";
  return is_shift(run) ? "Rows of levels in which the world changes (protocol shift)"
                       : "One level a trial (protocol single)";
}

std::string markdown(const std::vector<ScoredRun>& runs) {
  std::string text = "# Agents\n";
  for (const ScoredRun& run : runs) {
    text += "\n## " + protocol_title(run.results) + "\n";
    for (const std::string& sentence : findings_of(run)) text += "\n**" + markdown_text(sentence) + "**\n";
    for (const ReportSection& section : sections(run, Layout::line)) text += markdown_section(section, 3);
  }
  for (const ReportSection& section : published(runs, Layout::line)) text += markdown_section(section, 2);
  return text;
}

/// For a paper: a table a run, with what fits its width. The others are in the other forms.
std::string latex(const std::vector<ScoredRun>& runs) {
  std::vector<ReportSection> all;
  for (const ScoredRun& run : runs)
    all.push_back(
        is_free(run.results)
            ? ReportSection{protocol_title(run.results), "",
                            score_table(run.results, run.scores.leaders, ScoreBy::agent, true, Layout::line)}
            : agent_section(run, [](const Estimate& e) { return with_interval(e, 2); }));
  return latex_tables(all);
}

/// Figure 7 of Pinto et al. for one agent.
std::string tier_chart(const std::vector<AgentScore>& scores, const std::string& agent,
                       const std::string& title, const Measure& measure) {
  std::vector<TierBar> bars;
  for (const AgentScore& s : scores)
    if (s.agent == agent) bars.push_back({s.novelty, s.tier, measure.of(s)});
  return tier_chart(bars, title, measure.title);
}

std::string tier_charts(const ScoredRun& run) {
  const std::vector<AgentScore>& scores = run.scores.tiers;
  const bool shift = is_shift(run.results);
  std::string html =
      "<p>Figure 7 of Pinto et al. for each agent: (a) share of "
      "trials in which the novelty was "
      "detected, (b) " +
      std::string(shift ? "correctly detected trials"
                        : "shots to detection over birds, where it was detected") +
      ". Whiskers are intervals at 95 %. The twenty people of that study detected T1 always in the easy and "
      "never in the hard category.</p>\n";
  for (const AgentScore& of_agent : run.scores.leaders) {
    const std::string& agent = of_agent.agent;
    html += "<div class=\"wide\">\n";
    for (const Measure& m : measures()) {
      if (m.id == "detected")
        html += tier_chart(scores, agent,
                           "(a) " + agent + "; false alarms " + number(of_agent.false_positive.value(), 2),
                           m);
      if (m.id == (shift ? "cdt" : "shots_to_detection"))
        html += tier_chart(scores, agent, "(b) " + agent, m);
    }
    html += "</div>\n";
  }
  return html_details("Detection by novelty and tier", html);
}

constexpr std::array<const char*, 8> agent_colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                   "#E69F00", "#56B4E9", "#7A1F5C", "#666666"};

/// The corners of a curve: what lies on the line between its neighbours is left out, and so is what a plot of
/// that size does not show beside its neighbour.
std::vector<Vec2> corners(const std::vector<RocPoint>& roc) {
  std::vector<Vec2> points;
  for (const RocPoint& point : roc) {
    const Vec2 p{point.false_positive_rate, point.true_positive_rate};
    while (points.size() > 1) {
      const Vec2 a = points[points.size() - 2], b = points.back();
      if (std::fabs((b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y)) > 1e-12) break;
      points.pop_back();
    }
    points.push_back(p);
  }
  constexpr double seen = 0.004;  // of an axis: one pixel
  std::vector<Vec2> apart;
  for (const Vec2 p : points) {
    const bool last = p == points.back();
    if (last || apart.empty() || std::fabs(p.x - apart.back().x) + std::fabs(p.y - apart.back().y) >= seen)
      apart.push_back(p);
  }
  return apart;
}

std::vector<Vec2> steps(const std::vector<double>& shares) {
  std::vector<Vec2> points;
  for (std::size_t k = 0; k < shares.size(); ++k) points.push_back({static_cast<double>(k + 1), shares[k]});
  return points;
}

/// A line an agent, in the colour it has everywhere, from curves of one novelty and tier.
class CurvePlots {
 public:
  explicit CurvePlots(const std::vector<AgentScore>& leaders) {
    for (const AgentScore& score : leaders) agents_.push_back(score.agent);
  }

  std::string legend() const {
    std::string html = "<div class=\"legend\">";
    for (std::size_t i = 0; i < agents_.size(); ++i)
      html += std::string("<span><span style=\"width:12px;height:12px;background:") + colour(i) +
              "\"></span>" + xml_escaped(agents_[i]) + "</span>";
    return html + "</div>\n";
  }

  /// Detections against false alarms; agents whose likelihoods are all equal have nothing to show.
  std::string roc(const std::vector<const AgentCurves*>& curves, const std::string& title) const {
    LinePlot plot{.frame = frame(title, "false alarms", "detections"),
                  .series = {{"", "#BBBBBB", {{0, 0}, {1, 1}}}}};
    add(plot, curves,
        [](const AgentCurves& c) { return c.roc.size() > 2 ? corners(c.roc) : std::vector<Vec2>{}; });
    return plot_svg(plot);
  }

  std::string growth(const std::vector<const AgentCurves*>& curves, const std::string& title,
                     const std::string& x_label, const std::string& y_label,
                     std::vector<double> AgentCurves::*shares,
                     std::vector<double> AgentCurves::*dashed = nullptr) const {
    LinePlot plot{.frame = frame(title, x_label, y_label), .x_low = 1, .x_high = 2};
    add(plot, curves, [&](const AgentCurves& c) { return steps(c.*shares); });
    if (dashed)
      add(
          plot, curves, [&](const AgentCurves& c) { return steps(c.*dashed); }, "4 3");
    for (const PointSeries& series : plot.series)
      if (!series.points.empty()) plot.x_high = std::max(plot.x_high, series.points.back().x);
    return plot_svg(plot);
  }

  std::string around_change(const std::vector<const AgentCurves*>& curves, const std::string& title,
                            const std::string& y_label, double LevelAroundChange::*share) const {
    LinePlot plot{.frame = frame(title, "levels since the change", y_label),
                  .x_low = 0,
                  .x_high = 1,
                  .lines = {{0.5, "change"}}};
    add(plot, curves, [&](const AgentCurves& c) {
      std::vector<Vec2> points;
      for (const LevelAroundChange& at : c.around_change)
        points.push_back({static_cast<double>(at.since), at.*share});
      return points;
    });
    for (const PointSeries& series : plot.series)
      for (const Vec2 p : series.points) {
        plot.x_low = std::min(plot.x_low, p.x);
        plot.x_high = std::max(plot.x_high, p.x);
      }
    return plot_svg(plot);
  }

 private:
  static PlotFrame frame(const std::string& title, const std::string& x_label, const std::string& y_label) {
    return {
        .title = title, .x_label = x_label, .y_label = y_label, .width = 340, .height = 260, .legend = false};
  }
  static const char* colour(std::size_t agent) { return agent_colours[agent % agent_colours.size()]; }

  template <typename Points>
  void add(LinePlot& plot, const std::vector<const AgentCurves*>& curves, const Points& points,
           const std::string& dash = "") const {
    for (std::size_t i = 0; i < agents_.size(); ++i)
      for (const AgentCurves* c : curves)
        if (c->agent == agents_[i]) plot.series.push_back({agents_[i], colour(i), points(*c), dash});
  }

  std::vector<std::string> agents_;
};

std::string curve_charts(const AgentResults& run, const std::vector<AgentScore>& leaders) {
  const CurvePlots plots(leaders);
  const bool shift = is_shift(run);
  std::vector<const AgentCurves*> whole;
  const std::vector<AgentCurves> of_agents = agent_curves(run.trials, ScoreBy::agent),
                                 of_tiers = agent_curves(run.trials, ScoreBy::tier);
  for (const AgentCurves& c : of_agents) whole.push_back(&c);
  std::string html =
      "<p>ROC: detections against false alarms as the threshold falls, of the largest "
      "likelihood reported in a level. Agents that always report the same are not drawn. Cleared within so "
      "many shots: what AUCCESS sums up. " +
      std::string(shift
                      ? "Detected: share of trials correctly detected by so many novel levels"
                      : "Alarms: share of novel trials with an alarm by so many shots, and dashed of normal "
                        "ones, which are false alarms") +
      ".</p>\n" + plots.legend() + "<div class=\"plots\">\n" + plots.roc(whole, "ROC, all") +
      plots.growth(whole, "Cleared", "shots", "share of levels", &AgentCurves::solved_within) +
      plots.growth(whole, shift ? "Detected" : "Alarms", shift ? "novel levels" : "shots", "share of trials",
                   &AgentCurves::detected_within, &AgentCurves::alarmed_within) +
      "</div>\n";
  if (shift)
    html +=
        "<p>Around the change: the levels before it and after it, over the trials that have one so far from "
        "it. 1 is the first novel level.</p>\n<div "
        "class=\"plots\">\n" +
        plots.around_change(whole, "Cleared around the change", "share of levels cleared",
                            &LevelAroundChange::solved) +
        plots.around_change(whole, "Alarms around the change", "share of levels with an alarm",
                            &LevelAroundChange::alarmed) +
        "</div>\n";
  std::string by_tier = plots.legend();
  std::map<std::string, std::map<std::string, std::vector<const AgentCurves*>>> cells;
  for (const AgentCurves& c : of_tiers) cells[c.novelty][c.tier].push_back(&c);
  for (const auto& [novelty, tiers] : cells) {
    by_tier += "<div class=\"plots\">\n";
    for (const auto& [tier, tier_colour] : tier_colours)
      if (const auto found = tiers.find(tier); found != tiers.end())
        by_tier += plots.roc(found->second, novelty + (*tier ? std::string(", ") + tier : ""));
    by_tier += "</div>\n";
  }
  return html_details("Curves", html + html_details("ROC curves by novelty and tier", by_tier));
}

std::string html(const std::vector<ScoredRun>& runs) {
  std::string body = html_head("Agents", "");
  for (const ScoredRun& run : runs) {
    body += "<h2>" + protocol_title(run.results) + "</h2>\n";
    const std::vector<std::string> sentences = findings_of(run);
    for (const std::string& sentence : sentences)
      body += html_finding(sentence, &sentence == &sentences.back() ? finding_chart(run) : "");
    for (const ReportSection& section : sections(run, Layout::lines)) {
      if (section.title == "By novelty: detecting novelty")
        body += tier_charts(run) + curve_charts(run.results, run.scores.leaders);
      body += html_section(section, 3);
    }
  }
  for (const ReportSection& section : published(runs, Layout::lines)) body += html_section(section, 2);
  return html_page("Startle: agents", body);
}

/// The figure of the finding.
std::string svg(const std::vector<ScoredRun>& runs) {
  std::vector<std::string> charts;
  for (const ScoredRun& run : runs)
    if (std::string chart = finding_chart(run); !chart.empty()) charts.push_back(std::move(chart));
  if (charts.size() == 1) return charts.front();
  throw Error("svg: found " + std::to_string(charts.size()) +
              " figures of detection, needed is one: give the files of one protocol");
}

/// Of CSV: what the tiers of these runs are of.
std::string tier_column(const AgentResults& run) {
  return run.manifest.contains("measured") ? "measured_tier" : "tier";
}

/// One row an agent, an agent and tier, an agent and novelty, and an agent, novelty and tier; each figure
/// with its interval and count. What a protocol has not is empty.
std::string csv(const std::vector<ScoredRun>& runs) {
  Rows rows{{"protocol", "agent", "novelty", tier_column(runs.front().results), "trials", "failed"}};
  for (const Measure& m : measures())
    for (const char* end : {"", "_low", "_high", "_n"}) rows[0].push_back(m.id + end);
  for (const ScoredRun& run : runs)
    for (const auto& [by, scores] :
         {std::pair(ScoreBy::agent, &run.scores.agents),
          std::pair(ScoreBy::agent_tier, &run.scores.agent_tiers),
          std::pair(ScoreBy::novelty, &run.scores.novelties), std::pair(ScoreBy::tier, &run.scores.tiers)})
      for (const AgentScore& s : *scores) {
        std::vector<std::string>& row = rows.emplace_back();
        row = {run.results.manifest.at("protocol"),
               s.agent,
               by == ScoreBy::novelty || by == ScoreBy::tier ? s.novelty : "all",
               by == ScoreBy::agent_tier || by == ScoreBy::tier ? (s.tier.empty() ? "none" : s.tier) : "all",
               std::to_string(s.trials),
               std::to_string(s.failed)};
        for (const Measure& m : measures()) {
          const Estimate e = has(run.results, m) ? m.of(s) : Estimate{};
          add_estimate(row, e);
          row.push_back(std::to_string(e.count));
        }
      }
  return comma_separated(rows);
}

/// One row a trial.
std::string trials_csv(const std::vector<AgentResults>& runs) {
  Rows rows{{"protocol",
             "agent",
             "novelty",
             tier_column(runs.front()),
             "unit",
             "world",
             "trial",
             "status",
             "retries",
             "levels",
             "solved",
             "shots",
             "score",
             "largest_likelihood",
             "distribution_shift",
             "detected_level",
             "alarm_shot",
             "detection_delay",
             "cdt",
             "false_positive"}};
  const auto number = [](const std::optional<std::size_t>& value) {
    return value ? std::to_string(*value) : "";
  };
  for (const AgentResults& run : runs)
    for (const TrialResult& r : run.trials) {
      const TrialFigures f = figures_of(r);
      const bool shift = is_shift(run);
      rows.push_back({run.manifest.at("protocol"),
                      r.agent,
                      r.novelty,
                      r.tier,
                      r.unit,
                      r.world,
                      std::to_string(r.trial),
                      name(r.status),
                      std::to_string(r.retries),
                      std::to_string(r.levels.size()),
                      std::to_string(f.solved),
                      std::to_string(f.shots),
                      shortest(f.score),
                      shortest(f.largest_likelihood),
                      shift ? std::to_string(r.shift) : "",
                      number(f.detected_level),
                      number(f.alarm_shot),
                      number(f.detection_delay),
                      shift ? std::to_string(f.cdt) : "",
                      std::to_string(f.false_positive)});
    }
  return comma_separated(rows);
}

Json scores_json(const AgentResults& run, const std::vector<AgentScore>& scores, ScoreBy by) {
  Json list = Json::array();
  for (const AgentScore& s : scores) {
    Json json{{"agent", s.agent}};
    if (by == ScoreBy::novelty || by == ScoreBy::tier) json["novelty"] = s.novelty;
    if (by == ScoreBy::agent_tier || by == ScoreBy::tier)
      json["tier"] = s.tier.empty() ? Json() : Json(s.tier);
    json["trials"] = s.trials;
    json["failed"] = s.failed;
    for (const Measure* m : measures_for(run)) json[m->id] = json_with_count(m->of(s));
    list.push_back(std::move(json));
  }
  return list;
}

Json trial_json(const TrialResult& r) {
  Json json{{"agent", r.agent},     {"unit", r.unit}, {"world", r.world}, {"trial", r.trial},
            {"novelty", r.novelty}, {"tier", r.tier}, {"shift", r.shift}, {"status", name(r.status)}};
  if (r.status != Status::ok) json["error"] = r.error;
  json["retries"] = r.retries;
  json["process"] = r.process;
  json["levels"] = Json::parse(levels_text(r.levels));
  return json;
}

Json run_json(const ScoredRun& scored_run) {
  const AgentResults& run = scored_run.results;
  const Scores& scores = scored_run.scores;
  Json json{{"protocol", run.manifest.at("protocol")}, {"manifest", run.manifest}, {"agents", run.agents}};
  json["leaderboard"] = scores_json(run, scores.leaders, ScoreBy::agent);
  json["by_agent_tier"] = scores_json(run, scores.agent_tiers, ScoreBy::agent_tier);
  json["by_novelty"] = scores_json(run, scores.novelties, ScoreBy::novelty);
  json["by_tier"] = scores_json(run, scores.tiers, ScoreBy::tier);
  json["curves"] = Json::array();
  for (const ScoreBy by : {ScoreBy::agent, ScoreBy::tier})
    for (const AgentCurves& c : agent_curves(run.trials, by)) {
      Json points = Json::array();
      for (const RocPoint& p : c.roc)  // the first threshold is infinite, which JSON cannot say
        points.push_back({std::isfinite(p.threshold) ? Json(p.threshold) : Json(), p.false_positive_rate,
                          p.true_positive_rate});
      json["curves"].push_back({{"agent", c.agent},
                                {"novelty", by == ScoreBy::agent ? Json() : Json(c.novelty)},
                                {"tier", c.tier.empty() ? Json() : Json(c.tier)},
                                {"roc", std::move(points)},
                                {"solved_within", c.solved_within},
                                {"detected_within", c.detected_within},
                                {"alarmed_within", c.alarmed_within}});
      if (c.around_change.empty()) continue;
      Json around = Json::array();
      for (const LevelAroundChange& at : c.around_change)
        around.push_back(
            {{"since", at.since}, {"trials", at.trials}, {"solved", at.solved}, {"alarmed", at.alarmed}});
      json["curves"].back()["around_change"] = std::move(around);
    }
  json["comparisons"] = Json::array();
  for (const AgentComparison& c : compare_agents(run.trials)) {
    const auto paired = [](const AgentComparison::Paired& p) {
      return Json{{"only_a", p.only_a},
                  {"only_b", p.only_b},
                  {"difference", json_with_count(p.difference)},
                  {"p", p.p}};
    };
    json["comparisons"].push_back({{"a", c.a},
                                   {"b", c.b},
                                   {"trials", c.trials},
                                   {"solved", paired(c.solved)},
                                   {"detections", paired(c.detection)}});
  }
  json["trials"] = Json::array();
  for (const TrialResult& r : run.trials) json["trials"].push_back(trial_json(r));
  return json;
}

std::string json_text(const std::vector<ScoredRun>& runs) {
  Json json{{"format", "startle-agents-report"}, {"version", 3}, {"runs", Json::array()}};
  for (const ScoredRun& run : runs) json["runs"].push_back(run_json(run));
  return json.dump(1) + "\n";
}

}  // namespace

std::string agents_report(const std::vector<AgentResults>& runs, const std::string& format, bool of_trials) {
  if (of_trials && format != "csv") throw Error("--by-trial: found format " + format + ", allowed is csv");
  if (of_trials) return trials_csv(runs);
  if (format == "html") return html(scored(runs));
  if (format == "md") return markdown(scored(runs));
  if (format == "tex") return latex(scored(runs));
  if (format == "svg") return svg(scored(runs));
  if (format == "csv") return csv(scored(runs));
  if (format == "json") return json_text(scored(runs));
  throw Error("format: found '" + format + "', allowed are html, md, tex, svg, csv and json");
}

}  // namespace startle
