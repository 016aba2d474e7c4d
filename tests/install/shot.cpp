// Flies one shot at a level and prints the hash of what it did, as `startle simulate LEVEL --shot 25` does.
#include <cstdio>

#include "core/hash.hpp"
#include "levels/level_file.hpp"
#include "sim/world.hpp"

int main(int, char** argv) {
  const startle::Scene scene = startle::settle(
      startle::make_scene(startle::read_level(argv[1]), startle::profile()));
  const startle::ShotResult result = startle::run_shot(scene, {.angle = startle::radians(25)});
  std::printf("hash %s\n", startle::hexadecimal(result.trace.hash).c_str());
}
