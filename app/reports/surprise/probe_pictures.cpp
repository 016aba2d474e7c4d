#include "app/reports/surprise/probe_pictures.hpp"

#include <algorithm>

#include "app/reports/surprise/clip_pictures.hpp"
#include "render/plot_svg.hpp"

namespace startle {

std::string error_curves(const std::string& title, const std::vector<ErrorCurve>& curves,
                         const std::vector<int>& splices) {
  LinePlot plot{.frame = {.title = title, .x_label = "frame", .y_label = "error"}, .x_high = 0};
  double highest = 0;
  for (const ErrorCurve& curve : curves) {
    plot.series.push_back({curve.name, curve.colour, {}});
    plot.x_high = std::max(plot.x_high, static_cast<double>(curve.values.size()));
    for (std::size_t i = 0; i < curve.values.size(); ++i) {
      plot.series.back().points.push_back({static_cast<double>(i + 1), curve.values[i]});
      highest = std::max(highest, curve.values[i]);
    }
  }
  plot.y_high = highest > 0 ? 1.05 * highest : 1;
  for (const int splice : splices) plot.lines.push_back({static_cast<double>(splice), "splice"});
  return plot_svg(plot);
}

std::string frame_strip(const Clip& clip, const std::string& caption, int every) {
  std::vector<Bitmap> frames;
  for (int t = 0; t < clip.frames; t += every) frames.push_back(frame_picture(clip, t));
  return "<figure class=\"strip\"><img src=\"" + data_uri(side_by_side(frames)) + "\" alt=\"" +
         xml_escaped(caption) + "\"><figcaption>" + xml_escaped(caption) + "</figcaption></figure>\n";
}

const char* const frame_strip_style = R"(<style>
figure.strip { margin: 0 0 4px; } figure.strip img { width: 100%; image-rendering: pixelated; display: block; } figure.strip figcaption { font-size: 12px; margin: 0; }
</style>
)";

}  // namespace startle
