#pragma once
/// \file  Cutting clips that show the same at some moment, and joining the beginning of one to the end of the
/// other.
#include <cstdint>
#include <vector>

#include "render/clip.hpp"

namespace startle {

/// Of each frame's picture and mask.
std::vector<std::uint64_t> frame_hashes(const Clip& clip);

/// Frames of `a`, and from each splice on those of the other one by turns. The clips have masks and one size.
Clip spliced(const Clip& a, const Clip& b, const std::vector<int>& splices);

/// The frames in reverse.
Clip reversed(const Clip& clip);

/// A splice in the middle of every run of at least two frames that are the same in both clips and have
/// different ones before and after; none at all where such a run is of one frame only, which is too short to
/// hide anything.
std::vector<int> hidden_splices(const Clip& a, const Clip& b);

}  // namespace startle
