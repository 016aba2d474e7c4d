#pragma once
/// \file  Bodies in flight: does a predictor of frames put what falls where it is?
///
/// A moving region (displacement.hpp) is in flight where the engine, the predictor "physics", predicts that
/// it gains 0.7 to 2.2 pixels a frame downwards. Of every other predictor the region counts that has the same
/// colour in the same frame and the nearest centre, at most 4 pixels away.
#include <cstdint>
#include <string>
#include <vector>

#include "statistics/intervals.hpp"
#include "surprise/evaluation.hpp"

namespace startle {

/// One predictor's regions of one material in flight, over the clips of one novelty. Distances are in pixels,
/// downwards, of where a region is from where it was predicted: above 0, lower.
struct FlightRow {
  std::string novelty;
  MaterialClass material = MaterialClass::wood;
  std::size_t predictor = 0;          ///< index in Evaluation::predictors
  std::size_t normal = 0, novel = 0;  ///< regions, at least least_flights
  Estimate median = {};               ///< in normal clips
  double spread = 0;                  ///< there: 1.4826 times the median absolute deviation
  Estimate shift = {};                ///< median in novel clips less that in normal ones
};
inline constexpr std::size_t least_flights = 10;

/// By novelty, material and predictor, those with enough regions in both worlds. Intervals are bootstraps
/// over levels. None for an evaluation without "physics".
std::vector<FlightRow> flight_rows(const Evaluation& evaluation, std::uint64_t seed = 1, int threads = 0);

}  // namespace startle
