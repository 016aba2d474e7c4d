#include "reports/leaderboard.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "agents/scores.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "reports/estimates.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"
#include "reports/table.hpp"
#include "reports/tiers.hpp"

namespace startle {
namespace {

using Json = nlohmann::ordered_json;

struct Figure {
  const char *id, *title;
  Estimate RunsScore::*of;
};
constexpr std::array<Figure, 7> figures{
    {{"detected", "detected", &RunsScore::detected},
     {"false_positive", "false alarms", &RunsScore::false_positive},
     {"auc", "AUC", &RunsScore::auc},
     {"detected_at_false_alarms", "detected at 5 %", &RunsScore::detected_at_false_alarms},
     {"shots_to_detection", "shots to detection / birds", &RunsScore::shots_to_detection},
     {"solved_normal", "solved, normal", &RunsScore::solved_normal},
     {"solved_novel", "solved, novel", &RunsScore::solved_novel}}};
constexpr std::span<const Figure> detection_figures{figures.data(), 4};

/// An entry and its scores.
struct ScoredEntry {
  const AgentEntry& entry;
  std::optional<std::size_t> disagreements;
  RunsScores scores;
};

RunsScores scores_of(const AgentEntry& entry) {
  std::vector<std::vector<TrialResult>> runs;
  for (const auto& [secret, trials] : entry.runs) runs.push_back(trials);
  return runs_scores(runs);
}

/// Every tier, then all of them together, each with its name.
std::vector<std::pair<std::string, const RunsScore*>> rows_of(const RunsScores& scores) {
  std::vector<std::pair<std::string, const RunsScore*>> rows;
  for (const RunsScore& score : scores.tiers)
    rows.emplace_back(score.tier.empty() ? "none" : score.tier, &score);
  rows.emplace_back("all", &scores.all);
  return rows;
}

/// Throws Error where two cannot stand on one leaderboard.
void require_comparable(const AgentEntry& first, const AgentEntry& other) {
  const std::string both = "entries " + first.description.name + " and " + other.description.name +
                           " cannot stand on one leaderboard: ";
  std::set<std::string> keys;
  for (const AgentEntry* entry : {&first, &other})
    for (const auto& [key, value] : entry->manifest) keys.insert(key);
  for (const char* free : {"program", "sandbox"}) keys.erase(free);
  for (const std::string& key : keys) {
    const auto value = [&](const AgentEntry& entry) {
      const auto found = entry.manifest.find(key);
      return found == entry.manifest.end() ? "none" : shown(found->second);
    };
    if (value(first) != value(other))
      throw Error(both + key + " is " + value(first) + " in the one and " + value(other) + " in the other");
  }
}

std::vector<ScoredEntry> ranked(const std::vector<LeaderboardEntry>& entries) {
  std::vector<ScoredEntry> all;
  std::set<std::string> names;
  for (const LeaderboardEntry& one : entries) {
    require_comparable(entries.front().entry, one.entry);
    if (!names.insert(one.entry.description.name).second)
      throw Error("entry " + one.entry.description.name + ": two entries have this name");
    all.push_back({one.entry, one.disagreements, scores_of(one.entry)});
  }
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return all[a].scores.all.auc.value.value_or(0) > all[b].scores.all.auc.value.value_or(0);
  });
  std::vector<ScoredEntry> sorted;
  for (const std::size_t i : order) sorted.push_back(all[i]);
  return sorted;
}

const char* yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string isolation(const AgentEntry& entry) { return trials_isolated(entry) ? "yes" : "promised"; }

std::string verified(const ScoredEntry& one) {
  if (!one.disagreements) return "not asked";
  return *one.disagreements == 0 ? "yes" : "no, " + std::to_string(*one.disagreements) + " disagree";
}

std::string setting(const AgentEntry& entry, const std::string& key) {
  const auto found = entry.manifest.find(key);
  return found == entry.manifest.end() ? "" : found->second;
}

std::vector<std::string> secrets_of(const AgentEntry& entry) {
  std::vector<std::string> secrets;
  for (const auto& [secret, trials] : entry.runs) secrets.push_back(secret);
  return secrets;
}

ReportSection main_section(const std::vector<ScoredEntry>& entries) {
  std::map<std::string, std::map<std::string, const RunsScore*>> by_tier;  // by tier, entry
  for (const ScoredEntry& one : entries)
    for (const auto& [tier, score] : rows_of(one.scores)) by_tier[tier][one.entry.description.name] = score;
  std::vector<std::string> tiers;
  for (const auto& [tier, colour] : tier_colours)
    if (const std::string name = *tier ? tier : "none"; by_tier.contains(name)) tiers.push_back(name);
  Rows rows{{"entry"}};
  for (const std::string& tier : tiers) rows[0].push_back("detected, " + tier);
  rows[0].insert(rows[0].end(), {"false alarms", "AUC", "detected at 5 %", "secrets", "trials isolated",
                                 "simulates", "verified"});
  for (const ScoredEntry& one : entries) {
    const AgentEntry& entry = one.entry;
    const RunsScore& all = one.scores.all;
    std::vector<std::string>& row = rows.emplace_back(std::vector{entry.description.name});
    for (const std::string& tier : tiers) row.push_back(with_interval(by_tier[tier].at(row[0])->detected));
    for (const Estimate& e : {all.false_positive, all.auc, all.detected_at_false_alarms})
      row.push_back(with_interval(e));
    row.insert(row.end(), {std::to_string(entry.runs.size()), isolation(entry),
                           yes_or_no(entry.description.simulates_normal_world), verified(one)});
  }
  return {
      "Leaderboard",
      "In the order of AUC over all tiers. An alarm is a likelihood of 0.5 or more. Intervals are at 95 %, "
      "by a bootstrap over runs and levels. Trials isolated: each was built in, or had a process or a fork "
      "of its own; promised: the program played several in one process and says that it forgets, which "
      "excludes it where isolation is asked for. Simulates: the agent simulates the normal world. Verified: "
      "every shot was flown again for this page, and agrees to the bit.",
      rows};
}

ReportSection tier_section(const std::vector<ScoredEntry>& entries) {
  Rows rows{{"entry", "tier", "trials", "failed"}};
  for (const Figure& figure : figures) rows[0].push_back(figure.title);
  for (const ScoredEntry& one : entries)
    for (const auto& [tier, score] : rows_of(one.scores)) {
      std::vector<std::string>& row = rows.emplace_back();
      row = {one.entry.description.name, tier, std::to_string(score->trials), std::to_string(score->failed)};
      for (const Figure& figure : figures) row.push_back(with_interval(score->*figure.of));
    }
  return {"By tier", "Over all novelties and runs.", rows};
}

ReportSection words_section(const std::vector<ScoredEntry>& entries) {
  Rows rows{{"entry", "author", "agent", "trained on", "simulates", "given the novelties", "looks",
             "program fixed", "played"}};
  for (const ScoredEntry& one : entries) {
    const EntryDescription& d = one.entry.description;
    rows.push_back({d.name, d.author, d.agent, d.training, yes_or_no(d.simulates_normal_world),
                    yes_or_no(d.given_novelties), std::to_string(d.looks), d.program_fixed, d.played});
  }
  return {"What the authors say", "Nothing in this table can be checked from the entries.", rows};
}

ReportSection origin_section(const std::vector<ScoredEntry>& entries) {
  std::set<std::vector<std::string>> secrets;
  Rows rows{{"entry", "agent", "what it is", "program", "sandbox", "secrets", "hash"}};
  for (const ScoredEntry& one : entries) {
    const AgentEntry& e = one.entry;
    secrets.insert(secrets_of(e));
    rows.push_back({e.description.name, e.agent, e.fingerprint, setting(e, "program"), setting(e, "sandbox"),
                    listed(secrets_of(e)), e.hash});
  }
  return {"What the entries hold",
          secrets.size() == 1
              ? "All entries are of the same secrets."
              : "The entries are of different secrets. An author who chose them may have kept "
                "the best of many runs.",
          rows};
}

/// What all entries have in common.
ReportSection settings_section(const std::vector<ScoredEntry>& entries) {
  Rows rows{{"what", "value"}};
  for (const auto& [key, value] : entries.front().entry.manifest)
    if (key != "program" && key != "sandbox") rows.push_back({key, value});
  return {"Levels and options", "The same for all entries.", rows};
}

std::vector<ReportSection> sections(const std::vector<ScoredEntry>& entries) {
  return {main_section(entries), tier_section(entries), words_section(entries), origin_section(entries),
          settings_section(entries)};
}

DetectionFinding finding_of(const ScoredEntry& one) {
  DetectionFinding finding{
      .name = one.entry.description.name, .detected = {}, .false_alarms = one.scores.all.false_positive};
  for (const RunsScore& score : one.scores.tiers) finding.detected.emplace_back(score.tier, score.detected);
  return finding;
}

std::string sentence_of(const std::vector<ScoredEntry>& entries) {
  return detection_words(
      finding_of(entries.front()),
      entries.front().entry.description.name +
          (entries.size() > 1 ? ", the first of " + std::to_string(entries.size()) + " entries," : ""),
      "trials");
}

std::string html(const std::vector<ScoredEntry>& entries) {
  std::vector<DetectionFinding> findings;
  for (const ScoredEntry& one : entries) findings.push_back(finding_of(one));
  std::string body =
      html_head("Leaderboard", "") +
      html_finding(sentence_of(entries),
                   detection_chart(findings, "Trials in which the novelty was detected, by entry and tier",
                                   "share of trials"));
  for (const ReportSection& section : sections(entries)) body += html_section(section, 2);
  return html_page("Startle: leaderboard", body);
}

std::string markdown(const std::vector<ScoredEntry>& entries) {
  std::string text = "# Leaderboard\n\n**" + markdown_text(sentence_of(entries)) + "**\n";
  for (const ReportSection& section : sections(entries)) text += markdown_section(section, 2);
  return text;
}

std::string csv(const std::vector<ScoredEntry>& entries) {
  Rows rows{{"rank", "entry", "tier", "secrets", "trials", "failed"}};
  for (const Figure& figure : figures)
    for (const char* end : {"", "_low", "_high", "_n"}) rows[0].push_back(std::string(figure.id) + end);
  rows[0].insert(rows[0].end(), {"trials_isolated", "sandbox", "simulates_normal_world", "given_novelties",
                                 "looks", "disagreements", "program", "hash"});
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const AgentEntry& e = entries[i].entry;
    const EntryDescription& d = e.description;
    for (const auto& [tier, score] : rows_of(entries[i].scores)) {
      std::vector<std::string>& row = rows.emplace_back();
      row = {std::to_string(i + 1),
             d.name,
             tier,
             std::to_string(e.runs.size()),
             std::to_string(score->trials),
             std::to_string(score->failed)};
      for (const Figure& figure : figures) {
        add_estimate(row, score->*figure.of);
        row.push_back(std::to_string((score->*figure.of).count));
      }
      row.insert(row.end(),
                 {yes_or_no(trials_isolated(e)), setting(e, "sandbox"), yes_or_no(d.simulates_normal_world),
                  yes_or_no(d.given_novelties), std::to_string(d.looks),
                  entries[i].disagreements ? std::to_string(*entries[i].disagreements) : "",
                  setting(e, "program"), e.hash});
    }
  }
  return comma_separated(rows);
}

std::string json_text(const std::vector<ScoredEntry>& entries) {
  Json json{{"format", "startle-leaderboard"}, {"version", 1}};
  json["settings"] = entries.front().entry.manifest;
  for (const char* own : {"program", "sandbox"}) json["settings"].erase(own);
  json["entries"] = Json::array();
  for (const ScoredEntry& one : entries) {
    const AgentEntry& e = one.entry;
    Json scores = Json::array();
    for (const auto& [tier, score] : rows_of(one.scores)) {
      Json of_tier{{"tier", score->tier.empty() ? Json() : Json(tier)},
                   {"trials", score->trials},
                   {"failed", score->failed}};
      for (const Figure& figure : figures) of_tier[figure.id] = json_with_count(score->*figure.of);
      scores.push_back(std::move(of_tier));
    }
    json["entries"].push_back({{"rank", json["entries"].size() + 1},
                               {"description", Json::parse(description_text(e.description))},
                               {"agent", e.agent},
                               {"fingerprint", e.fingerprint},
                               {"program", setting(e, "program")},
                               {"sandbox", setting(e, "sandbox")},
                               {"secrets", secrets_of(e)},
                               {"hash", e.hash},
                               {"trials_isolated", trials_isolated(e)},
                               {"disagreements", one.disagreements ? Json(*one.disagreements) : Json()},
                               {"scores", std::move(scores)}});
  }
  return json.dump(1) + "\n";
}

}  // namespace

std::string leaderboard(const std::vector<LeaderboardEntry>& entries, const std::string& format) {
  const std::vector<ScoredEntry> all = ranked(entries);
  if (format == "html") return html(all);
  if (format == "md") return markdown(all);
  if (format == "csv") return csv(all);
  if (format == "json") return json_text(all);
  throw Error("format: found '" + format + "', allowed are html, md, csv and json");
}

std::string entry_scores_text(const AgentEntry& entry) {
  const RunsScores scores = scores_of(entry);
  Rows rows{{"tier", "trials", "failed"}};
  for (const Figure& figure : detection_figures) rows[0].push_back(figure.title);
  for (const auto& [tier, score] : rows_of(scores)) {
    std::vector<std::string>& row = rows.emplace_back(
        std::vector{tier, std::to_string(score->trials), std::to_string(score->failed)});
    for (const Figure& figure : detection_figures) row.push_back(with_interval(score->*figure.of));
  }
  return aligned(rows);
}

}  // namespace startle
