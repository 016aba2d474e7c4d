#pragma once
/// \file  A scene as an SVG picture for people.
///
/// What is drawn depends on kind, type, material and place alone: a novel object looks like a normal one.
/// The text is the same, byte for byte, for the same scene and options.
#include <string>
#include <vector>

#include "sim/scene.hpp"

namespace startle {

/// A flight drawn as a dashed line. Points in world units, at least two.
struct PathMark {
  std::vector<Vec2> points;
  bool upper = false;  ///< the higher of two parabolas: other colour and dashes
  bool faint = false;  ///< in the background
};

/// What is pointed out in a picture. Indices are those of Scene::objects.
struct SceneMarks {
  std::vector<PathMark> paths;
  std::vector<std::size_t> targets;  ///< a cross hair; with numbers, the number on a dark disc
  std::vector<std::size_t> best;  ///< of the targets, those shot at: a ring around the cross hair or number;
                                  ///< several where they tie
  std::vector<std::size_t> impacted;    ///< outlined
  std::vector<std::size_t> detectable;  ///< outlined and filled
  bool numbers = false;                 ///< index of every object written on it
};

struct SceneSvgOptions {
  double pixels_per_unit = 44;  ///< size of the picture: its width and height in pixels follow from what it
                                ///< holds, > 0
  std::string title;            ///< read out by browsers and shown as a tool tip; empty: none
  SceneMarks marks;
  bool legend = false;  ///< what the marks mean, below the scene
};

/// Living objects, ground, slingshot and the birds left. The view is fitted to them and to the paths.
std::string scene_svg(const Scene& scene, const SceneSvgOptions& options = {});

/// What a mark means, with a sample of it.
struct MarkMeaning {
  std::string sample;  ///< SVG elements, legend_sample_width x legend_sample_height pixels
  std::string meaning;
};
inline constexpr int legend_sample_width = 34, legend_sample_height = 16;
/// Of all marks. `numbers`: SceneMarks::numbers.
std::vector<MarkMeaning> mark_legend(bool numbers);

/// Colours of the marks.
inline constexpr const char* lower_path_colour = "#0072B2";
inline constexpr const char* upper_path_colour = "#D55E00";
inline constexpr const char* impacted_colour = "#E69F00";
inline constexpr const char* detectable_colour = "#B3128A";

}  // namespace startle
