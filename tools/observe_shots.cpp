/// \file  For fit-detection: which shots, in which novel worlds, the reference observer detects.
///
/// Of every level in the folders: `best` best shots (by the extended method, which for most novelties are
/// alike) and `random` shots at targets drawn at random, each launched once with aim noise. Each launch is
/// seen in the normal world and in `novelties` novel ones: of the catalogue and of the world novelties that
/// reasoning covers, those that change something in the level, at a strength of .25, .5, 1, 2 or 4, drawn
/// alike; or in those given, for example T1,T2@0.5. All are compared with the same normal shots, which is
/// what makes it cheap. `stored`: in the one that the level was made for.
///
/// Usage: observe_shots OUT.csv SEED BEST RANDOM NOVELTIES|NAME,...|stored FOLDER...
/// In place of a folder, profile=NAME and birds-before=N say otherwise than startle and 0: so many birds have
/// each flown a best shot in the normal world.
/// Writes a line an observed shot, level by level; a level that OUT.csv has is left out.
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "difficulty/difficulty.hpp"
#include "levels/level_file.hpp"
#include "reasoning/qualitative/targets.hpp"
#include "sim/world.hpp"
#include "simulated/aim_noise.hpp"
#include "simulated/observer.hpp"
#include "simulated/twin.hpp"
#include "tools/observed_scene.hpp"

using namespace startle;

namespace {

constexpr double strengths[] = {0.25, 0.5, 1, 2, 4};
struct Options {
  std::uint64_t seed = 1;
  int best = 1, random = 3;
  std::size_t novelties = 0;   ///< drawn ones
  std::vector<Novelty> given;  ///< else these
  bool stored = false;
  ObservedScene scene;
};

std::vector<Novelty> novelties_of(const StoredLevel& level, const Scene& normal, const Options& options,
                                  Random& random) {
  if (options.stored) {
    if (!level.difficulty) throw Error(level.name + ": made for no novelty");
    return {find_novelty(level.difficulty->novelty)};
  }
  std::vector<Novelty> drawn;
  const auto changes_something = [&](const Novelty& novelty) {
    Scene novel = normal;
    apply(novelty, novel);
    return anything_novel(novel);
  };
  if (!options.given.empty()) {
    std::copy_if(options.given.begin(), options.given.end(), std::back_inserter(drawn), changes_something);
    return drawn;
  }
  std::vector<Novelty> all = novelty_catalogue();
  for (const Novelty& novelty : world_novelties())
    if (covers(Method::extended, novelty)) all.push_back(novelty);
  std::set<std::string> names;
  for (int tries = 0; drawn.size() < options.novelties && tries < 1000; ++tries) {
    const Novelty novelty = at_strength(random.choice(all), strengths[random.integer(0, 4)]);
    if (changes_something(novelty) && names.insert(novelty.name).second) drawn.push_back(novelty);
  }
  return drawn;
}

std::string observed(const std::string& path, const Options& options) {
  const StoredLevel level = read_level(path);
  const std::optional<OrderedScene> found = scene_of(level, options.scene);
  if (!found) return {};
  const OrderedScene& ordered = *found;
  const Scene& normal = ordered.scene();
  std::ostringstream lines;
  const std::uint64_t seed = stream_seed(options.seed, path);
  Random random(stream_seed(seed, "shots"));
  const Difficulty difficulty = difficulty_of_first_shot(ordered);
  const Interaction& first = difficulty.interactions.front();
  const std::vector<Target> targets = find_targets(normal, normal.bird(), blocking_relation(normal));
  struct Chosen {
    bool best;
    Shot shot;
  };
  std::vector<Chosen> shots;
  for (int i = 0; i < options.best; ++i) {
    const BestShot& best = random.choice(first.best_shots);
    shots.push_back({true, first.targets[best.target].shot(best.hit)});
  }
  for (int i = 0; i < options.random; ++i)
    shots.push_back({false, random.choice(random.choice(targets).trajectories).shot});

  for (std::size_t s = 0; s < shots.size(); ++s) {
    const Shot announced = shots[s].shot;
    Observer observer(normal, announced, {}, {.seed = stream_seed(seed, "observer", s)});
    const double error = aim_perturbation(ObserverOptions{}.aim_noise, stream_seed(seed, "launch"), s);
    Shot launched = announced;
    launched.angle += error;
    const auto see = [&](const Scene& world, const std::string& novelty, double strength) {
      const ShotTest test = observer.detect(
          run_shot(world, launched, {.record_every = observer.record_every()}).trace);
      lines << path << ',' << s << ',' << shots[s].best << ',' << shortest(announced.angle) << ','
            << shortest(error) << ',' << novelty << ',' << shortest(strength) << ',' << shortest(test.p)
            << ',' << shortest(test.p_outcome) << ',' << shortest(test.p_motion) << ','
            << options.scene.profile << ',' << options.scene.birds_before << '\n';
    };
    see(normal, "", 0);
    for (const Novelty& novelty : novelties_of(level, normal, options, random)) {
      const NoveltyName parsed = parse_novelty_name(novelty.name);
      see(novel_twin(normal, ordered.novelty(novelty)), parsed.entry, parsed.strength);
    }
  }
  return lines.str();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc < 7) {
      std::cerr << "usage: observe_shots OUT.csv SEED BEST RANDOM NOVELTIES|NAME,...|stored FOLDER...\n";
      return 2;
    }
    const std::string out = argv[1];
    Options options{.seed = std::stoull(argv[2]), .best = std::stoi(argv[3]), .random = std::stoi(argv[4])};
    options.stored = std::string(argv[5]) == "stored";
    std::istringstream novelties(argv[5]);
    if (std::isdigit(argv[5][0]))
      options.novelties = std::stoul(argv[5]);
    else if (!options.stored)
      for (std::string name; std::getline(novelties, name, ',');) options.given.push_back(find_novelty(name));
    std::vector<std::string> paths;
    for (int i = 6; i < argc; ++i) {
      const std::string argument = argv[i];
      if (argument.starts_with("profile=")) {
        options.scene.profile = argument.substr(8);
        continue;
      }
      if (argument.starts_with("birds-before=")) {
        options.scene.birds_before = std::stoi(argument.substr(13));
        continue;
      }
      for (const std::filesystem::path& file : find_level_files({argv[i]})) paths.push_back(file.string());
    }
    std::sort(paths.begin(), paths.end());
    Random(options.seed).shuffle(paths);  // so that what is done so far is of all sorts
    std::set<std::string> known;
    bool is_new = true;
    {
      std::ifstream before(out);
      std::string line;
      is_new = !std::getline(before, line);
      if (!is_new) require_observed_columns(out, line);
      while (std::getline(before, line)) known.insert(scene_key(line));
    }
    const std::string scene = ',' + options.scene.profile + ',' + std::to_string(options.scene.birds_before);
    std::erase_if(paths, [&](const std::string& path) { return known.contains(path + scene); });
    std::ofstream file(out, std::ios::app);
    if (is_new) file << observed_columns << '\n';
    std::size_t done = 0;
    parallel_in_order<std::string>(
        paths.size(), 0, [&](std::size_t i) { return observed(paths[i], options); },
        [&](const std::string& lines) {
          file << lines << std::flush;
          std::fprintf(stderr, "\r%zu of %zu levels", ++done, paths.size());
          return file.good();
        });
    if (!file) throw Error(out + ": cannot be written");
  } catch (const std::exception& error) {
    std::cerr << "observe_shots: " << error.what() << '\n';
    return 1;
  }
}
