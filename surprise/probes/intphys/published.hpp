#pragma once
/// \file  Error rates that others measured on the original IntPhys 2019 test set, which is not made here:
/// three-dimensional scenes of another engine.
#include <array>
#include <string>
#include <vector>

#include "surprise/probes/intphys/set.hpp"

namespace startle {

/// A table as printed: rows static, dynamic 1, dynamic 2, total; columns visible with 1, 2, 3 objects and in
/// all, then occluded likewise. NaN where a figure was not given.
struct PublishedIntPhys {
  std::string name;
  std::string source;  ///< [IntPhys, tables 5 to 40] by number, or another paper
  IntPhysBlock block = IntPhysBlock::permanence;
  bool relative = true;  ///< L_R; else L_A
  std::array<std::array<double, 8>, 4> rates;
};

/// CNN encoder-decoder and conditional GAN, short-term and long-term; people; and V-JEPA (Garrido et al.
/// 2025), of which only totals of L_R are known: what surprise/probes/intphys/published.txt holds.
const std::vector<PublishedIntPhys>& published_intphys();

}  // namespace startle
