#include "app/reports/leaderboard.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "agents/trials/scores.hpp"
#include "app/reports/estimates.hpp"
#include "app/reports/html.hpp"
#include "app/reports/sections.hpp"
#include "app/reports/table.hpp"
#include "app/reports/tiers.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

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

/// What a table is called, and what stands above it.
struct MarkWords {
  const char *name, *title, *note;
};
const MarkWords& words_of(EntryMark mark) {
  static constexpr std::array<MarkWords, 3> words{
      {{"run by the host", "Run by the host",
        "The host ran these agents itself, or verification did, which lets built-in agents play again."},
       {"shots replayed", "Shots replayed",
        "Every shot was flown again for this page, and agrees to the bit. What was reported, which trials "
        "failed, and that no run was left out is the word of the author."},
       {"reported by the author", "Reported by the author",
        "Nothing was flown again for this page. All of it is the word of the author."}}};
  return words.at(static_cast<std::size_t>(mark));
}

/// An entry and its scores.
struct ScoredEntry {
  const AgentEntry& entry;
  EntryMark mark;
  RunsScores scores;
  EntryAttempts attempts;
  std::size_t rank = 0;  ///< among those of its mark, from 1; 0: not ranked
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

/// What entries on one leaderboard have in common.
Manifest settings_of(const AgentEntry& entry) {
  Manifest settings = entry.manifest;
  for (const char* free : {"program", "sandbox"}) settings.erase(free);
  return settings;
}

/// The first setting that differs, in words; empty: none does.
std::string difference(const Manifest& here, const Manifest& there) {
  for (const Manifest* keys : {&here, &there})
    for (const auto& [key, value] : *keys) {
      const auto in = [&key = key](const Manifest& settings) {
        const auto found = settings.find(key);
        return found == settings.end() ? "none" : shown(found->second);
      };
      if (in(here) != in(there)) return key + " is " + in(here) + " here and " + in(there) + " in the others";
    }
  return {};
}

bool may_be_ranked(const ScoredEntry& one) {
  return static_cast<double>(one.scores.all.failed + one.attempts.otherwise) <=
         most_failed * static_cast<double>(one.scores.all.trials);
}

/// Those of one mark together, the first of each mark first.
std::vector<ScoredEntry> ranked(const std::vector<LeaderboardEntry>& entries) {
  std::vector<ScoredEntry> all;
  for (const LeaderboardEntry& one : entries)
    all.push_back({one.entry, one.mark, scores_of(one.entry), attempts_of(one.entry)});
  const auto place = [&](std::size_t i) {
    return std::tuple(all[i].mark, !may_be_ranked(all[i]), -all[i].scores.all.auc.value.value_or(0));
  };
  std::vector<std::size_t> order(all.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  std::vector<ScoredEntry> sorted;
  std::map<EntryMark, std::size_t> ranks;
  for (const std::size_t i : order) {
    if (may_be_ranked(all[i])) all[i].rank = ++ranks[all[i].mark];
    sorted.push_back(all[i]);
  }
  return sorted;
}

std::vector<ScoredEntry> of_mark(const std::vector<ScoredEntry>& entries, EntryMark mark) {
  std::vector<ScoredEntry> found;
  for (const ScoredEntry& one : entries)
    if (one.mark == mark) found.push_back(one);
  return found;
}

const char* yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string isolation(const AgentEntry& entry) { return trials_isolated(entry) ? "yes" : "promised"; }

std::string setting(const AgentEntry& entry, const std::string& key) {
  const auto found = entry.manifest.find(key);
  return found == entry.manifest.end() ? "" : found->second;
}

std::vector<std::string> secrets_of(const AgentEntry& entry) {
  std::vector<std::string> secrets;
  for (const auto& [secret, trials] : entry.runs) secrets.push_back(secret);
  return secrets;
}

/// "12 (0.1 %)".
std::string with_share(std::size_t count, std::size_t of) {
  return std::to_string(count) + " (" +
         fixed(100.0 * static_cast<double>(count) / static_cast<double>(std::max<std::size_t>(of, 1)), 1) +
         " %)";
}

/// All of one mark.
ReportSection mark_section(const std::vector<ScoredEntry>& entries) {
  std::map<std::string, std::map<std::string, const RunsScore*>> by_tier;  // by tier, entry
  for (const ScoredEntry& one : entries)
    for (const auto& [tier, score] : rows_of(one.scores)) by_tier[tier][one.entry.description.name] = score;
  std::vector<std::string> tiers;
  for (const auto& [tier, colour] : tier_colours)
    if (const std::string name = *tier ? tier : "none"; by_tier.contains(name)) tiers.push_back(name);
  Rows rows{{"rank", "entry"}};
  for (const std::string& tier : tiers) rows[0].push_back("detected, " + tier);
  rows[0].insert(rows[0].end(), {"false alarms", "AUC", "detected at 5 %", "failed", "begun again", "secrets",
                                 "trials isolated", "simulates"});
  for (const ScoredEntry& one : entries) {
    const AgentEntry& entry = one.entry;
    const std::string& name = entry.description.name;
    const RunsScore& all = one.scores.all;
    std::vector<std::string>& row = rows.emplace_back(
        std::vector{one.rank ? std::to_string(one.rank) : "-", name});
    for (const std::string& tier : tiers) row.push_back(with_interval(by_tier[tier].at(name)->detected));
    for (const Estimate& e : {all.false_positive, all.auc, all.detected_at_false_alarms})
      row.push_back(with_interval(e));
    row.insert(row.end(), {with_share(all.failed, all.trials),
                           std::to_string(one.attempts.again) + " (" +
                               std::to_string(one.attempts.otherwise) + " otherwise)",
                           std::to_string(entry.runs.size()), isolation(entry),
                           yes_or_no(entry.description.simulates_normal_world)});
  }
  const MarkWords& words = words_of(entries.front().mark);
  return {words.title, words.note, rows};
}

/// What the columns of these tables mean, once for all of them.
ReportSection reading_section() {
  return {
      "How to read the tables",
      "Each mark has a table and an order of its own, that of AUC over all tiers. An alarm is a likelihood "
      "of 0.5 or more. Intervals are at 95 %, by a bootstrap over runs and levels. Failed: trials in "
      "which the agent failed. Begun again: attempts at a trial that do not stand in the results; "
      "otherwise: with other shots or reports than those that do. Where failed and otherwise are over 1 % "
      "of the trials, an entry has no rank. Trials isolated: each was built in, or had a process or a fork "
      "of its own; promised: the program says that it forgets. Simulates: the agent simulates the normal "
      "world, says its author.",
      {}};
}

ReportSection tier_section(const std::vector<ScoredEntry>& entries) {
  Rows rows{{"entry", "mark", "tier", "trials", "failed"}};
  for (const Figure& figure : figures) rows[0].push_back(figure.title);
  for (const ScoredEntry& one : entries)
    for (const auto& [tier, score] : rows_of(one.scores)) {
      std::vector<std::string>& row = rows.emplace_back();
      row = {one.entry.description.name, words_of(one.mark).name, tier, std::to_string(score->trials),
             std::to_string(score->failed)};
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
  Rows rows{{"entry", "agent", "what it is", "program", "sandbox", "secrets", "hash", "heads of chains"}};
  for (const ScoredEntry& one : entries) {
    const AgentEntry& e = one.entry;
    secrets.insert(secrets_of(e));
    rows.push_back({e.description.name, e.agent, e.fingerprint, setting(e, "program"), setting(e, "sandbox"),
                    listed(secrets_of(e)), e.hash, listed(one.attempts.heads)});
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
  for (const auto& [key, value] : settings_of(entries.front().entry)) rows.push_back({key, value});
  return {"Levels and options", "The same for all entries.", rows};
}

ReportSection refused_section(const std::vector<RefusedEntry>& refused) {
  Rows rows{{"file", "why"}};
  for (const RefusedEntry& one : refused) rows.push_back({one.file, one.reason});
  return {"Not in the tables", "", rows};
}

std::vector<ReportSection> sections(const std::vector<ScoredEntry>& entries,
                                    const std::vector<RefusedEntry>& refused) {
  std::vector<ReportSection> all;
  for (const EntryMark mark : {EntryMark::run_by_host, EntryMark::replayed, EntryMark::reported})
    if (const auto found = of_mark(entries, mark); !found.empty()) all.push_back(mark_section(found));
  if (!refused.empty()) all.push_back(refused_section(refused));
  for (ReportSection& section : std::vector{reading_section(), tier_section(entries), words_section(entries),
                                            origin_section(entries), settings_section(entries)})
    all.push_back(std::move(section));
  return all;
}

DetectionFinding finding_of(const ScoredEntry& one) {
  DetectionFinding finding{
      .name = one.entry.description.name, .detected = {}, .false_alarms = one.scores.all.false_positive};
  for (const RunsScore& score : one.scores.tiers) finding.detected.emplace_back(score.tier, score.detected);
  return finding;
}

/// Those with a rank of the first table that has any: what the page begins with.
std::vector<ScoredEntry> first_ranked(const std::vector<ScoredEntry>& entries) {
  std::vector<ScoredEntry> found;
  for (const ScoredEntry& one : entries)
    if (one.rank > 0 && (found.empty() || found.front().mark == one.mark)) found.push_back(one);
  return found;
}

std::string sentence_of(const std::vector<ScoredEntry>& first) {
  if (first.empty()) return "No entry has a rank.";
  const std::string& name = first.front().entry.description.name;
  return detection_words(finding_of(first.front()),
                         first.size() > 1 ? name + ", the first of " + std::to_string(first.size()) +
                                                " entries " + words_of(first.front().mark).name + ","
                                          : name,
                         "trials");
}

/// Empty where no entry has a rank.
std::string chart_of(const std::vector<ScoredEntry>& first) {
  std::vector<DetectionFinding> findings;
  for (const ScoredEntry& one : first) findings.push_back(finding_of(one));
  if (findings.empty()) return "";
  return detection_chart(findings, "Trials in which the novelty was detected, by entry and tier",
                         "share of trials");
}

std::string html(const std::vector<ScoredEntry>& entries, const std::vector<RefusedEntry>& refused) {
  const std::vector<ScoredEntry> first = first_ranked(entries);
  std::string body = html_head("Leaderboard", "") + html_finding(sentence_of(first), chart_of(first));
  for (const ReportSection& section : sections(entries, refused)) body += html_section(section, 2);
  return html_page("Startle: leaderboard", body);
}

std::string svg(const std::vector<ScoredEntry>& entries) {
  const std::string chart = chart_of(first_ranked(entries));
  if (chart.empty()) throw Error("svg: found no entry with a rank; the figure shows those that have one");
  return chart;
}

std::string markdown(const std::vector<ScoredEntry>& entries, const std::vector<RefusedEntry>& refused) {
  std::string text = "# Leaderboard\n\n**" + markdown_text(sentence_of(first_ranked(entries))) + "**\n";
  for (const ReportSection& section : sections(entries, refused)) text += markdown_section(section, 2);
  return text;
}

std::string csv(const std::vector<ScoredEntry>& entries) {
  Rows rows{{"mark", "rank", "entry", "tier", "secrets", "trials", "failed", "again", "otherwise"}};
  for (const Figure& figure : figures)
    for (const char* end : {"", "_low", "_high", "_n"}) rows[0].push_back(std::string(figure.id) + end);
  rows[0].insert(rows[0].end(), {"trials_isolated", "sandbox", "simulates_normal_world", "given_novelties",
                                 "looks", "program", "hash"});
  for (const ScoredEntry& one : entries) {
    const AgentEntry& e = one.entry;
    const EntryDescription& d = e.description;
    for (const auto& [tier, score] : rows_of(one.scores)) {
      std::vector<std::string>& row = rows.emplace_back();
      row = {words_of(one.mark).name,
             one.rank ? std::to_string(one.rank) : "",
             d.name,
             tier,
             std::to_string(e.runs.size()),
             std::to_string(score->trials),
             std::to_string(score->failed),
             std::to_string(one.attempts.again),
             std::to_string(one.attempts.otherwise)};
      for (const Figure& figure : figures) {
        add_estimate(row, score->*figure.of);
        row.push_back(std::to_string((score->*figure.of).count));
      }
      row.insert(row.end(),
                 {yes_or_no(trials_isolated(e)), setting(e, "sandbox"), yes_or_no(d.simulates_normal_world),
                  yes_or_no(d.given_novelties), std::to_string(d.looks), setting(e, "program"), e.hash});
    }
  }
  return comma_separated(rows);
}

std::string json_text(const std::vector<ScoredEntry>& entries, const std::vector<RefusedEntry>& refused) {
  Json json{{"format", "startle-leaderboard"}, {"version", 2}};
  json["settings"] = settings_of(entries.front().entry);
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
    json["entries"].push_back({{"mark", words_of(one.mark).name},
                               {"rank", one.rank ? Json(one.rank) : Json()},
                               {"description", Json::parse(description_text(e.description))},
                               {"agent", e.agent},
                               {"fingerprint", e.fingerprint},
                               {"program", setting(e, "program")},
                               {"sandbox", setting(e, "sandbox")},
                               {"secrets", secrets_of(e)},
                               {"hash", e.hash},
                               {"heads", one.attempts.heads},
                               {"again", one.attempts.again},
                               {"otherwise", one.attempts.otherwise},
                               {"trials_isolated", trials_isolated(e)},
                               {"scores", std::move(scores)}});
  }
  json["refused"] = Json::array();
  for (const RefusedEntry& one : refused)
    json["refused"].push_back({{"file", one.file}, {"reason", one.reason}});
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

void refuse_misfits(Leaderboard& board) {
  if (board.entries.empty()) return;
  std::map<Manifest, std::size_t> counts;
  for (const LeaderboardEntry& one : board.entries) ++counts[settings_of(one.entry)];
  const LeaderboardEntry* chosen = &board.entries.front();
  for (const LeaderboardEntry& one : board.entries)
    if (counts[settings_of(one.entry)] > counts[settings_of(chosen->entry)]) chosen = &one;
  for (const LeaderboardEntry& one : board.entries)
    if (one.mark == EntryMark::run_by_host) {
      chosen = &one;
      break;
    }
  const Manifest settings = settings_of(chosen->entry);
  std::map<std::string, std::string> files;  // by name
  std::vector<LeaderboardEntry> kept;
  for (LeaderboardEntry& one : board.entries) {
    const std::string& name = one.entry.description.name;
    if (const std::string other = difference(settings_of(one.entry), settings); !other.empty())
      board.refused.push_back({one.file, other});
    else if (const auto [first, fresh] = files.emplace(name, one.file); !fresh)
      board.refused.push_back({one.file, "its name, " + name + ", is that of " + first->second});
    else
      kept.push_back(std::move(one));
  }
  board.entries = std::move(kept);
}

std::string leaderboard(const Leaderboard& board, const std::string& format) {
  if (board.entries.empty()) throw Error("leaderboard: found no entry, allowed are one or more");
  const std::vector<ScoredEntry> all = ranked(board.entries);
  if (format == "html") return html(all, board.refused);
  if (format == "md") return markdown(all, board.refused);
  if (format == "tex") return latex_tables(sections(all, board.refused));
  if (format == "svg") return svg(all);
  if (format == "csv") return csv(all);
  if (format == "json") return json_text(all, board.refused);
  throw Error("format: found '" + format + "', allowed are html, md, tex, svg, csv and json");
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
