#pragma once
/// \file  Tiers of difficulty: bands of p_level (played_level.hpp), the chance that the reference player
/// detects the novelty in one play of the level. They mean the same for all novelties and all levels.
#include <optional>
#include <string>

namespace startle {

enum class Tier { easy, medium, hard };
const char* name(Tier tier);
std::optional<Tier> tier_from_name(const std::string& name);

/// easy from 0.7 on, hard below 0.3, medium between.
Tier tier_of(double p_level);

/// p_level, both ends included.
struct PLevelRange {
  double min = 0, max = 1;
  friend bool operator==(const PLevelRange&, const PLevelRange&) = default;
};
/// Of levels that are made for a tier: well inside of it, so that tiers stay apart where a prediction errs.
PLevelRange made_for(Tier tier);

}  // namespace startle
