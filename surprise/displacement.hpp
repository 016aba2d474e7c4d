#pragma once
/// \file  Where things in a frame are, against where they were predicted: displacements of moving regions of
/// one colour, and how much of each colour is seen. From pictures alone: the frames and their predictions.
///
/// \code
///   #include "surprise/predictor.hpp"
///   // given: const Clip& clip
///   const auto linear = make_linear_extrapolation();
///   for (const MovingRegion& region : residuals(clip, linear->predict({&clip})[0].frames).regions)
///     if (region.material == MaterialClass::stone && region.residual.y < 0) {
///       // some stone is higher than predicted, by -region.residual.y pixels
///     }
/// \endcode
#include <vector>

#include "render/clip.hpp"
#include "surprise/colour_plane.hpp"

namespace startle {

/// A connected region of one material's colour in a predicted frame, with how far it is predicted to have
/// moved. Vectors are in pixels of the picture: x to the right, y down.
struct MovingRegion {
  int frame = 0;  ///< t, 2 ... T - 1: of the predicted frame
  MaterialClass material = MaterialClass::wood;
  double area = 0;     ///< pixels, at least min_region_area
  Vec2 centre = {};    ///< mean of its pixels in the prediction
  Vec2 motion;         ///< from frame t - 1 to the prediction of frame t
  Vec2 motion_before;  ///< from frame t - 2 to t - 1, of the same thing
  Vec2 residual;     ///< where it is in frame t, less where it was predicted to be, by one step of Lucas and
                     ///< Kanade 1981: from half a pixel on it comes out up to a fifth too large
  double match = 0;  ///< what of it the frame before does not explain: squared difference over square, of
                     ///< the better of no and all of its colour, 0 for the same region elsewhere
};

/// How much of a material's colour is in the pictures, in pixels; pixels at edges count in part.
struct ColourArea {
  int frame = 0;  ///< t, 1 ... T - 1
  MaterialClass material = MaterialClass::wood;
  double before = 0, predicted = 0, seen = 0;  ///< in frame t - 1, in the prediction of t, in frame t
};

struct Residuals {
  std::vector<MovingRegion> regions;  ///< by frame, then material
  std::vector<ColourArea> areas;      ///< a row a frame and material of wood, ice, stone and pigs
};

/// Of a clip in flat colours (Style::training) and its frames 1 ... T - 1 as they were predicted, laid out as
/// Prediction::frames (predictor.hpp). Throws Error for another number of values.
Residuals residuals(const Clip& clip, const std::vector<float>& predicted);

}  // namespace startle
