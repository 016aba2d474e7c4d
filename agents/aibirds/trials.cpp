#include "agents/aibirds/trials.hpp"

#include <algorithm>

#include "agents/agent.hpp"
#include "core/error.hpp"

namespace startle::aibirds {
namespace {
constexpr const char* process = "tcp";
}

Trials::Trials(std::vector<PlayableLevel> levels, std::uint64_t seed, ResultsStore* attempts)
    : levels_(std::move(levels)), seed_(seed), store_(attempts) {
  if (store_) finished_ = store_->finished();
}

Trials::Trials(std::vector<PlayableLevel> levels, std::vector<TrialPlan> plans, ResultsStore& store)
    : levels_(std::move(levels)),
      plans_(std::move(plans)),
      store_(&store),
      recorded_(true),
      finished_(store.finished()) {}

bool Trials::is_open(const std::string& agent, const TrialPlan& plan) const {
  const TrialKey key{agent, plan.unit, plan.world, plan.trial};
  return !finished_.contains(key) && !taken_.contains(key);
}

void Trials::add_agent(const std::string& agent, const std::string& fingerprint) {
  try {
    store_->add_agent(agent, fingerprint);
  } catch (const Error& error) {
    throw AgentFailure(Status::protocol_error, error.what());
  }
}

void Trials::expect(const std::string& agent, const std::string& fingerprint) {
  const std::lock_guard lock(mutex_);
  add_agent(agent, fingerprint);
}

const TrialPlan* Trials::take(const std::string& agent, const std::string& fingerprint) {
  const std::lock_guard lock(mutex_);
  for (const TrialPlan& plan : plans_) {
    if (!is_open(agent, plan)) continue;
    add_agent(agent, fingerprint);
    taken_.insert({agent, plan.unit, plan.world, plan.trial});
    return &plan;
  }
  return nullptr;
}

std::vector<const TrialPlan*> Trials::open(const std::string& agent) const {
  const std::lock_guard lock(mutex_);
  std::vector<const TrialPlan*> found;
  for (const TrialPlan& plan : plans_)
    if (is_open(agent, plan)) found.push_back(&plan);
  return found;
}

void Trials::give_back(const std::string& agent, const TrialPlan& plan) {
  const std::lock_guard lock(mutex_);
  taken_.erase({agent, plan.unit, plan.world, plan.trial});
}

void Trials::begin(const std::string& agent, const TrialPlan& plan) {
  const std::lock_guard lock(mutex_);
  store_->begin({agent, plan.unit, plan.world, plan.trial});
}

void Trials::report(const std::string& agent, const TrialPlan& plan, const PlayedShot& shot) {
  const std::lock_guard lock(mutex_);
  store_->report({agent, plan.unit, plan.world, plan.trial}, shot);
}

std::size_t Trials::finish(TrialResult result) {
  result.process = process;
  const std::lock_guard lock(mutex_);
  store_->add(result);
  finished_.insert(key_of(result));
  taken_.erase(key_of(result));
  return count_finished(result.agent);
}

int Trials::finish_attempt(TrialResult result) {
  result.process = process;
  const std::lock_guard lock(mutex_);
  while (finished_.contains(key_of(result))) ++result.trial;
  store_->add(result);
  finished_.insert(key_of(result));
  return result.trial;
}

std::size_t Trials::count_finished(const std::string& agent) const {
  return static_cast<std::size_t>(std::count_if(plans_.begin(), plans_.end(), [&](const TrialPlan& plan) {
    return finished_.contains({agent, plan.unit, plan.world, plan.trial});
  }));
}

bool Trials::all_finished(const std::string& agent) const {
  const std::lock_guard lock(mutex_);
  return recorded() && count_finished(agent) == plans_.size();
}

}  // namespace startle::aibirds
