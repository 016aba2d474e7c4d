/// \file  Whether shots at levels that carry a novelty go otherwise with it.
///
/// Usage: bench_own_novelties FOLDER [shots] [seed]      (default: 200 shots a level, seed 1)
/// Shots are at random angles from 0 to 80 degrees, at full stretch and without a tap. Of a novelty that
/// begins with a later bird they are that bird's; those before it are shot backwards, away from everything.
/// Shown: any body, birds too, becomes visibly different between the twins.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

using namespace startle;

namespace {

void measure_folder(int count, char** arguments) {
  if (count < 2) throw Error("usage: bench_own_novelties FOLDER [shots] [seed]");
  const auto shots = static_cast<std::size_t>(count > 2 ? std::atoi(arguments[2]) : 200);
  const auto seed = static_cast<std::uint64_t>(count > 3 ? std::atoll(arguments[3]) : 1);
  Random random(seed);
  std::vector<Shot> drawn(shots);
  for (Shot& shot : drawn) shot.angle = radians(random.uniform(0, 80));
  const auto files = find_level_files({arguments[1]});
  std::size_t carrying = 0, shown_in = 0;
  double sum = 0;
  for (const auto& file : files) {
    const Level level = read_level(file);
    std::printf("%-32s ", file.filename().c_str());
    if (!level.novelty) {
      std::printf("no novelty of its own\n");
      continue;
    }
    Scene normal = settle(make_scene(level, profile()));
    std::size_t first = normal.birds.size();  // bird with which it begins
    for (const ForceField& field : level.novelty->world.fields) first = std::min(first, field.from_bird);
    if (level.novelty->world.moves_all()) first = 0;
    while (normal.next_bird < first && normal.birds_left() > 1)
      normal = run_shot(normal, {.angle = radians(175)}).scene;
    const Scene novel = novel_twin(normal, *level.novelty);
    std::vector<char> shown(shots, 0);
    parallel_for(shots, 0, [&](std::size_t i) {
      shown[i] = worlds_part({normal, drawn[i]}, {novel, drawn[i]}, true);
    });
    const auto hits = std::count(shown.begin(), shown.end(), 1);
    std::printf("%4ld of %zu shots show it: %s\n", static_cast<long>(hits), shots,
                level.novelty->description.c_str());
    ++carrying;
    shown_in += hits > 0;
    sum += static_cast<double>(hits) / static_cast<double>(shots);
  }
  std::printf(
      "%zu of %zu levels carry a novelty; some shot shows it in %zu of them, a random one with probability "
      "%.2f\n",
      carrying, files.size(), shown_in, carrying > 0 ? sum / static_cast<double>(carrying) : 0);
}

}  // namespace

int main(int count, char** arguments) {
  try {
    measure_folder(count, arguments);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
