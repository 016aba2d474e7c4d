#include "levels/search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "difficulty/shown_shots.hpp"
#include "levels/level_set.hpp"
#include "levels/level_text.hpp"
#include "sim/error.hpp"
#include "sim/parallel.hpp"
#include "sim/world.hpp"

namespace startle {

namespace {

constexpr int most_mutations = 30;  // of one candidate

struct PidBid {
  double pid = 1, bid = 1;
  std::size_t novel_objects = 0;
  double shown =
      0;  ///< by reasoning: expected share of first shots, at best and at random targets, half each, that show the novelty
};

double mixed(double alpha, const PidBid& d) { return alpha * d.pid + (1 - alpha) * d.bid; }

/// The values that fit: of a tier those that lie `tier_gap` of the middle tier's width away from its ends.
std::pair<double, double> range_of(const SearchGoal& goal) {
  if (!goal.tier) return {goal.least, goal.most};
  const TierThresholds& t = *goal.thresholds;
  const double gap = tier_gap * (t.high - t.low);
  return *goal.tier == Tier::easy     ? std::pair{0.0, t.low - gap}
         : *goal.tier == Tier::medium ? std::pair{t.low + gap, t.high - gap}
                                      : std::pair{t.high + gap, 1.0};
}

/// Measured after proof, as it takes too long to try changes.
bool by_simulation(const SearchGoal& goal) { return goal.grounded || goal.observer; }

/// They mix with the alpha wanted later.
PidBid pid_bid(const Scene& scene, const SearchGoal& goal) {
  if (goal.grounded) {
    const GroundedDifficulty difficulty = grounded_difficulty(scene, *goal.novelty);
    return {difficulty.pid, difficulty.bid, difficulty.novel_objects};
  }
  const Difficulty difficulty = compute_difficulty(scene, *goal.novelty, {.method = goal.method});
  PidBid result{difficulty.pid, difficulty.bid, difficulty.novel_objects};
  if (!difficulty.interactions.empty()) {
    const Interaction& first = difficulty.interactions.front();
    result.shown = (first.best_detectable() + 1 - share_undetectable(first.counts)) / 2;
  }
  return result;
}

bool in_shown_range(Tier tier, double share) {
  const auto [low, high] = shown_range(tier);
  return share >= low && share <= high;
}

void require_goal(const SearchGoal& goal) {
  const auto share = [](double value) { return value >= 0 && value <= 1; };
  if (!goal.novelty) throw Error("search: no novelty");
  if (goal.observer && (goal.grounded || goal.tier))
    throw Error(
        "search: what the observer notices is one value, without PID and BID; a range of it goes without "
        "tier and without grounded");
  if (!by_simulation(goal)) require_covered(goal.method, *goal.novelty);
  if (goal.confirmed && (!goal.tier || goal.grounded))
    throw Error("search: turned shots confirm levels of a tier by reasoning; found " +
                std::string(goal.tier ? "grounded" : "a range"));
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

/// How far a number lies outside a range; over 0 even where it is just at an end that does not belong to it.
double outside(const std::pair<double, double>& range, double value) {
  return std::max({range.first - value, value - range.second, 1e-9});
}

/// How far a difficulty is from what is wanted: 0 exactly when it fits. Where turned shots are to confirm a level, reasoning must expect that they do.
double misfit(const SearchGoal& goal, const PidBid& difficulty) {
  if (difficulty.novel_objects == 0) return 2;
  double distance = 0;
  if (!fits(goal, difficulty.pid, difficulty.bid)) {
    if (difficulty.pid == 1) return 1;  // impossible: further than anything that can be detected
    distance = outside(range_of(goal), mixed(goal.alpha, difficulty));
  }
  if (goal.confirmed && !in_shown_range(*goal.tier, difficulty.shown))
    distance += outside(shown_range(*goal.tier), difficulty.shown);
  return distance;
}

double misfit(const SearchGoal& goal, const Level& candidate, std::shared_ptr<const Profile> profile) {
  return misfit(goal, pid_bid(make_scene(candidate, profile), goal));
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
      if (change == 0 ? block == chosen : block.type == chosen.type && block.material == chosen.material)
        block.material = material;
    }
  } else if (change == 5) {
    const int place = random.integer(0, static_cast<int>(level.birds.size()) - 1);
    level.birds[static_cast<std::size_t>(place)] = random.choice(science_birds());
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
bool approach(Level& candidate, const SearchGoal& goal, std::shared_ptr<const Profile> profile,
              Random& random, int& mutations) {
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

StoredCount stored(const Rate& rate) { return {rate.hits, rate.count}; }

StoredShots stored(const ShownShots& shown) {
  return {search_noise.sd, stored(shown.best), stored(shown.random), stored(shown.proof)};
}

/// 1 - what the observer notices of best shots; empty where it lies outside the goal's range, or nothing can be noticed.
std::optional<StoredDifficulty> observed_difficulty(const Scene& scene, const SearchGoal& goal) {
  if (!anything_novel(novel_twin(scene, *goal.novelty))) return {};
  const auto all = static_cast<double>(search_noise.repeats);
  // No further than it takes to know that the share will lie outside.
  const auto worthwhile = [&](const Rate& so_far) {
    const auto left = all - static_cast<double>(so_far.count), noticed = static_cast<double>(so_far.hits);
    return 1 - noticed / all >= goal.least && 1 - (noticed + left) / all <= goal.most;
  };
  const Rate noticed =
      noticed_shots(scene, *goal.novelty, search_noise, {.aim_noise = search_noise.sd}, worthwhile).novel;
  if (noticed.count < search_noise.repeats) return {};
  const double value = 1 - *noticed.value();
  if (value < goal.least || value > goal.most) return {};
  return StoredDifficulty{.novelty = goal.novelty->name,
                          .method = "observer",
                          .value = value,
                          .tier = {},
                          .shown_shots = {},
                          .noticed = stored(noticed)};
}

/// By reasoning or twin simulation; empty where it does not fit.
std::optional<StoredDifficulty> fitting_difficulty(const Scene& scene, const SearchGoal& goal) {
  if (goal.observer) return observed_difficulty(scene, goal);
  const PidBid difficulty = pid_bid(scene, goal);
  if (misfit(goal, difficulty) > 0) return {};
  StoredDifficulty result{.novelty = goal.novelty->name,
                          .method = method_name(goal),
                          .alpha = goal.alpha,
                          .pid = difficulty.pid,
                          .bid = difficulty.bid,
                          .value = mixed(goal.alpha, difficulty),
                          .tier = {},
                          .shown_shots = {},
                          .noticed = {}};
  if (goal.tier)
    result.tier = StoredTier{name(*goal.tier), goal.thresholds->low, goal.thresholds->high,
                             goal.thresholds->count};
  return result;
}

/// What one candidate came to.
struct Outcome {
  SearchCounts counts;  ///< of this one
  std::optional<Level> level;
  LevelFeatures features;  ///< of the level
};

/// A candidate of a third of objects that is drawn first, if the family makes one soon.
Level draw_candidate(const GeneratorInfo& family, const Profile& profile, Random& random) {
  constexpr int most_tries = 20;
  const auto third = static_cast<std::size_t>(random.integer(0, static_cast<int>(std::size(object_thirds))));
  Level candidate = generate_candidate(family, profile, random);
  for (int i = 1; i < most_tries && object_third(candidate.objects.size()) != third; ++i)
    candidate = generate_candidate(family, profile, random);
  return candidate;
}

Outcome try_candidate(const SearchGoal& goal, const GeneratorInfo& family, const SearchOptions& options,
                      std::uint64_t index, std::shared_ptr<const Profile> profile) {
  Outcome outcome;
  SearchCounts& counts = outcome.counts;
  counts.candidates = 1;
  Random random(stream_seed(options.seed, "search/" + goal_name(goal) + "/" + family.name, index));
  Level candidate = draw_candidate(family, *profile, random);
  candidate.birds.resize(static_cast<std::size_t>(random.integer(least_birds, most_birds)));
  if (!by_simulation(goal) && !approach(candidate, goal, profile, random, counts.mutations)) {
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
  std::optional<StoredDifficulty> difficulty = fitting_difficulty(standing.scene, goal);
  if (!difficulty) {
    counts.unfit = 1;
    return outcome;
  }
  if (goal.confirmed) {
    difficulty->shown_shots = stored(
        shown_shots(standing.scene, *goal.novelty, solution.shots, search_noise));
    if (!confirmed(*goal.tier, *difficulty->shown_shots)) {
      counts.unconfirmed = 1;
      return outcome;
    }
  }

  Level level = std::move(standing.level);
  level.name = level_set_member(goal_name(goal), options.seed, index);
  level.provenance->family = family.name;
  level.provenance->seed = options.seed;
  level.provenance->index = index;
  level.provenance->solution = std::move(solution.shots);
  level.difficulty = std::move(difficulty);
  outcome.features = level_features(level, *profile);
  outcome.level = std::move(level);
  return outcome;
}

/// Levels found so far by number of birds and by number of objects. A level is taken only where no other number of birds has fewer, and no other third of
/// objects has fewer by more than one: whatever the difficulty asked for, the levels of a search have all of them (about) equally often, and difficulty does not
/// show by them.
class Balance {
 public:
  /// A family alone may make no level of some third: then objects are as they come.
  explicit Balance(bool of_objects) : of_objects_(of_objects) {}

  bool full(const Level& level) const {
    return surplus(birds_, birds_of(level)) > 0 || (of_objects_ && surplus(objects_, objects_of(level)) > 1);
  }
  void add(const Level& level) {
    ++birds_[birds_of(level)];
    ++objects_[objects_of(level)];
  }

 private:
  using Counts = std::array<int, 3>;
  static_assert(most_birds - least_birds + 1 == std::tuple_size_v<Counts> &&
                std::size(object_thirds) + 1 == std::tuple_size_v<Counts>);

  static int surplus(const Counts& counts, std::size_t place) {
    return counts[place] - *std::min_element(counts.begin(), counts.end());
  }
  static std::size_t birds_of(const Level& level) { return level.birds.size() - least_birds; }
  static std::size_t objects_of(const Level& level) { return object_third(level.objects.size()); }

  bool of_objects_;
  Counts birds_{}, objects_{};
};

void add(SearchCounts& sum, const SearchCounts& counts) {
  sum.candidates += counts.candidates;
  sum.mutations += counts.mutations;
  sum.unfit += counts.unfit;
  sum.unstable += counts.unstable;
  sum.unsolved += counts.unsolved;
  sum.near_duplicates += counts.near_duplicates;
  sum.unconfirmed += counts.unconfirmed;
  sum.surplus += counts.surplus;
}

/// Runs job(0), job(1) ... on threads and hands the results to take() in that order, one at a time, until it answers false. What
/// take() sees therefore does not depend on the number of threads.
template <typename Result, typename Job, typename Take>
void in_order(std::size_t most, int threads, const Job& job, const Take& take,
              const std::function<bool()>& keep_going) {
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
        for (auto first = waiting.begin(); !enough && first != waiting.end() && first->first == next;
             first = waiting.erase(first), ++next)
          if (!take(std::move(first->second))) enough = true;
      },
      [&] { return !enough && (!keep_going || keep_going()); });
}

}  // namespace

std::size_t object_third(std::size_t objects) {
  return static_cast<std::size_t>(std::count_if(std::begin(object_thirds), std::end(object_thirds),
                                                [&](std::size_t from) { return objects >= from; }));
}

std::string method_name(const SearchGoal& goal) {
  return goal.observer ? "observer" : goal.grounded ? "grounded" : name(goal.method);
}

std::string goal_name(const SearchGoal& goal) {
  std::string text = goal.novelty->name;
  if (by_simulation(goal) || goal.method != Method::published) text += "-" + method_name(goal);
  if (goal.alpha == 1)
    text += "-pid";
  else if (goal.alpha == 0)
    text += "-bid";
  else if (goal.alpha != 0.5)
    text += "-alpha-" + number_text(goal.alpha);
  return text + "-" + (goal.tier ? name(*goal.tier) : number_text(goal.least) + "-" + number_text(goal.most));
}

bool fits(const SearchGoal& goal, double pid, double bid) {
  const double value = mixed(goal.alpha, {pid, bid});
  const auto [low, high] = range_of(goal);
  const bool impossible = pid == 1;
  return value >= low && value <= high &&
         (goal.tier ? !impossible && tier_of(value, *goal.thresholds) == *goal.tier
                    : !impossible || goal.most == 1);
}

std::pair<double, double> shown_range(Tier tier) {
  return tier == Tier::easy     ? std::pair{0.65, 1.0}
         : tier == Tier::medium ? std::pair{0.2, 0.75}
                                : std::pair{0.0, 0.25};
}

bool confirmed(Tier tier, const StoredShots& shown) {
  const std::uint64_t shows = shown.best.shots + shown.random.shots, of = shown.best.of + shown.random.of;
  if (of == 0 || shows + shown.proof.shots == 0) return false;
  return in_shown_range(tier, static_cast<double>(shows) / static_cast<double>(of));
}

std::optional<TierThresholds> reference_thresholds(const SearchGoal& goal, std::uint64_t seed,
                                                   std::shared_ptr<const Profile> profile, int threads,
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
  throw Error("profile " + profile->name + ": novelty " + goal.novelty->name + " (" +
              goal.novelty->description + ") can be detected in only " + std::to_string(values.size()) +
              " of " + std::to_string(most_levels) + " levels, too few for tiers");
}

int default_candidates(int count) { return std::max(4000, 400 * std::min(count, 5'000'000)); }

SearchResult search_levels(const SearchGoal& goal, const SearchOptions& options,
                           std::shared_ptr<const Profile> profile,
                           const std::function<void(std::size_t, int)>& progress,
                           const std::function<bool()>& keep_going) {
  require_goal(goal);
  require_effect(*goal.novelty, profile);
  if (options.count < 0 || options.candidates < 0)
    throw Error("search: found count " + std::to_string(options.count) + " and candidates " +
                std::to_string(options.candidates) + ", allowed 0 or more");
  std::vector<const GeneratorInfo*> families;
  if (options.family.empty())
    for (const GeneratorInfo& family : generator_families()) families.push_back(&family);
  else
    families.push_back(&find_generator(options.family));

  SearchResult result;
  std::vector<LevelFeatures> features;
  Balance balance(options.family.empty());
  const auto wanted = static_cast<std::size_t>(options.count);
  const int budget = options.candidates > 0 ? options.candidates : default_candidates(options.count);
  in_order<Outcome>(
      wanted == 0 ? 0 : static_cast<std::size_t>(budget), options.threads,
      [&](std::size_t i) { return try_candidate(goal, *families[i % families.size()], options, i, profile); },
      [&](Outcome outcome) {
        const bool duplicate = outcome.level &&
                               std::any_of(features.begin(), features.end(), [&](const LevelFeatures& known) {
                                 return level_distance(known, outcome.features) < options.least_distance;
                               });
        const bool taken = outcome.level && !duplicate && !balance.full(*outcome.level);
        if (duplicate)
          outcome.counts.near_duplicates = 1;
        else if (outcome.level && !taken)
          outcome.counts.surplus = 1;
        add(result.counts, outcome.counts);
        if (taken) {
          balance.add(*outcome.level);
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

std::string check_difficulty(const StoredDifficulty& found, const Novelty& novelty, const Scene& scene,
                             const std::vector<Shot>& proof) {
  SearchGoal goal{
      .novelty = &novelty, .grounded = found.method == "grounded", .observer = found.method == "observer"};
  std::string wrong;
  const auto compare = [&](const char* what, const std::string& stored_text, const std::string& computed) {
    if (stored_text != computed)
      wrong += (wrong.empty() ? "" : ", ") + std::string(what) + " stored " + stored_text + ", computed " +
               computed;
  };
  const auto compare_counts = [&](const char* what, const StoredCount& a, const StoredCount& b) {
    compare(what, std::to_string(a.shots) + " of " + std::to_string(a.of),
            std::to_string(b.shots) + " of " + std::to_string(b.of));
  };
  if (goal.observer) {
    const Rate noticed =
        noticed_shots(scene, *goal.novelty, search_noise, {.aim_noise = search_noise.sd}).novel;
    compare_counts("noticed", found.noticed.value_or(StoredCount{}), stored(noticed));
    compare("value", number_text(found.value), number_text(1 - noticed.value().value_or(0)));
    return wrong;
  }
  if (!goal.grounded) {
    const auto method = method_from_name(found.method);
    if (!method)
      throw Error("stored difficulty: unknown method '" + found.method +
                  "'; known are published, extended, grounded and observer");
    goal.method = *method;
  }
  const PidBid now = pid_bid(scene, goal);
  const double value = mixed(found.alpha, now);
  compare("PID", number_text(found.pid), number_text(now.pid));
  compare("BID", number_text(found.bid), number_text(now.bid));
  compare("value", number_text(found.value), number_text(value));
  if (found.tier)
    compare("tier", found.tier->tier,
            name(tier_of(value, {found.tier->low, found.tier->high, found.tier->count, found.alpha})));
  if (found.shown_shots) {
    const StoredShots shown = stored(shown_shots(scene, *goal.novelty, proof, search_noise));
    compare_counts("best shots that show", found.shown_shots->best, shown.best);
    compare_counts("random shots that show", found.shown_shots->random, shown.random);
    compare_counts("shots of the solution that show", found.shown_shots->proof, shown.proof);
  }
  return wrong;
}

}  // namespace startle
