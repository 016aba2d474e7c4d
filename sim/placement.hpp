#pragma once
/// \file  When objects of a level count as badly placed.

namespace startle {

/// Objects that overlap deeper than this are reported: more than the engine's skins and slop, less than the
/// smallest block. World units.
inline constexpr double overlap_tolerance = 0.05;

}  // namespace startle
