#include "difficulty/tiers.hpp"

#include <array>

namespace startle {
namespace {

struct TierInfo {
  const char* name;
  double from;  ///< p_level
  PLevelRange made;
};
constexpr std::array<TierInfo, 3> tier_table{
    {{"easy", 0.7, {0.85, 1}}, {"medium", 0.3, {0.4, 0.6}}, {"hard", 0, {0, 0.15}}}};

const TierInfo& info(Tier tier) { return tier_table[static_cast<std::size_t>(tier)]; }

}  // namespace

const char* name(Tier tier) { return info(tier).name; }

std::optional<Tier> tier_from_name(const std::string& text) {
  for (const Tier tier : {Tier::easy, Tier::medium, Tier::hard})
    if (text == name(tier)) return tier;
  return std::nullopt;
}

Tier tier_of(double p_level) {
  for (const Tier tier : {Tier::easy, Tier::medium})
    if (p_level >= info(tier).from) return tier;
  return Tier::hard;
}

PLevelRange made_for(Tier tier) { return info(tier).made; }

}  // namespace startle
