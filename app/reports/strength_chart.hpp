#pragma once
/// \file  Detection against the strength of a novelty, as curves.
#include <string>
#include <vector>

#include "simulated/threshold.hpp"

namespace startle {

struct StrengthCurve {
  std::string novelty, description;
  std::string tier;      ///< "all", or one
  std::string detector;  ///< "observer", "dynamics" or "people"
  DetectionCurve curve;
};

/// Share detected against log2 of the strength, for strengths double from tick to tick, with bands of 95 %.
/// Colours are tiers, or novelties where all tiers are one; strokes are detectors. Where the observer
/// is the only detector, what is predicted of it is drawn, too. Of curves by tier
/// of several novelties those over all novelties are drawn, and those of people.
std::string strength_chart(const std::vector<StrengthCurve>& curves);

}  // namespace startle
