#pragma once
/// \file  Frames and masks of a shot, pictures, videos.
#include "render/frames.hpp"
#include "render/gif.hpp"
#include "render/png.hpp"
#include "render/scene_svg.hpp"
#include "render/video.hpp"
