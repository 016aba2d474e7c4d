#pragma once
/// \file  Level generators: families of levels, and verified levels drawn from them.
///
/// \code
///   #include "levels/level_set.hpp"
///   const std::vector<Level> levels = generate_levels("castles", 8, 1, profile());
///   write_level_set({levels.begin(), levels.end()}, "levels/data/castles", {.seed = 1});
/// \endcode
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "levels/structure.hpp"
#include "levels/verify.hpp"

namespace startle {

struct GeneratorInfo {
  std::string name;         ///< "castles"
  std::string description;  ///< one line for people
  void (*lay_out)(Draft&);  ///< builds one candidate
};

/// All families, in a fixed order: rows, towers, pyramids, castles, platforms, dominoes, mixed.
const std::vector<GeneratorInfo>& generator_families();

/// The entry of that name; throws Error naming what was asked and what exists.
const GeneratorInfo& find_generator(const std::string& family);

/// Candidates have this many objects.
inline constexpr std::size_t least_objects = 15, most_objects = 50;

/// A level as drawn: nothing is verified about it, and it may be useless.
Level generate_candidate(const GeneratorInfo& family, const Profile& profile, Random& random);

/// What became of the candidates drawn for a level.
struct [[nodiscard]] GenerationCounts {
  int candidates = 0;
  int rejected[4] = {0, 0, 0, 0};  ///< by Verdict: invalid, unstable, moves, unsolved
  int simulations = 0;             ///< shots simulated
};

/// Level number `index` of the run with that seed: the first of its stream of candidates that is verified.
/// Its name is that of its file. Throws Error after 1000 candidates.
Level generate_level(const GeneratorInfo& family, std::uint64_t seed, std::uint64_t index,
                     std::shared_ptr<const Profile> profile, const VerificationOptions& options = {},
                     GenerationCounts* counts = nullptr);

/// Levels 0 ... count - 1 of the run. The result is the same for any number of threads (0: all of the
/// machine). `progress` is called with the number of levels done, from any thread, one call at a time.
/// `keep_going` is asked before each level; once it answers false the levels not yet begun are left out.
std::vector<Level> generate_levels(const std::string& family, int count, std::uint64_t seed,
                                   std::shared_ptr<const Profile> profile, int threads = 0,
                                   const std::function<void(int)>& progress = {},
                                   const std::function<bool()>& keep_going = {});

}  // namespace startle
