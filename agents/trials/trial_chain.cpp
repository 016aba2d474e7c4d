#include "agents/trials/trial_chain.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "agents/trials/secret.hpp"
#include "agents/trials/trial_table.hpp"
#include "core/database.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

constexpr const char *event_begun = "begun", *event_shot = "shot", *event_ended = "ended";

ChainLine line_after(int number, const std::string& previous, int attempt, const char* event,
                     std::string text) {
  ChainLine line{.number = number + 1,
                 .attempt = attempt ? attempt : number + 1,
                 .event = event,
                 .text = std::move(text),
                 .hash = {}};
  line.hash = hash_of_texts(
      {previous, std::to_string(line.number), std::to_string(line.attempt), line.event, line.text});
  return line;
}

std::string trial_key_text(const std::string& unit, const std::string& world, int trial) {
  return nlohmann::json{unit, world, trial}.dump();
}

std::string hash_of(const TrialResult& result) { return hash_of_texts({trial_text(result)}); }

/// Of one attempt: what was reported, and how it ended.
struct Attempt {
  std::string key;
  std::vector<std::string> shots;
  std::string ended;  ///< hash of the trial; empty: it was left
};

std::vector<std::string> shot_texts(const TrialResult& trial) {
  std::vector<std::string> texts;
  for (const PlayedLevel& level : trial.levels)
    for (const PlayedShot& one : level.shots) texts.push_back(shot_text(one));
  return texts;
}

/// Whether the text is one that this program writes.
bool is_shot(const std::string& text) {
  try {
    return shot_text(shot_from_text(text, "")) == text;
  } catch (const Error&) {
    return false;
  }
}
bool is_key(const std::string& text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  return json.is_array() && json.size() == 3 && json[0].is_string() && json[1].is_string() &&
         json[2].is_number_unsigned() && json.dump() == text;
}

/// The attempts of a chain in their order; what is wrong with its lines goes to `faults`.
std::vector<Attempt> attempts_of(const Chain& chain, const std::string& root,
                                 std::vector<std::string>& faults) {
  std::map<int, Attempt> attempts;
  std::string previous = root;
  int number = 0;
  for (const ChainLine& line : chain) {
    const auto wrong = [&](const std::string& what) {
      faults.push_back("chain, line " + std::to_string(line.number) + ": " + what);
    };
    if (line.number != ++number) {
      wrong("line " + std::to_string(number) + " is missing before it");
      return {};
    }
    if (line.hash != line_after(number - 1, previous, line.attempt, line.event.c_str(), line.text).hash) {
      wrong("its hash is not that of the lines up to it: a line was changed or taken out");
      return {};
    }
    previous = line.hash;
    const auto attempt = attempts.find(line.attempt);
    if (line.event == event_begun) {
      if (line.attempt != number || !is_key(line.text)) wrong("is no beginning of a trial");
      attempts[number].key = line.text;
    } else if (attempt == attempts.end() || !attempt->second.ended.empty()) {
      wrong("belongs to no trial that goes on");
    } else if (line.event == event_shot) {
      if (!is_shot(line.text)) wrong("found " + shown(line.text) + ", which is no shot with its report");
      attempt->second.shots.push_back(line.text);
    } else if (line.event == event_ended && !line.text.empty()) {
      attempt->second.ended = line.text;
    } else {
      wrong("found event " + shown(line.event) + ", allowed are begun, shot and ended");
    }
  }
  std::vector<Attempt> in_order;
  for (auto& [at, attempt] : attempts) in_order.push_back(std::move(attempt));
  return in_order;
}

}  // namespace

std::string chain_root(const std::string& agent, const std::string& fingerprint, const Manifest& manifest) {
  std::vector<std::string> texts{"startle-chain", agent, fingerprint};
  for (const auto& [key, value] : manifest) texts.insert(texts.end(), {key, value});
  return hash_of_texts(texts);
}

ChainLine begun_line(int number, const std::string& previous, const std::string& unit,
                     const std::string& world, int trial) {
  return line_after(number, previous, 0, event_begun, trial_key_text(unit, world, trial));
}
ChainLine shot_line(int number, const std::string& previous, int attempt, const PlayedShot& played) {
  return line_after(number, previous, attempt, event_shot, shot_text(played));
}
ChainLine ended_line(int number, const std::string& previous, int attempt, const TrialResult& result) {
  return line_after(number, previous, attempt, event_ended, hash_of(result));
}

Chain whole_attempt(int number, const std::string& previous, const TrialResult& result) {
  Chain lines{begun_line(number, previous, result.unit, result.world, result.trial)};
  const int attempt = lines.front().number;
  for (const PlayedLevel& level : result.levels)
    for (const PlayedShot& played : level.shots)
      lines.push_back(shot_line(lines.back().number, lines.back().hash, attempt, played));
  lines.push_back(ended_line(lines.back().number, lines.back().hash, attempt, result));
  return lines;
}

std::string chain_table(const std::string& first) {
  return "CREATE TABLE chain (\n  " + first +
         R"sql( TEXT NOT NULL, part INTEGER NOT NULL, number INTEGER NOT NULL,
  attempt INTEGER NOT NULL, event TEXT NOT NULL, text TEXT NOT NULL, hash TEXT NOT NULL,
  PRIMARY KEY ()sql" +
         first + ", part, number)) WITHOUT ROWID";
}

bool add_line(Database& database, const std::string& first, int part, const ChainLine& line) {
  Statement(database, "INSERT OR IGNORE INTO chain VALUES (?, ?, ?, ?, ?, ?, ?)")
      .bind(first)
      .bind(part)
      .bind(line.number)
      .bind(line.attempt)
      .bind(line.event)
      .bind(line.text)
      .bind(line.hash)
      .step();
  return database.changes() == 1;
}

std::map<std::string, std::vector<Chain>> read_chains(const Database& database) {
  std::map<std::string, std::vector<Chain>> chains;
  Statement rows(database, "SELECT * FROM chain ORDER BY 1, 2, 3");
  while (rows.step()) {
    std::vector<Chain>& of_agent = chains[rows.text(0)];
    const int part = rows.number(1);
    if (part == static_cast<int>(of_agent.size()) + 1) of_agent.emplace_back();
    if (part < 1 || part != static_cast<int>(of_agent.size()))
      throw Error(database.file() + ": table chain: found part " + std::to_string(part) + " of " +
                  shown(rows.text(0)) + ", allowed is " + std::to_string(of_agent.size() + 1));
    of_agent.back().push_back({.number = rows.number(2),
                               .attempt = rows.number(3),
                               .event = rows.text(4),
                               .text = rows.text(5),
                               .hash = rows.text(6)});
  }
  return chains;
}

std::vector<Chain> joined(std::vector<Chain> chains) {
  std::stable_sort(chains.begin(), chains.end(),
                   [](const Chain& a, const Chain& b) { return a.size() > b.size(); });
  std::vector<Chain> kept;
  for (Chain& chain : chains) {
    const bool known = chain.empty() || std::any_of(kept.begin(), kept.end(), [&](const Chain& longer) {
                         return longer[chain.size() - 1].hash == chain.back().hash;
                       });
    if (!known) kept.push_back(std::move(chain));
  }
  std::sort(kept.begin(), kept.end(),
            [](const Chain& a, const Chain& b) { return a.back().hash < b.back().hash; });
  return kept;
}

ChainFindings check_chains(const std::vector<Chain>& chains, const std::string& root,
                           const std::vector<const TrialResult*>& trials) {
  ChainFindings found;
  std::map<std::string, std::vector<Attempt>> by_key;
  for (const Chain& chain : chains) {
    for (Attempt& attempt : attempts_of(chain, root, found.faults))
      by_key[attempt.key].push_back(std::move(attempt));
    found.heads.push_back(std::to_string(chain.back().number) + " " + chain.back().hash);
  }
  if (!found.faults.empty()) return found;
  for (const TrialResult* trial : trials) {
    const std::string key = trial_key_text(trial->unit, trial->world, trial->trial), hash = hash_of(*trial);
    const auto complain = [&](const std::string& what) {
      found.faults.push_back(trial_words(*trial) + ": " + what);
    };
    const std::vector<std::string> shots = shot_texts(*trial);
    const std::vector<Attempt> attempts = by_key[key];
    by_key.erase(key);
    bool stands = false;
    for (const Attempt& attempt : attempts) {
      if (!stands && attempt.ended == hash && attempt.shots == shots) {
        stands = true;
        continue;
      }
      ++found.again;
      if (attempt.shots.size() > shots.size() ||
          !std::equal(attempt.shots.begin(), attempt.shots.end(), shots.begin()))
        ++found.otherwise;
      // One that failed before its first report is played again (failed_before_report()).
      if (!attempt.ended.empty() && !attempt.shots.empty() && attempt.shots != shots)
        complain("the chain has another end of it: it was changed, or taken out and played again");
    }
    if (!stands) complain("the chain does not have it as it is");
  }
  for (const auto& [key, attempts] : by_key)
    for (const Attempt& attempt : attempts) {
      ++found.again;
      found.otherwise += !attempt.shots.empty();
      if (!attempt.ended.empty())
        found.faults.push_back("trial " + key + " ended, says the chain, and is gone");
    }
  return found;
}

}  // namespace startle
