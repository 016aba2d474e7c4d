#include "agents/trials/trial.hpp"

#include <map>

#include "agents/built_in.hpp"
#include "agents/game.hpp"
#include "core/random.hpp"
#include "core/text.hpp"

namespace startle {

const char* name(Protocol protocol) {
  switch (protocol) {
    case Protocol::single:
      return "single";
    case Protocol::shift:
      return "shift";
  }
  return "";
}

namespace {

/// What the agent's own code throws is its failure. Nothing else is: an Error of the world, of the machine or
/// of a level is the runner's.
template <typename Call>
auto asked(const Call& call) {
  try {
    return call();
  } catch (const AgentFailure&) {
    throw;
  } catch (const MachineError&) {
    throw;
  } catch (const std::exception& error) {
    throw AgentFailure(Status::crash, error.what());
  }
}

/// Plays on until the trial is over; what was played so far is in `result` when something is thrown.
void play(Agent& agent, const TrialPlan& plan, const std::vector<PlayableLevel>& levels, TrialResult& result,
          int& flown, TrialRecorder* recorder, const OnReport& on_report) {
  asked([&] { agent.begin({.seed = plan.seed >> 11, .levels = static_cast<int>(plan.levels.size())}); });
  for (std::size_t s = 0; s < plan.levels.size(); ++s) {
    const PlayableLevel& level = levels[plan.levels[s].level];
    const bool novel = plan.levels[s].novel;
    const Scene& start = novel ? level.novel : level.normal;
    const int number = static_cast<int>(s) + 1;
    Game game = recorder ? Game(start, number, recorder->recording) : Game(start, number);
    if (Oracle* const oracle = agent.oracle())
      oracle->enter(game, level.normal, novel ? &level.change : nullptr);
    result.levels.push_back(unplayed(level, novel));
    PlayedLevel& played = result.levels.back();
    while (!game.over()) {
      const Shot shot = asked([&] { return agent.act(game); });
      const SeenShot& seen = game.shoot(shot);
      ++flown;
      Report report = asked([&] { return agent.report(seen, game); });
      check(report);
      played.shots.push_back({shot, report.novelty, std::move(report.description)});
      played.score = game.hidden().score;
      if (on_report) on_report(played.shots.back());
      if (recorder)
        recorder->shots.push_back({game.hidden_before(), played.shots.back(), game.hidden_trace()});
    }
    played.solved = game.solved();
    played.score = game.score();
  }
  asked([&] { agent.end(); });
}

}  // namespace

namespace {

constexpr std::string_view before_limits = ", limits: ";

}  // namespace

std::string with_limits(const std::string& what, double action_s, double trial_s, const std::string& more) {
  return what + std::string(before_limits) + shortest(action_s) + " s an answer, " + shortest(trial_s) +
         " s a trial" + more;
}

std::string without_limits(const std::string& fingerprint) {
  return fingerprint.substr(0, fingerprint.rfind(before_limits));
}

std::string limits_of(const std::string& fingerprint) {
  const std::size_t found = fingerprint.rfind(before_limits);
  return found == fingerprint.npos ? "none" : fingerprint.substr(found + before_limits.size());
}

std::string contrast(const std::string& here, const std::string& there) {
  const bool is_same = without_limits(here) == without_limits(there);
  const auto words = [&](const std::string& fingerprint) {
    return is_same ? limits_of(fingerprint) : shown(without_limits(fingerprint));
  };
  return (is_same ? "has the limits " : "is ") + words(here) + " here and " + words(there) + " there";
}

PlayedLevel unplayed(const PlayableLevel& level, bool novel) {
  const Scene& start = novel ? level.novel : level.normal;
  return {.level = level.name,
          .hash = level.hash,
          .novel = novel,
          .birds = static_cast<int>(start.birds_left()),
          .solved = false,
          .score = 0,
          .shots = {}};
}

bool failed_before_report(const TrialResult& result) {
  return result.status != Status::ok &&
         std::all_of(result.levels.begin(), result.levels.end(),
                     [](const PlayedLevel& level) { return level.shots.empty(); });
}

void add_unplayed(TrialResult& result, const TrialPlan& plan, const std::vector<PlayableLevel>& levels) {
  for (std::size_t s = result.levels.size(); s < plan.levels.size(); ++s)
    result.levels.push_back(unplayed(levels[plan.levels[s].level], plan.levels[s].novel));
}

TrialResult play_trial(Agent& agent, const TrialPlan& plan, const std::vector<PlayableLevel>& levels,
                       int* flown, TrialRecorder* recorder, const OnReport& on_report) {
  TrialResult result{.unit = plan.unit,
                     .world = plan.world,
                     .trial = plan.trial,
                     .novelty = plan.novelty,
                     .tier = plan.tier,
                     .shift = plan.shift};
  int uncounted = 0;
  try {
    play(agent, plan, levels, result, flown ? *flown : uncounted, recorder, on_report);
  } catch (const AgentFailure& failure) {
    result.status = failure.status();
    result.error = failure.what();
  }
  add_unplayed(result, plan, levels);
  return result;
}

namespace {

std::unique_ptr<Agent> make_agent(const AgentSpec& spec, std::shared_ptr<const Profile> profile,
                                  const ProcessLimits& limits, ReadyPrograms* programs) {
  if (!spec.command.empty())  // in a sandbox, each trial has a new one
    return std::make_unique<ProgramAgent>(spec.command, limits, limits.sandbox ? nullptr : programs);
  if (spec.name == oracle_name) return make_oracle(std::move(profile));
  return make_built_in(spec.name, std::move(profile));
}

}  // namespace

TrialResult run_trial(const AgentSpec& spec, const TrialPlan& plan, const std::vector<PlayableLevel>& levels,
                      const TrialOptions& options, ReadyPrograms* programs) {
  for (int attempt = 0;; ++attempt) {
    const std::unique_ptr<Agent> agent = make_agent(spec, levels[plan.levels.front().level].normal.profile,
                                                    options.limits, programs);
    int flown = 0;
    TrialResult result = play_trial(*agent, plan, levels, &flown, options.recorder, options.on_report);
    result.agent = spec.name;
    result.retries = attempt;
    result.process = agent->process();
    const bool again = flown == 0 && (result.status == Status::timeout || result.status == Status::crash);
    if (!again || attempt == options.retries) return result;
  }
}

namespace {

/// What names the trial among all of a run.
std::string place_of(const TrialPlan& plan) { return plan.unit + "/" + plan.world; }

TrialPlan single_trial(const PlayableLevel& level, std::size_t index, bool novel, int trial,
                       const RunSecret& secret) {
  TrialPlan plan{.unit = level.name,
                 .world = novel ? "novel" : "normal",
                 .trial = trial,
                 .novelty = level.novelty,
                 .tier = level.tier};
  plan.seed = secret.derive("agent seed", place_of(plan), static_cast<std::uint64_t>(trial));
  plan.levels.push_back({index, novel});
  return plan;
}

TrialPlan shift_trial(const std::vector<PlayableLevel>& levels, std::vector<std::size_t> bucket, int trial,
                      const PlanOptions& options) {
  const PlayableLevel& any = levels[bucket.front()];
  TrialPlan plan{.unit = any.novelty + "/" + any.tier,
                 .world = "shift",
                 .trial = trial,
                 .novelty = any.novelty,
                 .tier = any.tier};
  const auto drawn = [&](const char* purpose) {
    return options.secret.derive(purpose, place_of(plan), static_cast<std::uint64_t>(trial));
  };
  plan.seed = drawn("agent seed");
  Random(drawn("row of levels")).shuffle(bucket);
  plan.shift = Random(drawn("point of change")).integer(1, options.most_before);
  for (int s = 0; s < options.most_before + options.after; ++s)
    plan.levels.push_back({bucket[static_cast<std::size_t>(s) % bucket.size()], s >= plan.shift});
  return plan;
}

}  // namespace

std::vector<TrialPlan> plan_trials(const std::vector<PlayableLevel>& levels, const PlanOptions& options) {
  std::vector<TrialPlan> plans;
  if (options.protocol == Protocol::single) {
    for (std::size_t i = 0; i < levels.size(); ++i)
      for (const bool novel : {false, true})
        for (int trial = 0; trial < options.trials; ++trial)
          plans.push_back(single_trial(levels[i], i, novel, trial, options.secret));
  } else {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> buckets;
    for (std::size_t i = 0; i < levels.size(); ++i) buckets[{levels[i].novelty, levels[i].tier}].push_back(i);
    for (const auto& [key, bucket] : buckets)
      for (int trial = 0; trial < options.trials; ++trial)
        plans.push_back(shift_trial(levels, bucket, trial, options));
  }
  Random(options.secret.derive("order of trials", name(options.protocol))).shuffle(plans);
  return plans;
}

}  // namespace startle
