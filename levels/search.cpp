#include "levels/search.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <utility>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/text.hpp"
#include "levels/level_set.hpp"
#include "levels/mutation.hpp"
#include "sim/world.hpp"

namespace startle {

namespace {

constexpr int most_mutations = 120;  // of one candidate
/// A candidate that is still further than this after so many changes is given up: of 466 candidates for hard
/// levels of heavier wood 24 in place of 26 come to fit then, with 0.6 of the changes.
struct Patience {
  int mutations;
  double distance;
};
constexpr Patience patience[] = {{45, 0.45}, {90, 0.1}};

bool hopeless(int mutations, double distance) {
  return std::any_of(std::begin(patience), std::end(patience), [&](const Patience& limit) {
    return mutations == limit.mutations && distance > limit.distance;
  });
}

/// Changes the candidate at random as long as that does not take its difficulty further from what is wanted.
/// False when it does not come to fit.
bool approach(Level& candidate, const SearchGoal& goal, std::shared_ptr<const Profile> profile,
              Random& random, int& mutations) {
  const auto distance_of = [&](const Level& level, double limit) {
    return assess(goal, make_scene(level, profile), limit).distance;
  };
  double distance = distance_of(candidate, math::infinity);
  for (; distance > 0 && mutations < most_mutations && !hopeless(mutations, distance); ++mutations) {
    Level changed = mutated(candidate, *profile, random);
    const double changed_distance = distance_of(changed, distance);
    if (changed_distance > distance) continue;
    candidate = std::move(changed);
    distance = changed_distance;
  }
  return distance == 0;
}

/// What one candidate came to.
struct Outcome {
  std::size_t birds = 0;
  bool passed_over = false;  ///< nothing else is known of it
  SearchCounts counts;       ///< of this one
  std::optional<StoredLevel> level;
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

/// Passes over a candidate whose number of birds is not `wanted`.
Outcome try_candidate(const SearchGoal& goal, const GeneratorInfo& family, const SearchOptions& options,
                      std::uint64_t index, std::shared_ptr<const Profile> profile,
                      const std::function<bool(std::size_t birds)>& wanted) {
  Outcome outcome;
  SearchCounts& counts = outcome.counts;
  counts.candidates = 1;
  Random random(stream_seed(options.seed, "search/" + goal_name(goal) + "/" + family.name, index));
  Level candidate = draw_candidate(family, *profile, random);
  outcome.birds = static_cast<std::size_t>(random.integer(least_birds, most_birds));
  if (!wanted(outcome.birds)) {
    outcome.passed_over = true;
    return outcome;
  }
  candidate.birds.resize(outcome.birds);
  if (!by_simulation(goal) && !approach(candidate, goal, profile, random, counts.mutations)) {
    counts.unfit = 1;
    return outcome;
  }
  StabilityVerification standing = verify_stability(candidate, profile);
  if (standing.verdict != Verdict::verified) {
    counts.unstable = 1;
    return outcome;
  }
  Solution solution = solve(standing.scene);
  if (!solution.solved || solution.shots.empty()) {
    counts.unsolved = 1;
    return outcome;
  }
  Assessment assessment = assess(goal, standing.scene);
  if (assessment.distance > 0) {
    counts.unfit = 1;
    return outcome;
  }
  StoredLevel level{std::move(standing.level), std::move(assessment.difficulty)};
  level.name = level_set_member(goal_name(goal), options.seed, index);
  level.provenance->family = family.name;
  level.provenance->seed = options.seed;
  level.provenance->index = index;
  level.provenance->solution = std::move(solution.shots);
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
  sum.surplus += counts.surplus;
}

}  // namespace

int default_candidates(int count) { return std::max(4000, 400 * std::min(count, 5'000'000)); }

SearchResult search_levels(const SearchGoal& goal, const SearchOptions& options,
                           std::shared_ptr<const Profile> profile,
                           const std::function<void(std::size_t, int)>& progress,
                           const std::function<bool()>& keep_going) {
  require_goal(goal);
  require_effect(*novelty_of(goal), profile);
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
  // A candidate whose number of birds is full is not looked at; most that fit may be such. Threads run ahead
  // of the balance: one that they passed over may be wanted when its turn comes, and is tried then; one that
  // they tried may be full by then, and is surplus. So the result is the same for any number of threads.
  std::array<std::atomic<bool>, most_birds + 1> full{};
  const auto candidate = [&](std::size_t i, const std::function<bool(std::size_t)>& of_birds) {
    return try_candidate(goal, *families[i % families.size()], options, i, profile, of_birds);
  };
  parallel_in_order<Outcome>(
      wanted == 0 ? 0 : static_cast<std::size_t>(budget), options.threads,
      [&](std::size_t i) { return candidate(i, [&](std::size_t birds) { return !full[birds]; }); },
      [&](Outcome outcome) {
        if (balance.full_of_birds(outcome.birds)) {
          outcome = {.birds = outcome.birds, .counts = {.candidates = 1, .surplus = 1}};
        } else if (outcome.passed_over) {
          outcome = candidate(static_cast<std::size_t>(result.counts.candidates),
                              [](std::size_t) { return true; });
        }
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
          for (std::size_t birds = least_birds; birds < full.size(); ++birds)
            full[birds] = balance.full_of_birds(birds);
        }
        if (progress) progress(result.levels.size(), result.counts.candidates);
        return result.levels.size() < wanted;
      },
      keep_going);
  result.diversity = diversity(features);
  return result;
}

std::string check_difficulty(const StoredDifficulty& found, const Novelty& novelty, const Scene& scene) {
  std::string wrong;
  const auto compare = [&](const char* what, const std::string& stored_text, const std::string& computed) {
    if (stored_text != computed)
      wrong += (wrong.empty() ? "" : ", ") + std::string(what) + " stored " + stored_text + ", computed " +
               computed;
  };
  if (found.source == DifficultySource::p_level) {
    const StoredDifficulty now = stored_p_level(found.novelty, predict_level(scene, novelty).p_level);
    compare("version", std::to_string(found.version), std::to_string(now.version));
    compare("p_level", number_text(found.p_level), number_text(now.p_level));
    compare("tier", tier_name(found), tier_name(now));
    return wrong;
  }
  const Measured now = difficulty_by(
      {.novelty = &novelty, .method = method_of(found.source), .ties = found.ties}, scene);
  const double value = mixed(found.alpha, now);
  compare("PID", number_text(found.pid), number_text(now.pid));
  compare("BID", number_text(found.bid), number_text(now.bid));
  compare("value", number_text(found.value), number_text(value));
  if (found.third) compare("third", name(found.third->third), name(third_of(value, found.third->thresholds)));
  return wrong;
}

}  // namespace startle
