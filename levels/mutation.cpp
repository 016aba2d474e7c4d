#include "levels/mutation.hpp"

#include <string>
#include <utility>
#include <vector>

#include "levels/generators.hpp"
#include "levels/structure.hpp"

namespace startle {
namespace {

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

}  // namespace

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

}  // namespace startle
