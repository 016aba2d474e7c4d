#include "agents/entries/verify_results.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>

#include "agents/built_in.hpp"
#include "agents/game.hpp"
#include "agents/trials/replay.hpp"
#include "agents/trials/runner.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"

namespace startle {
namespace {

/// Of a manifest that was checked.
int whole(const Manifest& manifest, const std::string& key) {
  return parse_number<int>(manifest.at(key)).value();
}

std::string text(const Manifest& manifest, const std::string& key) {
  const auto entry = manifest.find(key);
  return entry == manifest.end() ? "none" : shown(entry->second);
}

/// Plan options from the manifest. Throws Error where its levels, profile or agent protocol are other ones.
PlanOptions recorded_plan(const Manifest& manifest, const GivenLevels& given) {
  if (manifest.contains("order"))
    throw Error("manifest: order: found " + text(manifest, "order") +
                ", allowed is none: what was played freely has no plan to compare with");
  check_manifest(manifest, "results");
  if (!manifest.contains("secret")) throw Error("manifest: secret: found none");
  RunOptions options;
  options.set = given.notes;
  options.plan.secret = RunSecret::parse(manifest.at("secret"));
  PlanOptions& plan = options.plan;
  plan.protocol = manifest.at("protocol") == name(Protocol::shift) ? Protocol::shift : Protocol::single;
  plan.trials = whole(manifest, "trials");
  if (plan.protocol == Protocol::shift) {
    plan.most_before = whole(manifest, "most_before");
    plan.after = whole(manifest, "after");
  }
  const Manifest here = make_manifest(given.levels, *given.profile, options);
  for (const Manifest* keys : {&manifest, &here})
    for (const auto& [key, value] : *keys)
      if ((key == "profile" || key == "agent_protocol" || is_of_levels(key)) &&
          text(manifest, key) != text(here, key))
        throw Error("results of other " + key + ": " + text(manifest, key) + " there and " + text(here, key) +
                    " here");
  return plan;
}

std::string place_of(const TrialKey& key) {
  const auto& [agent, unit, world, trial] = key;
  return agent + ", " + unit + " (" + world + "), trial " + std::to_string(trial);
}

/// Recorded facts about how the trial was played that do not fit the agent.
std::vector<std::string> unlikely(const TrialResult& trial, const std::string& fingerprint) {
  std::vector<std::string> found;
  const bool here = fingerprint == "built in";
  if (here != is_built_in(trial.agent))
    found.push_back(here ? "is no built-in agent of this program" : "has the name of a built-in agent");
  if (std::find(std::begin(processes), std::end(processes), trial.process) == std::end(processes) ||
      here != (trial.process == "built in"))
    found.push_back("process is " + shown(trial.process) + " there, of an agent that is " +
                    (here ? "built in" : "a program"));
  if (const int most = retries_of(fingerprint); trial.retries < 0 || trial.retries > most)
    found.push_back("retries is " + std::to_string(trial.retries) + " there, of at most " +
                    std::to_string(most));
  if (trial.status == Status::ok && !trial.error.empty())
    found.push_back("error is " + shown(trial.error) + " there, and status ok");
  return found;
}

/// Of one trial: what does not agree.
class TrialCheck {
 public:
  TrialCheck(const TrialResult& trial, const TrialPlan& plan, const std::vector<PlayableLevel>& levels)
      : trial_(trial) {
    same("novelty", trial.novelty, plan.novelty);
    same("tier", trial.tier, plan.tier);
    same("shift", trial.shift, plan.shift);
    same("number of levels", trial.levels.size(), plan.levels.size());
    for (std::size_t i = 0; i < std::min(trial.levels.size(), plan.levels.size()); ++i)
      check_level(i, levels[plan.levels[i].level], plan.levels[i].novel);
  }
  std::vector<std::string> found;
  std::size_t shots = 0;

 private:
  static std::string words(const std::string& value) { return shown(value); }
  static std::string words(bool value) { return value ? "yes" : "no"; }
  template <typename Number>
  static std::string words(Number value) {
    return shortest(static_cast<double>(value));
  }
  template <typename Value>
  void same(const std::string& what, const Value& recorded, const Value& here) {
    if (recorded != here)
      found.push_back(what + " is " + words(recorded) + " there and " + words(here) + " here");
  }

  void check_level(std::size_t index, const PlayableLevel& level, bool novel) {
    const PlayedLevel& played = trial_.levels[index];
    const std::string of = "level " + std::to_string(index + 1) + " (" + level.name + "): ";
    const PlayedLevel start = unplayed(level, novel);
    same(of + "name", played.level, start.level);
    same(of + "hash", hexadecimal(played.hash), hexadecimal(start.hash));
    same(of + "novel", played.novel, start.novel);
    same(of + "birds", played.birds, start.birds);
    Game game(novel ? level.novel : level.normal, static_cast<int>(index) + 1);
    std::size_t flown = 0;
    try {
      for (; flown < played.shots.size() && !game.over(); ++flown) {
        game.shoot(played.shots[flown].shot);
        check(Report{played.shots[flown].novelty, played.shots[flown].description});
        ++shots;
      }
    } catch (const AgentFailure& failure) {
      found.push_back(of + failure.what());
      return;
    }
    same(of + "number of shots", played.shots.size(), flown);
    const bool left = !played_whole(trial_, index) && (flown == 0 || !game.over());
    if (!left && !game.over()) {
      found.push_back(of + "ends after " + std::to_string(played.shots.size()) +
                      " shots there, and is not over here");
      return;
    }
    // A level in which the agent failed, and those that it did not get to, are as the shots left them.
    same(of + "solved", played.solved, !left && game.solved());
    same(of + "score", played.score, left && flown == 0 ? 0 : left ? game.hidden().score : game.score());
  }

  const TrialResult& trial_;
};

}  // namespace

ResultsVerification verify_results(const AgentResults& results, const GivenLevels& given, int threads,
                                   const std::function<void()>& progress,
                                   const std::function<bool()>& keep_going) {
  const std::vector<PlayableLevel>& levels = given.levels;
  std::map<TrialKey, TrialPlan> planned;  // without the agent
  for (TrialPlan& plan : plan_trials(levels, recorded_plan(results.manifest, given)))
    planned.emplace(TrialKey{"", plan.unit, plan.world, plan.trial}, std::move(plan));

  ResultsVerification verification;
  std::map<std::string, std::size_t> counts;
  for (const auto& [agent, fingerprint] : results.agents) counts[agent] = 0;
  std::vector<std::vector<std::string>> found(results.trials.size());
  std::vector<std::size_t> shots(results.trials.size());
  std::vector<char> replayed(results.trials.size()), done(results.trials.size());
  for (const TrialResult& trial : results.trials) ++counts[trial.agent];
  std::mutex mutex;
  parallel_for(
      results.trials.size(), threads,
      [&](std::size_t i) {
        const TrialResult& trial = results.trials[i];
        const auto plan = planned.find({"", trial.unit, trial.world, trial.trial});
        const auto agent = results.agents.find(trial.agent);
        done[i] = 1;
        if (agent == results.agents.end())
          found[i].push_back("the file does not say what this agent is");
        else
          found[i] = unlikely(trial, agent->second);
        if (plan == planned.end()) {
          found[i].push_back("is not in the plan of the run's secret");
        } else {
          TrialCheck check(trial, plan->second, levels);
          shots[i] = check.shots;
          found[i].insert(found[i].end(), check.found.begin(), check.found.end());
          if (agent != results.agents.end() && agent->second == "built in" && found[i].empty()) {
            replayed[i] = 1;
            const TrialResult again = run_trial({.name = trial.agent, .command = {}}, plan->second, levels,
                                                {});
            if (!(again == trial)) found[i].push_back("the built-in agent, played again, reports otherwise");
          }
        }
        const std::lock_guard lock(mutex);
        if (progress) progress();
      },
      keep_going);
  for (const auto& [agent, count] : counts)
    if (count < planned.size())
      verification.disagreements.push_back(agent + ": has " + std::to_string(count) + " of the " +
                                           std::to_string(planned.size()) + " trials of the plan");
  for (const auto& [agent, fingerprint] : results.agents) {
    std::vector<const TrialResult*> trials;
    for (const TrialResult& trial : results.trials)
      if (trial.agent == agent) trials.push_back(&trial);
    const auto chains = results.chains.find(agent);
    const ChainFindings chain = check_chains(
        chains == results.chains.end() ? std::vector<Chain>{} : chains->second,
        chain_root(agent, fingerprint, results.manifest), trials);
    for (const std::string& what : chain.faults) verification.disagreements.push_back(agent + ", " + what);
    verification.again += chain.again;
    verification.otherwise += chain.otherwise;
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    verification.trials += static_cast<std::size_t>(done[i]);
    verification.replayed += static_cast<std::size_t>(replayed[i]);
    verification.shots += shots[i];
    for (const std::string& what : found[i])
      verification.disagreements.push_back(place_of(key_of(results.trials[i])) + ": " + what);
  }
  verification.complete = verification.trials == results.trials.size();
  return verification;
}

ResultsVerification verify_entry(const AgentEntry& entry, const GivenLevels& given, int threads,
                                 const std::function<void()>& progress,
                                 const std::function<bool()>& keep_going) {
  ResultsVerification all{.complete = true};
  for (const AgentResults& run : results_of(entry)) {
    const ResultsVerification of_run = verify_results(run, given, threads, progress, keep_going);
    all.trials += of_run.trials;
    all.shots += of_run.shots;
    all.replayed += of_run.replayed;
    all.again += of_run.again;
    all.otherwise += of_run.otherwise;
    all.complete = all.complete && of_run.complete;
    for (const std::string& what : of_run.disagreements)
      all.disagreements.push_back("secret " + run.manifest.at("secret") + ": " + what);
  }
  return all;
}

}  // namespace startle
