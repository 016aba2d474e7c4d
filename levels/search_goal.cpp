#include "levels/search_goal.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "levels/level_text.hpp"
#include "simulated/simulated_difficulty.hpp"

namespace startle {
namespace {

/// The values that fit: of a tier those that lie `tier_gap` of the middle tier's width away from its ends.
std::pair<double, double> range_of(const SearchGoal& goal) {
  if (!goal.tier) return {goal.least, goal.most};
  const TierThresholds& t = *goal.thresholds;
  const double gap = tier_gap * (t.high - t.low);
  return *goal.tier == Tier::easy     ? std::pair{0.0, t.low - gap}
         : *goal.tier == Tier::medium ? std::pair{t.low + gap, t.high - gap}
                                      : std::pair{t.high + gap, 1.0};
}

bool in_visible_range(Tier tier, double share) {
  const auto [low, high] = visible_range(tier);
  return share >= low && share <= high;
}

/// How far a number lies outside a range; over 0 even where it is just at an end that does not belong to it.
double outside(const std::pair<double, double>& range, double value) {
  return std::max({range.first - value, value - range.second, 1e-9});
}

}  // namespace

bool by_simulation(const SearchGoal& goal) { return !method_of(goal.source).has_value(); }

double mixed(double alpha, const DifficultyValues& d) { return alpha * d.pid + (1 - alpha) * d.bid; }

Measured measure(const Scene& scene, const SearchGoal& goal) {
  if (goal.source == DifficultySource::simulated) {
    const SimulatedDifficulty difficulty = simulated_difficulty(scene, *goal.novelty);
    return {difficulty, difficulty.novel_objects};
  }
  const Difficulty difficulty = compute_difficulty(scene, *goal.novelty,
                                                   {.method = method_of(goal.source).value()});
  Measured result{difficulty, difficulty.novel_objects};
  if (!difficulty.interactions.empty()) {
    const Interaction& first = difficulty.interactions.front();
    result.visible = (first.best_detectable() + 1 - share_undetectable(first.counts)) / 2;
  }
  return result;
}

void require_goal(const SearchGoal& goal) {
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  if (!goal.novelty) throw Error("search: no novelty");
  if (goal.source == DifficultySource::observer && goal.tier)
    throw Error(
        "search: what the observer detects is one value, without PID and BID; a range of it goes without "
        "tier");
  if (const auto method = method_of(goal.source)) require_covered(*method, *goal.novelty);
  if (goal.verified && (!goal.tier || by_simulation(goal)))
    throw Error("search: perturbed shots verify levels of a tier by reasoning; found " +
                std::string(goal.tier ? name(goal.source) : "a range"));
  if (!share(goal.alpha)) throw Error("search: alpha: found " + number_text(goal.alpha) + ", allowed 0 to 1");
  if (!goal.tier) {
    if (!share(goal.least) || !share(goal.most) || goal.least > goal.most)
      throw Error("difficulty range: found " + number_text(goal.least) + ":" + number_text(goal.most) +
                  ", allowed are two values from 0 to 1, the smaller one first");
    return;
  }
  if (!goal.thresholds) throw Error("search: a tier without thresholds");
  if (goal.thresholds->alpha != goal.alpha)
    throw Error("tier thresholds of " + goal.novelty->name + " are of values with alpha " +
                number_text(goal.thresholds->alpha) + "; the search is by alpha " + number_text(goal.alpha));
  // Ties: more than a third of the sample has the smallest value there is, or the largest.
  if (const auto [low, high] = range_of(goal);
      low > high || (*goal.tier == Tier::easy && high < 0) || (*goal.tier == Tier::hard && low >= 1))
    throw Error("novelty " + goal.novelty->name + ": no level is " + name(*goal.tier) +
                ": the values lie from 0 to 1, and the tiers part at " + number_text(goal.thresholds->low) +
                " and " + number_text(goal.thresholds->high));
}

double misfit(const SearchGoal& goal, const Measured& difficulty) {
  if (difficulty.novel_objects == 0) return 2;
  double distance = 0;
  if (!fits(goal, difficulty.pid, difficulty.bid)) {
    if (difficulty.pid == 1) return 1;  // undetectable: further than anything that can be detected
    distance = outside(range_of(goal), mixed(goal.alpha, difficulty));
  }
  if (goal.verified && !in_visible_range(*goal.tier, difficulty.visible))
    distance += outside(visible_range(*goal.tier), difficulty.visible);
  return distance;
}

std::string goal_name(const SearchGoal& goal) {
  std::string text = goal.novelty->name;
  if (goal.source != DifficultySource::published) text += std::string("-") + name(goal.source);
  if (goal.alpha == 1)
    text += "-pid";
  else if (goal.alpha == 0)
    text += "-bid";
  else if (goal.alpha != 0.5)
    text += "-alpha-" + number_text(goal.alpha);
  return text + "-" + (goal.tier ? name(*goal.tier) : number_text(goal.least) + "-" + number_text(goal.most));
}

bool fits(const SearchGoal& goal, double pid, double bid) {
  const double value = mixed(goal.alpha, {.pid = pid, .bid = bid});
  const auto [low, high] = range_of(goal);
  const bool undetectable = pid == 1;
  return value >= low && value <= high &&
         (goal.tier ? !undetectable && tier_of(value, *goal.thresholds) == *goal.tier
                    : !undetectable || goal.most == 1);
}

std::pair<double, double> visible_range(Tier tier) {
  return tier == Tier::easy     ? std::pair{0.65, 1.0}
         : tier == Tier::medium ? std::pair{0.2, 0.75}
                                : std::pair{0.0, 0.25};
}

bool verified(Tier tier, const StoredShots& visible) {
  const std::size_t hits = visible.best.hits + visible.random.hits,
                    of = visible.best.count + visible.random.count;
  if (of == 0 || hits + visible.solution.hits == 0) return false;
  return in_visible_range(tier, static_cast<double>(hits) / static_cast<double>(of));
}

}  // namespace startle
