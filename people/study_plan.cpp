#include "people/study_plan.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "core/random.hpp"
#include "levels/level_json.hpp"
#include "sim/novelty.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

using Cell = std::pair<std::string, std::string>;  // novelty, tier

std::string cell_name(const Cell& cell) { return cell.first + " " + cell.second; }

void require_range(const char* what, int found, int low, int high) {
  if (found < low || found > high)
    throw Error(std::string(what) + ": found " + std::to_string(found) + ", allowed are " +
                std::to_string(low) + " to " + std::to_string(high));
}

/// The levels of each cell in an order of the seed's; the cells, too, are in such an order.
struct Decks {
  std::vector<Cell> cells;
  std::vector<std::vector<std::size_t>> levels;
};

Decks shuffled_decks(const std::vector<StudyLevel>& levels, std::uint64_t seed) {
  std::map<Cell, std::vector<std::size_t>> by_cell;
  for (std::size_t i = 0; i < levels.size(); ++i) by_cell[{levels[i].novelty, levels[i].tier}].push_back(i);
  Decks decks;
  for (const auto& [cell, of_cell] : by_cell) decks.cells.push_back(cell);
  Random(stream_seed(seed, "study/cells")).shuffle(decks.cells);
  for (const Cell& cell : decks.cells) {
    decks.levels.push_back(by_cell[cell]);
    Random(stream_seed(seed, "study/levels/" + cell_name(cell))).shuffle(decks.levels.back());
  }
  return decks;
}

/// Takes levels that are no items off the decks, from each by turns.
std::vector<std::size_t> take_off(Decks& decks, int count) {
  std::vector<std::size_t> taken;
  for (std::size_t turn = 0; static_cast<int>(taken.size()) < count; ++turn) {
    if (std::all_of(decks.levels.begin(), decks.levels.end(), [](const auto& deck) { return deck.empty(); }))
      throw Error("--levels: hold fewer levels than the " + std::to_string(count) +
                  " asked for by --practice and --attention");
    std::vector<std::size_t>& deck = decks.levels[turn % decks.levels.size()];
    if (deck.empty()) continue;
    taken.push_back(deck.back());
    deck.pop_back();
  }
  return taken;
}

}  // namespace

std::vector<StudyLevel> study_levels(const std::vector<StoredLevel>& levels,
                                     std::shared_ptr<const Profile> profile) {
  std::vector<StudyLevel> all;
  for (const StoredLevel& level : levels) {
    const auto refuse = [&](const std::string& why) { throw Error("level " + level.name + ": " + why); };
    if (tier_or_third(level.difficulty).empty())
      refuse(
          "no novelty and tier are stored with it; startle levels generate --novelty N --tier T and startle "
          "study make levels that have them");
    const StoredDifficulty& d = *level.difficulty;
    if (!d.tier && d.value == 1) continue;
    const Scene scene = make_scene(level, profile);
    if (scene.birds.empty() || scene.cleared()) refuse("a study needs birds and pigs in every level");
    const Scene novel = novel_twin(scene, find_novelty(d.novelty));
    if (!anything_novel(novel)) refuse("novelty " + d.novelty + " changes nothing in it");
    DifficultyValues values = d;
    // PID and BID of tiers of p_level, too: the report sets what people detect against them.
    if (const Novelty novelty = find_novelty(d.novelty, level);
        d.tier && covers(Method::published, novelty)) {
      values = compute_difficulty(settle(scene), novelty, {.method = Method::published});
      values.value = d.value;
    }
    Hash hash;
    hash.add(level_to_json(level));
    all.push_back({.name = level.name,
                   .hash = hash.value(),
                   .novelty = d.novelty,
                   .tier = tier_or_third(d),
                   .pid = values.pid,
                   .bid = values.bid,
                   .value = values.value,
                   .birds = static_cast<int>(scene.birds.size()),
                   .text = level_to_json(level)});
  }
  std::map<std::string, int> names;
  for (const StudyLevel& level : all)
    if (++names[level.name] == 2)
      throw Error("level " + level.name + ": this name stands twice; results are stored by name");
  return all;
}

StudyPlan plan_study(const std::vector<StudyLevel>& levels, const StudySettings& settings, int number,
                     bool practice_given) {
  require_range("--practice", settings.practice, 0, 1000);
  require_range("--items", settings.items, 1, 1000);
  require_range("--normal", settings.normal, 0, settings.items);
  require_range("--attention", settings.attention, 0, 20);
  if (levels.empty()) throw Error("--levels: hold no level in which a novelty can be detected");
  Decks decks = shuffled_decks(levels, settings.seed);
  StudyPlan plan;
  std::vector<std::size_t> checks = take_off(decks,
                                             (practice_given ? 0 : settings.practice) + settings.attention);
  const auto first_check = checks.end() - settings.attention;
  plan.practice.assign(checks.begin(), first_check);
  checks.erase(checks.begin(), first_check);

  // Items are dealt anew to all participants up to this one: which level a cell gives next depends on those
  // it gave before. Where everybody plays all levels, cells may have different sizes.
  std::size_t left = 0;
  for (const std::vector<std::size_t>& deck : decks.levels) left += deck.size();
  const bool all_levels = settings.normal == 0 && left == static_cast<std::size_t>(settings.items);
  std::map<std::pair<std::size_t, bool>, std::size_t> next;  // of a cell and a world: position in its deck
  std::size_t turn[2] = {0, 0};
  for (int participant = 0; participant <= number; ++participant) {
    plan.items.clear();
    std::map<std::size_t, std::size_t> used;  // by this participant, of each cell
    std::vector<bool> taken(levels.size(), false);
    for (int i = 0; i < settings.items; ++i) {
      const bool novel = i >= settings.normal;
      std::size_t cell = turn[novel]++ % decks.cells.size();
      while (all_levels && used[cell] == decks.levels[cell].size()) cell = turn[novel]++ % decks.cells.size();
      const std::vector<std::size_t>& deck = decks.levels[cell];
      if (++used[cell] > deck.size())
        throw Error(
            "--levels: too few of " + cell_name(decks.cells[cell]) + ": " + std::to_string(deck.size()) +
            " are left beside the practice levels, a participant needs " + std::to_string(used[cell]));
      // The normal items go through the deck from its middle, so that a level is seen in both worlds.
      const auto at = [&](std::size_t k) { return deck[(k + (novel ? 0 : deck.size() / 2)) % deck.size()]; };
      std::size_t& k = next[{cell, novel}];
      while (taken[at(k)]) ++k;
      taken[at(k)] = true;
      plan.items.push_back({.level = at(k++), .novel = novel});
    }
  }
  Random(stream_seed(settings.seed, "study/order", static_cast<std::uint64_t>(number))).shuffle(plan.items);
  const std::size_t items = plan.items.size();
  for (std::size_t i = checks.size(); i-- > 0;) {  // from the last on, which leaves the places before it
    const std::size_t before = std::max<std::size_t>(1, (i + 1) * items / (checks.size() + 1));
    plan.items.insert(plan.items.begin() + static_cast<std::ptrdiff_t>(before),
                      {.level = checks[i], .attention = true});
  }
  return plan;
}

Scene study_scene(const Level& level, std::shared_ptr<const Profile> profile, const std::string& novelty) {
  Scene scene = taken_at_rest(settle(make_scene(level, std::move(profile))));
  return novelty.empty() ? scene : novel_twin(scene, find_novelty(novelty));
}

}  // namespace startle
