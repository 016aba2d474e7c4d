#include "levels/search.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "difficulty/grounded.hpp"
#include "levels/level_set.hpp"
#include "levels/level_text.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"
#include "sim/world.hpp"

namespace startle {

namespace {

constexpr std::size_t least_birds = 2;  // so that a first impression can be checked by a second shot
constexpr int most_mutations = 30;      // of one candidate

struct PidBid {
  double pid = 1, bid = 1;
};

double mixed(double alpha, const PidBid& d) { return alpha * d.pid + (1 - alpha) * d.bid; }

/// Calls use(difficulty) with a Difficulty or a GroundedDifficulty; all of them mix with the alpha wanted later.
template <typename Use>
auto with_difficulty(const Scene& scene, const SearchGoal& goal, const Use& use) {
  if (goal.grounded) return use(grounded_difficulty(scene, *goal.novelty));
  return use(compute_difficulty(scene, *goal.novelty, {.method = goal.method}));
}

PidBid pid_bid(const Scene& scene, const SearchGoal& goal) {
  return with_difficulty(scene, goal, [](const auto& difficulty) { return PidBid{difficulty.pid, difficulty.bid}; });
}

void require_goal(const SearchGoal& goal) {
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  if (!goal.novelty) throw Error("search: no novelty");
  if (!share(goal.alpha)) throw Error("search: alpha: found " + number_text(goal.alpha) + ", allowed 0 to 1");
  if (!goal.tier) {
    if (!share(goal.least) || !share(goal.most) || goal.least > goal.most)
      throw Error("difficulty range: found " + number_text(goal.least) + ":" + number_text(goal.most) +
                  ", allowed are two values from 0 to 1, the smaller one first");
    return;
  }
  if (!goal.thresholds) throw Error("search: a tier without thresholds");
  if (goal.thresholds->alpha != goal.alpha)
    throw Error("tier thresholds of " + goal.novelty->name + " are of values with alpha " + number_text(goal.thresholds->alpha) +
                "; the search is by alpha " + number_text(goal.alpha));
  // Ties: more than a third of the sample has the smallest value there is, or the largest.
  if ((*goal.tier == Tier::easy && goal.thresholds->low <= 0) || (*goal.tier == Tier::hard && goal.thresholds->high >= 1))
    throw Error("novelty " + goal.novelty->name + ": no level is " + name(*goal.tier) + ": the values lie from 0 to 1, and the tiers part at " +
                number_text(goal.thresholds->low) + " and " + number_text(goal.thresholds->high));
}

/// A candidate's difficulty when only its first `birds` birds are left.
struct BirdChoice {
  std::size_t birds = 0;
  PidBid difficulty;
};

/// For every number of birds that may be kept; none when nothing is novel. Fewer birds see the same states, only fewer of
/// them, so that one walk gives all.
std::vector<BirdChoice> bird_choices(const Scene& scene, const SearchGoal& goal) {
  return with_difficulty(scene, goal, [&](const auto& difficulty) {
    std::vector<BirdChoice> choices;
    if (difficulty.novel_objects == 0) return choices;
    for (std::size_t birds = least_birds; birds <= scene.birds.size(); ++birds)
      choices.push_back({birds, {expected_difficulty(difficulty.ends.pid, birds), expected_difficulty(difficulty.ends.bid, birds)}});
    return choices;
  });
}

/// How far a difficulty is from what is wanted: 0 exactly when it fits.
double misfit(const SearchGoal& goal, const PidBid& difficulty) {
  if (fits(goal, difficulty.pid, difficulty.bid)) return 0;
  if (difficulty.pid == 1) return 1;  // impossible: further than anything that can be detected
  const double value = mixed(goal.alpha, difficulty);
  double low = goal.least, high = goal.most;
  if (goal.tier) {
    low = *goal.tier == Tier::easy ? 0 : *goal.tier == Tier::medium ? goal.thresholds->low : goal.thresholds->high;
    high = *goal.tier == Tier::easy ? goal.thresholds->low : *goal.tier == Tier::medium ? goal.thresholds->high : 1;
  }
  return std::max({low - value, value - high, 1e-9});
}

double misfit(const SearchGoal& goal, const Level& candidate, std::shared_ptr<const Profile> profile) {
  double least = 2;  // nothing novel
  for (const BirdChoice& choice : bird_choices(make_scene(candidate, profile), goal))
    least = std::min(least, misfit(goal, choice.difficulty));
  return least;
}

std::vector<std::size_t> of_kind(const Level& level, Kind kind) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < level.objects.size(); ++i)
    if (level.objects[i].kind == kind) found.push_back(i);
  return found;
}

Material other_material(Material material, Random& random) {
  std::vector<Material> others{Material::wood, Material::ice, Material::stone};
  std::erase(others, material);
  return random.choice(others);
}

/// The candidate with one small change: the material of a block, or of all blocks that look like it; a pig at another place, one
/// more, or one fewer; another bird.
Level mutated(const Level& candidate, const Profile& profile, Random& random) {
  Level level = candidate;
  const std::vector<std::size_t> blocks = of_kind(level, Kind::block), pigs = of_kind(level, Kind::pig);
  const std::size_t change = random.weighted({0.35, 0.2, 0.2, 0.05, 0.05, 0.15});
  if (change <= 1 && !blocks.empty()) {
    const LevelObject chosen = level.objects[random.choice(blocks)];
    const Material material = other_material(chosen.material, random);
    for (std::size_t i : blocks) {
      LevelObject& block = level.objects[i];
      if (change == 0 ? block == chosen : block.type == chosen.type && block.material == chosen.material) block.material = material;
    }
  } else if (change == 5) {
    static const std::vector<std::string> birds{"BirdRed", "BirdBlue", "BirdYellow", "BirdBlack", "BirdWhite"};
    const int place = random.integer(0, static_cast<int>(level.birds.size()) - 1);
    level.birds[static_cast<std::size_t>(place)] = random.choice(birds);
  } else {
    const bool adds = change == 3, removes = change == 4;
    if (!adds && !pigs.empty() && !(removes && pigs.size() == 1))
      level.objects.erase(level.objects.begin() + static_cast<std::ptrdiff_t>(random.choice(pigs)));
    if (!removes) {
      Draft draft(profile, random, std::move(level));
      draft.put_pigs(1);
      level = draft.level();
    }
    if (level.objects.size() < least_objects || level.objects.size() > most_objects) return candidate;
  }
  return level;
}

/// Changes the candidate at random as long as that does not take its difficulty further from what is wanted. False when it does not
/// come to fit.
bool approach(Level& candidate, const SearchGoal& goal, std::shared_ptr<const Profile> profile, Random& random, int& mutations) {
  double distance = misfit(goal, candidate, profile);
  for (; distance > 0 && mutations < most_mutations; ++mutations) {
    Level changed = mutated(candidate, *profile, random);
    const double changed_distance = misfit(goal, changed, profile);
    if (changed_distance > distance) continue;
    candidate = std::move(changed);
    distance = changed_distance;
  }
  return distance == 0;
}

/// What one candidate came to.
struct Outcome {
  SearchCounts counts;  ///< of this one
  std::optional<Level> level;
  LevelFeatures features;  ///< of the level
};

Outcome try_candidate(const SearchGoal& goal, const GeneratorInfo& family, const SearchOptions& options, std::uint64_t index,
                      std::shared_ptr<const Profile> profile) {
  Outcome outcome;
  SearchCounts& counts = outcome.counts;
  counts.candidates = 1;
  Random random(stream_seed(options.seed, "search/" + goal_name(goal) + "/" + family.name, index));
  Level candidate = generate_candidate(family, *profile, random);
  if (!goal.grounded && !approach(candidate, goal, profile, random, counts.mutations)) {
    counts.unfit = 1;
    return outcome;
  }
  StabilityProof standing = prove_stability(candidate, profile);
  if (standing.verdict != Verdict::proved) {
    counts.unstable = 1;
    return outcome;
  }
  Solution solution = solve(standing.scene);
  if (!solution.solved || solution.shots.empty()) {
    counts.unsolved = 1;
    return outcome;
  }
  std::vector<BirdChoice> choices = bird_choices(standing.scene, goal);
  std::erase_if(choices, [&](const BirdChoice& choice) {
    return choice.birds < solution.shots.size() || !fits(goal, choice.difficulty.pid, choice.difficulty.bid);
  });
  if (choices.empty()) {
    counts.unfit = 1;
    return outcome;
  }

  const BirdChoice chosen = random.choice(choices);
  Level level = std::move(standing.level);
  level.name = level_set_member(goal_name(goal), options.seed, index);
  level.birds.resize(chosen.birds);
  level.provenance->family = family.name;
  level.provenance->seed = options.seed;
  level.provenance->index = index;
  level.provenance->solution = std::move(solution.shots);
  level.difficulty = StoredDifficulty{.novelty = goal.novelty->name,
                                      .method = method_name(goal),
                                      .alpha = goal.alpha,
                                      .pid = chosen.difficulty.pid,
                                      .bid = chosen.difficulty.bid,
                                      .value = mixed(goal.alpha, chosen.difficulty)};
  if (goal.tier)
    level.difficulty->tier = StoredTier{name(*goal.tier), goal.thresholds->low, goal.thresholds->high, goal.thresholds->count};
  outcome.features = level_features(level, *profile);
  outcome.level = std::move(level);
  return outcome;
}

void add(SearchCounts& sum, const SearchCounts& counts) {
  sum.candidates += counts.candidates;
  sum.mutations += counts.mutations;
  sum.unfit += counts.unfit;
  sum.unstable += counts.unstable;
  sum.unsolved += counts.unsolved;
  sum.near_duplicates += counts.near_duplicates;
}

/// Runs job(0), job(1) ... on threads and hands the results to take() in that order, one at a time, until it answers false. What
/// take() sees therefore does not depend on the number of threads.
template <typename Result, typename Job, typename Take>
void in_order(std::size_t most, int threads, const Job& job, const Take& take, const std::function<bool()>& keep_going) {
  std::map<std::size_t, Result> waiting;  // for those before them
  std::size_t next = 0;
  std::mutex mutex;
  std::atomic<bool> enough{most == 0};
  parallel_for(
      most, threads,
      [&](std::size_t i) {
        Result result = job(i);
        const std::lock_guard lock(mutex);
        waiting.emplace(i, std::move(result));
        for (auto first = waiting.begin(); !enough && first != waiting.end() && first->first == next; first = waiting.erase(first), ++next)
          if (!take(std::move(first->second))) enough = true;
      },
      [&] { return !enough && (!keep_going || keep_going()); });
}

}  // namespace

std::string method_name(const SearchGoal& goal) { return goal.grounded ? "grounded" : name(goal.method); }

std::string goal_name(const SearchGoal& goal) {
  std::string text = goal.novelty->name;
  if (goal.grounded || goal.method != Method::published) text += "-" + method_name(goal);
  if (goal.alpha == 1) text += "-pid";
  else if (goal.alpha == 0) text += "-bid";
  else if (goal.alpha != 0.5) text += "-alpha-" + number_text(goal.alpha);
  return text + "-" + (goal.tier ? name(*goal.tier) : number_text(goal.least) + "-" + number_text(goal.most));
}

bool fits(const SearchGoal& goal, double pid, double bid) {
  const double value = mixed(goal.alpha, {pid, bid});
  if (!goal.tier) return value >= goal.least && value <= goal.most && (pid < 1 || goal.most == 1);
  return pid < 1 && tier_of(value, *goal.thresholds) == *goal.tier;
}

std::optional<TierThresholds> reference_thresholds(const SearchGoal& goal, std::uint64_t seed, std::shared_ptr<const Profile> profile, int threads,
                                                   const std::function<void(std::size_t)>& progress,
                                                   const std::function<bool()>& keep_going) {
  constexpr std::size_t most_levels = 3000;
  require_effect(*goal.novelty, profile);
  const std::vector<GeneratorInfo>& families = generator_families();
  std::vector<double> values;
  std::size_t looked_at = 0;
  in_order<PidBid>(
      most_levels, threads,
      [&](std::size_t i) {
        const Level level = generate_level(families[i % families.size()], seed, i / families.size(), profile);
        return pid_bid(settle(make_scene(level, profile)), goal);
      },
      [&](const PidBid& found) {
        ++looked_at;
        if (found.pid < 1) values.push_back(mixed(goal.alpha, found));
        if (progress) progress(values.size());
        return values.size() < reference_levels;
      },
      keep_going);
  if (values.size() == reference_levels) return tier_thresholds(values, goal.alpha);
  if (looked_at < most_levels) return {};
  throw Error("profile " + profile->name + ": novelty " + goal.novelty->name + " (" + goal.novelty->description + ") can be detected in only " +
              std::to_string(values.size()) + " of " + std::to_string(most_levels) + " levels, too few for tiers");
}

int default_candidates(int count) { return std::max(4000, 400 * std::min(count, 5'000'000)); }

SearchResult search_levels(const SearchGoal& goal, const SearchOptions& options, std::shared_ptr<const Profile> profile,
                           const std::function<void(std::size_t, int)>& progress, const std::function<bool()>& keep_going) {
  require_goal(goal);
  require_effect(*goal.novelty, profile);
  if (options.count < 0 || options.candidates < 0)
    throw Error("search: found count " + std::to_string(options.count) + " and candidates " + std::to_string(options.candidates) +
                ", allowed 0 or more");
  std::vector<const GeneratorInfo*> families;
  if (options.family.empty())
    for (const GeneratorInfo& family : generator_families()) families.push_back(&family);
  else
    families.push_back(&find_generator(options.family));

  SearchResult result;
  std::vector<LevelFeatures> features;
  const auto wanted = static_cast<std::size_t>(options.count);
  const int budget = options.candidates > 0 ? options.candidates : default_candidates(options.count);
  in_order<Outcome>(
      wanted == 0 ? 0 : static_cast<std::size_t>(budget), options.threads,
      [&](std::size_t i) { return try_candidate(goal, *families[i % families.size()], options, i, profile); },
      [&](Outcome outcome) {
        const bool duplicate = outcome.level && std::any_of(features.begin(), features.end(), [&](const LevelFeatures& known) {
          return level_distance(known, outcome.features) < options.least_distance;
        });
        if (duplicate) outcome.counts.near_duplicates = 1;
        add(result.counts, outcome.counts);
        if (outcome.level && !duplicate) {
          result.levels.push_back(std::move(*outcome.level));
          features.push_back(std::move(outcome.features));
        }
        if (progress) progress(result.levels.size(), result.counts.candidates);
        return result.levels.size() < wanted;
      },
      keep_going);
  result.diversity = diversity(features);
  return result;
}

std::string check_difficulty(const StoredDifficulty& stored, const Scene& scene) {
  SearchGoal goal{.novelty = &find_novelty(stored.novelty), .grounded = stored.method == "grounded"};
  if (!goal.grounded) {
    const auto method = method_from_name(stored.method);
    if (!method) throw Error("stored difficulty: unknown method '" + stored.method + "'; known are published, extended and grounded");
    goal.method = *method;
  }
  const PidBid now = pid_bid(scene, goal);
  const double value = mixed(stored.alpha, now);
  std::string wrong;
  const auto compare = [&](const char* what, const std::string& found, const std::string& computed) {
    if (found != computed) wrong += (wrong.empty() ? "" : ", ") + std::string(what) + " stored " + found + ", computed " + computed;
  };
  compare("PID", number_text(stored.pid), number_text(now.pid));
  compare("BID", number_text(stored.bid), number_text(now.bid));
  compare("value", number_text(stored.value), number_text(value));
  if (stored.tier)
    compare("tier", stored.tier->tier, name(tier_of(value, {stored.tier->low, stored.tier->high, stored.tier->count, stored.alpha})));
  return wrong;
}

}  // namespace startle
