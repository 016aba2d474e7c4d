#pragma once
/// \file  How unlike all others each of several runs of one shot is: the arithmetic of the reference
/// observer (observer.hpp).
///
/// Every score of a run compares it with all the others, by the same formula for each, so that the scores of
/// runs of one world, drawn alike, are exchangeable. The p-value of a run is then its rank: (1 + number of
/// others that score at least as much)/number of runs. Whatever the physics, it is at most alpha with a
/// chance of at most alpha.
#include <cstddef>
#include <string>
#include <vector>

#include "sim/geometry.hpp"

namespace startle {

/// One body at one frame.
struct Place {
  Vec2 at;            ///< up to a pixel; where it was seen last when it is not there
  bool there = true;  ///< false: gone, out of sight, or not yet there
  friend bool operator==(const Place&, const Place&) = default;
};

/// Runs of one shot as they were observed, all at the same times.
struct Runs {
  std::size_t bodies = 0, frames = 0;
  double interval = 0.12;              ///< s between frames
  double pixel = 0.071875;             ///< world units
  std::vector<int> group_of;           ///< per body: material, pigs, TNT, birds: numbered from 0
  std::vector<std::vector<Place>> of;  ///< [run][body x frames + frame]
  const Place& place(std::size_t run, std::size_t body, std::size_t frame) const {
    return of[run][body * frames + frame];
  }
};

enum class Feature { x, y, presence, fall, slide };
const char* name(Feature feature);

/// What was most unlike the other runs, in one body or group.
struct Attribution {
  Feature feature = Feature::x;
  std::size_t of = 0;     ///< body; for fall and slide the group
  std::size_t frame = 0;  ///< when; of no meaning for fall and slide, which are means over a shot
  double seen = 0, expected = 0, spread = 0;  ///< world units, 0 or 1 for presence, m/s^2 for fall and slide
  double sigmas = 0;                          ///< (seen - expected)/spread, where spread holds the pixel, too
};

/// The p-values of one of the runs.
struct RunTest {
  double p = 1, p_outcome = 1, p_motion = 1;
  std::vector<Attribution> attributions;  ///< the most unlike first, at most one a body and feature of motion
};

/// Of run 0 among all of them, at least two. Scores of a run, each against the mean and spread (or the crowd)
/// of the others:
/// - total: sum over bodies and frames of z^2 = z_x^2 + z_y^2 + z_presence^2, with spread^2 = variance +
///   pixel^2/12;
/// - body: the largest sum over frames of -log of the density of the other runs at the body's place
///   (heavy-tailed kernel of 0.15 units);
/// - moment: the largest z^2;
/// - motion: for each group, means of the vertical acceleration in smooth fast rise and fall and of the
///   deceleration in smooth horizontal motion, from four places on end; the largest |z|.
///
/// p_outcome ranks the sum of -log rank-p of the first three, p_motion the fourth, p the sum over all four.
RunTest test_first(const Runs& runs);

/// (1 + #{others >= own})/count, for each.
std::vector<double> rank_p(const std::vector<double>& scores);

}  // namespace startle
