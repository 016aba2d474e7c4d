#pragma once
/// \file  Extended method: what a followed shot moves, as impacted objects with movement cases
/// (knock_on.hpp).
#include <vector>

#include "reasoning/impulse/shot_progress.hpp"

namespace startle {

/// Reports on the shots of one scene. Keeps what lies below which object from one shot to the next.
class ShotReport {
 public:
  explicit ShotReport(std::size_t objects) : below_(objects) {}
  /// Writes all that the shot moves: the target first, the others in order of index.
  void write(const ShotProgress& progress, std::size_t target, std::vector<ImpactedObject>& impacted);

 private:
  struct Below {
    bool found = false;
    std::vector<std::size_t> objects;
  };
  void add(const ShotProgress& progress, std::size_t i, std::size_t target,
           std::vector<ImpactedObject>& impacted);
  double drop(const ShotProgress& progress, std::size_t i);
  const std::vector<std::size_t>& below(const ShotProgress& progress, std::size_t i);

  std::vector<Below> below_;  ///< by object index
};

}  // namespace startle
