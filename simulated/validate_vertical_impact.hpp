#pragma once
/// \file  Validation of vertical impact: what falls when one object is taken away, predicted and simulated.
#include <array>
#include <cstddef>

#include "sim/scene.hpp"
#include "simulated/reasoned_scene.hpp"
#include "statistics/binary_counts.hpp"

namespace startle {

/// Vertical impact alone: one object is taken away and the rest simulated, nothing being breakable. An object
/// fell when its centre of mass came to lie more than 0.05 lower or it turned by more than 0.2 rad. Predicted
/// by vertical_impact(), by the extended method unbraced_falls().
struct VerticalCounts {
  std::size_t taken_away = 0;
  BinaryCounts all;
  BinaryCounts unprompted;  ///< without those that fell, unpredicted, only after something that was moving
                            ///< had begun to touch them
  /// Of those predicted and seen to fall: [predicted][seen], down, left, right. Seen: left or right when the
  /// centre of mass came more than 0.1 to that side, else down.
  std::array<std::array<std::size_t, 3>, 3> directions{};
  VerticalCounts& operator+=(const VerticalCounts& other);
};

ByMethod<VerticalCounts> validate_vertical_impact(const Scene& normal);

}  // namespace startle
