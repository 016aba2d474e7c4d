#pragma once
/// \file  Video strips and curves of surprise over time, as the reports on probes and IntPhys sets show them.
#include <string>
#include <vector>

#include "render/clip.hpp"

namespace startle {

/// One value a frame, from frame 1 on.
struct ErrorCurve {
  std::string name, colour;
  std::vector<double> values;
};
/// Plot (SVG); a line at each splice.
std::string error_curves(const std::string& title, const std::vector<ErrorCurve>& curves,
                         const std::vector<int>& splices = {});

/// Every `every`th frame of a clip side by side under a caption (HTML), for pages with frame_strip_style.
std::string frame_strip(const Clip& clip, const std::string& caption, int every = 1);
extern const char* const frame_strip_style;

}  // namespace startle
