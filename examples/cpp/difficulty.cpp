// Says how hard a novelty is to detect in a level, by reasoning and as some plays measure it, and why.
//
//   difficulty LEVEL NOVELTY PLAYS          for example: difficulty level.json T2 4
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <startle/difficulty.hpp>
#include <startle/level.hpp>
#include <startle/novelty.hpp>
#include <startle/observer.hpp>
#include <startle/world.hpp>
#include <string>

int main(int argc, char** argv) try {
  if (argc != 4) {
    std::fprintf(stderr, "usage: difficulty LEVEL NOVELTY PLAYS\n");
    return 2;
  }
  const startle::StoredLevel level = startle::read_level(argv[1]);
  const startle::Scene scene = startle::settle(startle::make_scene(level, startle::profile()));
  const startle::Novelty novelty = startle::find_novelty(argv[2], level);

  const double p_level = startle::predict_level(scene, novelty).p_level;
  std::printf("p_level %.3f, %s\n", p_level, startle::name(startle::tier_of(p_level)));
  const startle::Difficulty values = startle::compute_difficulty(scene, novelty);
  std::printf("PID %.3f, BID %.3f\n", values.pid, values.bid);
  for (const std::string& reason : startle::level_reasons(scene, novelty))
    std::printf("%s\n", reason.c_str());

  const startle::LevelPlays plays = startle::play_level(scene, level.name, {novelty},
                                                        {.plays = std::atoi(argv[3])});
  std::printf("%d plays: detected in %.2f of them, false alarms in %.2f\n", std::atoi(argv[3]),
              startle::mean_detected(plays.novel[0]), startle::mean_detected(plays.normal));
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 2;
}
