#pragma once
/// \file  Which levels there are and how they look: list, thumbnails, a level's scene and artwork.
#include "web/router.hpp"
#include "web/web_levels.hpp"

namespace startle {

/// GET /api/levels, /api/landscape, /api/levels/ID and /api/levels/ID/thumbnail.png. `levels` must outlive
/// the router.
void add_level_routes(Router& router, WebLevels& levels);

}  // namespace startle
