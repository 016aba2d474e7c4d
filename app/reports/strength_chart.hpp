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

/// Share detected against log2 of the strength, as strengths double from tick to tick, with bands of 95 %.
/// Colours stand for tiers, or for novelties where there are no tiers; strokes for detectors. If the observer
/// is the only detector, its predicted detection is drawn, too. Where curves by tier include some over all
/// novelties, only those and the curves of people are drawn.
std::string strength_chart(const std::vector<StrengthCurve>& curves);

}  // namespace startle
