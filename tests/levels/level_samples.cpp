#include "tests/levels/level_samples.hpp"

#include <bit>
#include <cmath>
#include <tuple>

#include "levels/level_text.hpp"

namespace startle {
namespace {

std::uint64_t bits(Random& random) { return std::uint64_t{random.next()} << 32 | random.next(); }

/// A third each: typical coordinates, few decimals, any finite double.
double any_number(Random& random) {
  const int choice = random.integer(0, 2);
  if (choice == 0) return random.uniform(-20, 20);
  if (choice == 1) return random.integer(-2000, 2000) / 100.0;
  while (true) {
    const double number = std::bit_cast<double>(bits(random));
    if (std::isfinite(number)) return number;
  }
}

double positive_number(Random& random) {
  const double number = std::fabs(any_number(random));
  return number > 0 ? number : 1;
}

std::string any_text(Random& random) {
  static const std::vector<std::string> pieces{"a",  "7",  " ",  "<", ">",     "&", "\"", "'", "\\", "/",
                                               "\t", "\n", "\r", ",", "&amp;", "é", "雪", "🐦", "~"};
  std::string text;
  for (int i = random.integer(0, 6); i > 0; --i) text += random.choice(pieces);
  return text;
}

}  // namespace

Level random_level(Random& random) {
  Level level;
  level.width = random.chance(0.5) ? random.integer(1, 3) : random.integer(1, 2147483647);
  level.camera = {any_number(random), any_number(random), positive_number(random), positive_number(random)};
  level.slingshot = {any_number(random), any_number(random)};
  for (int i = random.integer(0, 4); i > 0; --i) level.birds.push_back(random.choice(bird_type_names()));
  const std::vector<Kind> kinds{Kind::block, Kind::pig, Kind::tnt, Kind::platform};
  const std::vector<Material> materials{Material::wood, Material::ice, Material::stone};
  for (int i = random.integer(0, 8); i > 0; --i) {
    LevelObject object;
    object.kind = random.choice(kinds);
    object.type = random.choice(object_type_names(object.kind));
    if (object.kind == Kind::block) object.material = random.choice(materials);
    object.position = {any_number(random), any_number(random)};
    object.rotation_deg = any_number(random);
    if (object.kind == Kind::platform) {
      object.scale_x = positive_number(random);
      object.scale_y = positive_number(random);
    }
    level.objects.push_back(object);
  }
  const std::vector<std::pair<std::string, std::string>> places{// in reading order
                                                                {"Level", "Score"},
                                                                {"Birds", "Bird"},
                                                                {"Level", "assetBundle"},
                                                                {"GameObjects", "Novelty"},
                                                                {"GameObjects", "Pig"}};
  std::size_t birds_before = 0;
  for (const auto& [parent, element] : places)
    for (int i = random.integer(0, 2); i > 0; --i) {
      UnknownElement unknown{parent, element, {{"type", "Pink" + any_text(random)}}};
      for (int k = random.integer(0, 3); k > 0; --k)
        unknown.attributes.emplace_back("a" + std::to_string(k), any_text(random));
      if (parent == "Birds") {
        unknown.birds_before = std::min(birds_before + static_cast<std::size_t>(random.integer(0, 2)),
                                        level.birds.size());
        birds_before = unknown.birds_before;
      }
      level.unknown.push_back(unknown);
    }
  return level;
}

Provenance random_provenance(Random& random) {
  Provenance provenance{
      any_text(random), bits(random), bits(random), any_text(random), std::fabs(any_number(random)), {}};
  for (int i = random.integer(0, 3); i > 0; --i)
    provenance.solution.push_back({any_number(random), 1 - random.uniform(), any_number(random)});
  return provenance;
}

Novelty random_novelty(Random& random) {
  const auto group = [&] {
    Selector on;
    if (random.chance(0.3))
      on.kind = Kind::pig;
    else if (random.chance(0.5))
      on.material = Material::ice;
    if (random.chance(0.3)) on.type = on.kind ? "BasicBig" : "RectFat";
    return on;
  };
  const auto number = [&] { return random.uniform(-10000, 10000); };
  Novelty novelty{.name = own_novelty, .description = any_text(random), .rules = {}};
  novelty.world.gravity = number();
  for (int i = random.integer(0, 2); i > 0; --i)
    novelty.rules.push_back(
        {group(), static_cast<Parameter>(random.integer(0, 7)), {ChangeKind::factor, std::fabs(number())}});
  for (int i = random.integer(0, 3); i > 0; --i) {
    ForceField field{.acceleration = {number(), 1}, .on_birds = random.chance(0.5), .on = group()};
    if (random.chance(0.5)) field.region.left = random.uniform(-1e9, 0);
    if (random.chance(0.5)) field.region.right = random.uniform(1e-9, 1e9);
    if (random.chance(0.5))
      std::tie(field.centre, field.pull) = std::tuple(Vec2{number(), number()}, random.uniform(0.1, 1));
    if (random.chance(0.5)) field.period = random.uniform(0.1, 9);
    if (random.chance(0.5)) field.from_bird = static_cast<std::size_t>(random.integer(0, 9));
    novelty.world.fields.push_back(field);
  }
  for (int i = random.integer(0, 2); i > 0; --i) {
    WorldEvent event{.vanish = random.chance(0.5), .on = group()};
    if (random.chance(0.5)) event.at = random.uniform(0, 9);
    if (!event.vanish) event.velocity = {number(), 1};
    novelty.world.events.push_back(event);
  }
  return novelty;
}

StoredDifficulty random_difficulty(Random& random) {
  StoredDifficulty difficulty;
  if (random.chance(0.5)) {
    difficulty = stored_p_level(any_text(random), random.uniform());
    difficulty.version = random.integer(1, 2147483647);
  } else {
    difficulty.novelty = any_text(random);
    difficulty.source = static_cast<DifficultySource>(random.integer(0, 2));
    difficulty.ties = random.chance(0.5) ? Ties::first : Ties::share;
    difficulty.alpha = random.uniform();
    difficulty.pid = random.uniform();
    difficulty.bid = random.uniform();
    difficulty.value = random.uniform();
    if (random.chance(0.5))
      difficulty.third = PlacedThird{random.choice(std::vector{Third::low, Third::middle, Third::high}),
                                     {.low = random.uniform(),
                                      .high = 1 + std::fabs(any_number(random)),
                                      .count = bits(random),
                                      .alpha = difficulty.alpha}};
  }
  for (int i = random.integer(0, 2); i > 0; --i) {
    const double low = random.uniform();
    difficulty.measured.push_back({i > 1 ? "best-target" : "random-target", random.integer(1, 2147483647),
                                   random.uniform(), low, random.uniform(low, 1)});
  }
  return difficulty;
}

void require_error(const std::function<void()>& action, const std::vector<std::string>& parts) {
  std::string message;
  bool thrown = false;
  try {
    action();
  } catch (const Error& error) {
    message = error.what();
    thrown = true;
  }
  INFO(message);
  REQUIRE(thrown);
  for (const std::string& part : parts) CHECK_THAT(message, Catch::Contains(part));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t place = text.find(from);
  INFO(from);
  REQUIRE(place != std::string::npos);
  return text.replace(place, from.size(), to);
}

std::string damaged(std::string text, Random& random) {
  for (int i = random.integer(1, 3); i > 0; --i)
    text[static_cast<std::size_t>(random.integer(0, static_cast<int>(text.size()) - 1))] = static_cast<char>(
        random.next());
  return text;
}

}  // namespace startle
