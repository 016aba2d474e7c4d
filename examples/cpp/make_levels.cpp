// Makes levels of a tier of a novelty, and writes them with a manifest into a folder.
//
//   make_levels NOVELTY TIER COUNT SEED FOLDER          for example: make_levels T2 easy 3 7 easy-T2
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <startle/generate.hpp>
#include <startle/level.hpp>
#include <startle/novelty.hpp>
#include <startle/world.hpp>

int main(int argc, char** argv) try {
  const auto tier = argc == 6 ? startle::tier_from_name(argv[2]) : std::nullopt;
  if (!tier) {
    std::fprintf(stderr, "usage: make_levels NOVELTY easy|medium|hard COUNT SEED FOLDER\n");
    return 2;
  }
  const auto seed = std::strtoull(argv[4], nullptr, 10);
  const startle::SearchResult found = startle::search_levels(
      startle::goal_of(startle::find_novelty(argv[1]), *tier), {.count = std::atoi(argv[3]), .seed = seed},
      startle::profile());
  startle::write_level_set(found.levels, argv[5], {.seed = seed});
  for (const startle::StoredLevel& level : found.levels)
    std::printf("%s p_level %.3f\n", level.name.c_str(), level.difficulty->p_level);
  std::printf("%zu levels of %d candidates\n", found.levels.size(), found.counts.candidates);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
