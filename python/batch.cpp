#include "python/batch.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/level_text.hpp"
#include "sim/novelty.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

namespace startle {
namespace {

std::int64_t code_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) - names.begin();
}

/// The normal world, and the novel one, which is empty without a novelty.
std::pair<Scene, std::optional<Scene>> worlds_of(const StoredLevel& level,
                                                 std::shared_ptr<const Profile> profile,
                                                 const std::variant<bool, std::string>& novelty) {
  const std::string what = "level " + level.name + ": ";
  const LevelProblems problems = validate(level, *profile);
  if (!problems.errors.empty()) throw Error(what + problems.errors.front());
  if (level.birds.empty()) throw Error(what + "has no birds, there is nothing to play");
  const Scene normal = taken_at_rest(settle(make_scene(level, std::move(profile))));
  if (normal.cleared()) throw Error(what + "has no pigs, there is nothing to play");
  std::string name;
  if (const bool* stored = std::get_if<bool>(&novelty)) {
    if (!*stored) return {normal, std::nullopt};
    if (!level.difficulty) throw Error(what + "no novelty is stored with it; name one");
    name = level.difficulty->novelty;
  } else {
    name = std::get<std::string>(novelty);
  }
  Scene novel = novel_twin(normal, find_novelty(name, level));
  if (!anything_novel(novel)) throw Error(what + "novelty " + name + " changes nothing in it");
  return {normal, std::move(novel)};
}

void require(int value, int least, int most, const char* what) {
  if (value < least || value > most)
    throw Error(std::string(what) + ": found " + std::to_string(value) + ", allowed are " +
                std::to_string(least) + " to " + std::to_string(most));
}

}  // namespace

const std::vector<std::string>& object_type_codes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all{""};
    for (Kind kind : {Kind::block, Kind::pig, Kind::tnt, Kind::platform})
      for (const std::string& type : object_type_names(kind)) all.push_back(type);
    return all;
  }();
  return names;
}

const std::vector<std::string>& bird_type_codes() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = bird_type_names();
    all.insert(all.begin(), "");
    return all;
  }();
  return names;
}

const std::vector<std::string>& kind_codes() {
  static const std::vector<std::string> names{name(Kind::block), name(Kind::pig), name(Kind::tnt),
                                              name(Kind::platform)};
  return names;
}

const std::vector<std::string>& material_codes() {
  static const std::vector<std::string> names{name(Material::none), name(Material::wood), name(Material::ice),
                                              name(Material::stone)};
  return names;
}

Batch::Batch(const std::vector<StoredLevel>& levels, std::shared_ptr<const Profile> profile,
             const std::variant<bool, std::string>& novelty, const BatchOptions& options)
    : options_(options) {
  if (levels.empty()) throw Error("levels: found none, at least one is needed");
  require(options.count, 1, 65536, "number of environments");
  require(options.width, 1, 1024, "width of pictures");
  require(options.height, 1, 1024, "height of pictures");
  require(options.threads, 0, 1024, "threads");
  require(options.shift_after, 0, 10000, "shift_after");
  const bool shifts = options.shift_after > 0;
  if (const bool* stored = std::get_if<bool>(&novelty); shifts && stored && !*stored)
    throw Error("shift_after: found " + std::to_string(options.shift_after) +
                " without a novelty, allowed with novelty=True and the name of one");
  std::vector<Starts> starts(levels.size());
  parallel_for(levels.size(), options.threads, [&](std::size_t i) {
    auto [normal, novel] = worlds_of(levels[i], profile, novelty);
    starts[i].later = novel.value_or(normal);
    starts[i].first = shifts ? std::move(normal) : starts[i].later;
  });
  for (const Starts& start : starts) {
    most_objects_ = std::max(most_objects_, start.first.objects.size());
    most_birds_ = std::max(most_birds_, start.first.birds.size());
  }
  starts_ = std::make_shared<const std::vector<Starts>>(std::move(starts));
  slots_.resize(static_cast<std::size_t>(options.count));
}

void Batch::reset(const std::vector<Start>& starts) {
  if (starts.size() != slots_.size())
    throw Error("reset: found " + std::to_string(starts.size()) + " entries, allowed is one for each of " +
                std::to_string(slots_.size()) + " environments");
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (starts[i].level && *starts[i].level >= levels())
      throw Error("level: found " + std::to_string(*starts[i].level) + ", allowed are 0 to " +
                  std::to_string(levels() - 1));
    if (!starts[i].seed && !slots_[i].random) throw Error("reset: the first one needs a seed");
  }
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (starts[i].seed) seed(slots_[i], *starts[i].seed);
    begin(slots_[i], starts[i].level);
  }
}

void Batch::seed(Slot& slot, std::uint64_t seed) {
  slot.random.emplace(stream_seed(seed, "environment"));
  slot.played = {.seed = seed};
}

bool Batch::over(const Slot& slot) const {
  return slot.game->over() && static_cast<int>(slot.played.levels.size()) == episode_levels();
}

void Batch::begin(Slot& slot, std::optional<std::size_t> level) {
  ++slot.played.episode;
  slot.played.levels.clear();
  slot.ended.reset();
  slot.earlier_score = slot.reward = 0;
  // By a stream of its own: the levels do not depend on whether the world changes.
  if (options_.shift_after > 0)
    slot.shift =
        Random(stream_seed(*slot.played.seed, "shift", slot.played.episode)).integer(1, options_.shift_after);
  begin_level(slot, level);
}

void Batch::begin_level(Slot& slot, std::optional<std::size_t> level) {
  // Drawn in any case, so that the levels that follow do not depend on whether this one was asked for.
  const auto drawn = static_cast<std::size_t>(slot.random->integer(0, static_cast<int>(levels()) - 1));
  ++slot.played.drawn;
  slot.played.levels.push_back({.level = level.value_or(drawn)});
  const auto number = static_cast<int>(slot.played.levels.size());
  const Starts& start = (*starts_)[slot.played.levels.back().level];
  slot.game.emplace(number > slot.shift ? start.later : start.first, number);
}

void Batch::shoot(Slot& slot, const Shot& shot) {
  const double before = slot.game->score();
  slot.game->shoot(shot);
  slot.ended.reset();
  slot.played.levels.back().shots.push_back(shot);
  slot.reward = slot.game->score() - before;
  if (!slot.game->over() || over(slot)) return;
  slot.earlier_score += slot.game->score();
  slot.ended = std::move(slot.game);
  begin_level(slot, std::nullopt);
}

void Batch::replay(const std::vector<Played>& games) {
  if (games.size() != slots_.size())
    throw Error("games: found " + std::to_string(games.size()) + ", allowed is one for each of " +
                std::to_string(slots_.size()) + " environments");
  const auto most = static_cast<std::size_t>(episode_levels());
  for (const Played& game : games) {
    const std::size_t played = game.levels.size();
    if (game.seed && (game.episode == 0 || played == 0 || played > most || game.drawn < played))
      throw Error("games: found one that these levels cannot have led to");
    for (const PlayedLevel& level : game.levels) {
      if (level.level >= levels()) throw Error("games: found one that these levels cannot have led to");
      for (const Shot& shot : level.shots) check(shot);
    }
  }
  parallel_for(slots_.size(), options_.threads, [&](std::size_t i) {
    const Played& game = games[i];
    Slot& slot = slots_[i];
    if (!game.seed) return;
    seed(slot, *game.seed);
    const std::uint64_t before = game.drawn - game.levels.size();
    for (std::uint64_t n = 0; n < before; ++n) slot.random->integer(0, static_cast<int>(levels()) - 1);
    slot.played.drawn = before;
    slot.played.episode = game.episode - 1;
    begin(slot, game.levels.front().level);
    for (const PlayedLevel& level : game.levels)
      for (const Shot& shot : level.shots) shoot(slot, shot);
  });
}

void Batch::step(const std::vector<Shot>& shots) {
  if (shots.size() != slots_.size())
    throw Error("actions: found " + std::to_string(shots.size()) + ", allowed is one for each of " +
                std::to_string(slots_.size()) + " environments");
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::string where = slots_.size() > 1 ? "environment " + std::to_string(i) + ": " : "";
    if (!slots_[i].game) throw Error(where + "step: reset() is needed first");
    if (over(slots_[i])) {
      if (options_.start_again) continue;
      throw Error(where + "step: the " + (options_.shift_after > 0 ? "episode" : "level") +
                  " is over, reset() starts the next one");
    }
    try {
      check(shots[i]);
    } catch (const AgentFailure& failure) {
      throw AgentFailure(failure.status(), where + failure.what());
    }
  }
  parallel_for(slots_.size(), options_.threads, [&](std::size_t i) {
    Slot& slot = slots_[i];
    if (over(slot)) {
      begin(slot, std::nullopt);
      return;
    }
    shoot(slot, shots[i]);
  });
}

void Batch::write(const BatchArrays& arrays) const {
  for (std::size_t i = 0; i < slots_.size(); ++i) game(i);  // complains here and not in a thread
  parallel_for(slots_.size(), options_.threads, [&](std::size_t i) { write_one(i, arrays); });
}

void Batch::write_one(std::size_t i, const BatchArrays& arrays) const {
  const Slot& slot = slots_[i];
  const Game& game = *slot.game;
  const Observation& now = game.now();

  const Bitmap picture = game.picture(options_.width, options_.height);
  std::copy(picture.rgb.begin(), picture.rgb.end(), arrays.pictures + i * picture.rgb.size());

  double* objects = arrays.objects + i * most_objects_ * object_columns;
  std::fill_n(objects, most_objects_ * object_columns, 0.0);
  std::int64_t pigs = 0;
  for (const SeenObject& object : now.objects) {
    const Bounds box = bounds(*object.shape);
    const double row[object_columns] = {static_cast<double>(code_of(object.type, object_type_codes())),
                                        static_cast<double>(code_of(name(object.kind), kind_codes())),
                                        static_cast<double>(code_of(name(object.material), material_codes())),
                                        object.pose.position.x,
                                        object.pose.position.y,
                                        object.pose.angle,
                                        box.width(),
                                        box.height()};
    std::copy_n(row, object_columns, objects + static_cast<std::size_t>(object.id) * object_columns);
    pigs += object.kind == Kind::pig;
  }

  std::int64_t* birds = arrays.birds + i * most_birds_;
  std::fill_n(birds, most_birds_, 0);
  for (std::size_t b = 0; b < now.birds.size(); ++b) birds[b] = code_of(now.birds[b], bird_type_codes());

  const double launch[launch_columns] = {now.rest.x,         now.rest.y,   now.max_stretch, now.launch_speed,
                                         now.flight_gravity, now.ground_y, now.half_width};
  std::copy_n(launch, launch_columns, arrays.launch + i * launch_columns);

  arrays.rewards[i] = slot.reward;
  arrays.over[i] = over(slot);
  arrays.scores[i] = slot.earlier_score + game.score();
  arrays.shots[i] = 0;
  for (const PlayedLevel& level : slot.played.levels)
    arrays.shots[i] += static_cast<std::int64_t>(level.shots.size());
  arrays.pigs[i] = pigs;
  arrays.solved[i] = slot.ended ? slot.ended->solved() : game.solved();
  arrays.level[i] = static_cast<std::int64_t>(slot.played.levels.size());
  arrays.shift[i] = over(slot) ? slot.shift : 0;
}

const Game& Batch::game(std::size_t i) const {
  if (!slots_.at(i).game) throw Error("reset() is needed first");
  return *slots_[i].game;
}

const Game& Batch::game_of_last_shot(std::size_t i) const {
  const Game& now = game(i);
  const Game& found = slots_[i].ended ? *slots_[i].ended : now;
  if (!found.last_shot()) throw Error("no shot was taken since the last reset()");
  return found;
}

}  // namespace startle
