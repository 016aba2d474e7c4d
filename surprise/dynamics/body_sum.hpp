#pragma once
/// \file  What a mechanism finds in a shot, added up over frames that are not independent.
///
/// What is expected of one body errs alike from frame to frame: of a block that slides, each forecast of how
/// it slows down is a little off in the same direction. So n observations of one body count as
/// n / (1 + (n - 1) c) independent ones, c the intraclass correlation of the errors of one body [Kish 1965,
/// design effect]. Different bodies count as independent.
#include <map>
#include <vector>

#include "sim/trace.hpp"
#include "surprise/dynamics/mechanism.hpp"

namespace startle {

/// All that one mechanism finds of one material in a shot.
struct MechanismSum {
  double score = 0, information = 0;
};

/// Of one body alone, as if its observations were independent.
struct BodySum {
  double score = 0, information = 0;
  double squares = 0;  ///< sum of the squares of the scores
  double roots = 0;    ///< sum of the roots of the information

  void add(double score_of_one, double information_of_one);
  /// How many equally informative observations would make the sum; at least 1.
  double count() const;
};
using BodySums = std::map<BodyId, BodySum>;

/// Each body weighted by what its observations lose by depending on each other. `correlation` in [0, 1].
MechanismSum sum_of(const BodySums& bodies, double correlation);

/// The intraclass correlation of the errors of one body, from bodies in the normal world: the mean product of
/// two scores of one body over the mean square of one, in standard deviations, each pair counting alike
/// [Fisher 1925, chapter 7]. In [0, 1]; 0 where no body has two observations.
double body_correlation(const std::vector<BodySum>& bodies);

}  // namespace startle
