#include "levels/generators.hpp"

#include <mutex>
#include <optional>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "levels/families.hpp"
#include "levels/level_set.hpp"

namespace startle {

const std::vector<GeneratorInfo>& generator_families() {
  static const std::vector<GeneratorInfo> families{
      {"rows", "row structures after Stephenson and Renz, each row of one block type", lay_out_rows},
      {"towers", "three or four slender towers of pillars, beams and solid storeys", lay_out_towers},
      {"pyramids", "solid and open pyramids", lay_out_pyramids},
      {"castles", "castles with rooms that hold pigs, some with a guard tower", lay_out_castles},
      {"platforms", "structures on floating platforms, pigs on and under them", lay_out_platforms},
      {"dominoes", "rows of thin blocks that knock each other over, some on platforms", lay_out_dominoes},
      {"mixed", "a different structure in each place, with platforms and TNT", lay_out_mixed},
  };
  return families;
}

const GeneratorInfo& find_generator(const std::string& family) {
  std::string known;
  for (const GeneratorInfo& info : generator_families()) {
    if (info.name == family) return info;
    known += (known.empty() ? "" : ", ") + info.name;
  }
  throw Error("unknown generator family '" + family + "'; known are " + known);
}

Level generate_candidate(const GeneratorInfo& family, const Profile& profile, Random& random) {
  for (;;) {
    Draft draft(profile, random);
    family.lay_out(draft);
    if (draft.size() >= least_objects && draft.size() <= most_objects) return draft.level();
  }
}

Level generate_level(const GeneratorInfo& family, std::uint64_t seed, std::uint64_t index,
                     std::shared_ptr<const Profile> profile, const VerificationOptions& options,
                     GenerationCounts* counts) {
  constexpr int most_candidates = 1000;
  Random random(stream_seed(seed, "levels/" + family.name, index));
  for (int i = 0; i < most_candidates; ++i) {
    const Level candidate = generate_candidate(family, *profile, random);
    const int spare_birds = random.integer(1, 2);
    Verification solution = verify(candidate, profile, spare_birds, options);
    if (counts) {
      ++counts->candidates;
      counts->simulations += solution.simulations;
      if (solution.verdict != Verdict::verified) ++counts->rejected[static_cast<int>(solution.verdict)];
    }
    if (solution.verdict != Verdict::verified) continue;
    Level level = std::move(solution.level);
    level.name = level_set_member(family.name, seed, index);
    level.provenance->family = family.name;
    level.provenance->seed = seed;
    level.provenance->index = index;
    return level;
  }
  throw Error("generator " + family.name + ", profile " + profile->name + ", seed " + std::to_string(seed) +
              ", index " + std::to_string(index) + ": none of " + std::to_string(most_candidates) +
              " candidates could be verified stable and solvable");
}

std::vector<Level> generate_levels(const std::string& family, int count, std::uint64_t seed,
                                   std::shared_ptr<const Profile> profile, int threads,
                                   const std::function<void(int)>& progress,
                                   const std::function<bool()>& keep_going) {
  const GeneratorInfo& info = find_generator(family);
  if (count < 0) throw Error("number of levels: found " + std::to_string(count) + ", allowed 0 or more");
  std::vector<std::optional<Level>> made(static_cast<std::size_t>(count));
  std::mutex mutex;
  int done = 0;
  const auto job = [&](std::size_t i) {
    made[i] = generate_level(info, seed, i, profile);
    if (!progress) return;
    const std::lock_guard lock(mutex);
    progress(++done);
  };
  parallel_for(made.size(), threads, job, keep_going);
  std::vector<Level> levels;
  for (std::optional<Level>& level : made) {
    if (!level) break;  // what comes after one that was given up would not be made by a smaller count
    levels.push_back(std::move(*level));
  }
  return levels;
}

}  // namespace startle
