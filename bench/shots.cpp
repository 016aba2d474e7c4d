/// \file  Bare simulation of given shots, for bench/environment.py. Standard input, an episode a line: level
/// file, novelty or -, then angle (rad), stretch and tap time (s) of each shot. Prints the least processor
/// time of three runs in seconds, one thread.
#include <algorithm>
#include <ctime>
#include <iostream>
#include <sstream>

#include "levels/level_file.hpp"
#include "sim/world.hpp"
#include "simulated/twin.hpp"

int main() {
  using namespace startle;
  struct Episode {
    Scene start;
    std::vector<Shot> shots;
  };
  std::vector<Episode> episodes;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream in(line);
    std::string path, novelty;
    in >> path >> novelty;
    Episode& episode = episodes.emplace_back();
    episode.start = taken_at_rest(settle(make_scene(read_level(path), profile())));
    if (novelty != "-") episode.start = novel_twin(episode.start, find_novelty(novelty));
    for (Shot shot; in >> shot.angle >> shot.stretch >> shot.tap_time;) episode.shots.push_back(shot);
  }
  double least = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) {
    const std::clock_t start = std::clock();
    for (const Episode& episode : episodes) {
      Scene scene = episode.start;
      for (const Shot& shot : episode.shots) scene = run_shot(scene, shot).scene;
    }
    least = std::min(least, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  std::cout << least << "\n";
}
