#pragma once
/// \file  Frames of clips, predictions and their errors as pictures for people.
#include <array>
#include <string>
#include <vector>

#include "render/frames.hpp"
#include "surprise/predictor.hpp"

namespace startle {

Bitmap frame_picture(const Clip& clip, int t);
/// What frame t, 1 ... T - 1, was predicted to be.
Bitmap predicted_picture(const Clip& clip, const Prediction& prediction, int t);
/// Where frame t was not as predicted: white for no error, black for 0.5 or more (root of the squared error's
/// sum over channels).
Bitmap error_picture(const Clip& clip, const Prediction& prediction, int t);

/// Pictures of one size side by side with white gaps; an empty one (no pixels) leaves its place white. Not
/// all empty.
Bitmap side_by_side(const std::vector<Bitmap>& pictures, int gap = 3);

/// Pictures of all frames: seen, predicted, error. Of the first frame, which is not predicted, the last two
/// are empty.
std::array<std::vector<Bitmap>, 3> picture_rows(const Clip& clip, const Prediction& prediction);
/// The same as one picture: three rows, a column a frame, without gaps, white where they are empty.
Bitmap strip_picture(const Clip& clip, const Prediction& prediction);

/// "data:image/png;base64,...".
std::string data_uri(const Bitmap& picture);

}  // namespace startle
