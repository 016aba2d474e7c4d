#pragma once
/// \file  Tiers in reports: their order, their colours, and figure 7 of Pinto et al.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "difficulty/thirds.hpp"
#include "difficulty/tiers.hpp"
#include "statistics/intervals.hpp"

namespace startle {

inline constexpr std::array<Tier, 3> tiers{Tier::easy, Tier::medium, Tier::hard};
inline constexpr std::array<Third, 3> thirds{Third::low, Third::middle, Third::high};

/// Names and colours of tiers and thirds, then "", which is neither. Light to dark with difficulty, and far
/// apart for colour-blind readers too.
inline constexpr std::array<std::pair<const char*, const char*>, 7> tier_colours{{{"easy", "#56B4E9"},
                                                                                  {"medium", "#E69F00"},
                                                                                  {"hard", "#7A1F5C"},
                                                                                  {"low", "#56B4E9"},
                                                                                  {"middle", "#E69F00"},
                                                                                  {"high", "#7A1F5C"},
                                                                                  {"", "#888888"}}};
/// Of a tier, or of a third, by name.
const char* colour_of(const std::string& name);

/// One bar of figure 7.
struct TierBar {
  std::string novelty, tier;  ///< tier "easy", "medium", "hard", third "low", "middle", "high"; empty: none
  Estimate estimate;
};
/// Bars by novelty and tier with intervals, values in [0, 1] [Pinto fig. 7]; a bar that is missing or has no
/// value is left out.
std::string tier_chart(const std::vector<TierBar>& bars, const std::string& title,
                       const std::string& y_label);

/// What an agent or a detector detects, over all novelties.
struct DetectionFinding {
  std::string name;
  std::vector<std::pair<std::string, Estimate>> detected;  ///< by tier; empty tier: none
  Estimate false_alarms;
  Estimate null = {};  ///< what `detected` over all tiers would be had nothing changed, where that is not
                       ///< false_alarms
};
/// A group of bars each: a bar a tier, one of the null where any has one, and one of false alarms, with
/// intervals; values in [0, 1].
std::string detection_chart(const std::vector<DetectionFinding>& findings, const std::string& title,
                            const std::string& y_label);
/// "a detects 95 % (95 % interval 93 to 96) of easy, 88 % (85 to 91) of medium and 50 % (46 to 54) of hard
/// trials; false alarms: 3 % (2 to 4)", `name` in the place of a and `what` in that of trials. A null stands
/// before the false alarms: "where nothing changed: 2 % (1 to 3)". Tiers beyond hard stand in it only where
/// there are no others.
std::string detection_words(const DetectionFinding& finding, const std::string& name,
                            const std::string& what);

}  // namespace startle
